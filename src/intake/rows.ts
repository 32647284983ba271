// A file to rows that know their line. What is in a row is for record.ts to say; here a file can
// only fail as a whole, because it is not of its format.

import type { Business } from '../model/business.ts';
import { readCsv } from './csv.ts';
import { readJson } from './json.ts';
import type { CsvMapping } from './mapping.ts';
import { readNdjson } from './ndjson.ts';
import type { Row } from './record.ts';
import type { Source } from './text.ts';

export type Format = 'json' | 'ndjson' | 'csv';

export interface RowOptions {
  readonly format: Format;
  /** How the columns of a CSV file are to be read. */
  readonly mapping: CsvMapping;
  /** Called when the file itself says which business it is about. */
  readonly onBusiness: (business: Business) => void;
}

/**
 * Reads the rows of a file, a few at a time.
 *
 * @throws {InputError} naming the file, the line and what was expected.
 */
export function readRows(source: Source, options: RowOptions): AsyncGenerator<Row> {
  switch (options.format) {
    case 'json':
      return readJson(source, options.onBusiness);
    case 'ndjson':
      return readNdjson(source);
    case 'csv':
      return readCsv(source, options.mapping);
  }
}
