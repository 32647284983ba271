// A file to rows with their lines. Here a file fails as a whole, because it does not have its format;
// record.ts checks single rows.

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
  /** How to read the columns of a CSV file. */
  readonly mapping: CsvMapping;
  /** Called if the file contains the record of its business. */
  readonly onBusiness: (business: Business) => void;
}

/**
 * Reads the rows of a file in small batches.
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
