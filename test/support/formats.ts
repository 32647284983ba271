// Files of platforms, read as an import reads them.

import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { chooseFormat, type FormatChoice, remarkOn } from '../../src/intake/formats/recognise.ts';
import { readTable } from '../../src/intake/formats/rows.ts';
import { openMapped } from '../../src/intake/mapping/mapped-row.ts';
import type { Mapping } from '../../src/intake/mapping/mapping.ts';
import type { CsvReader, JsonReader } from '../../src/intake/readers/reader.ts';
import { READERS } from '../../src/intake/readers/readers.ts';
import type { Row } from '../../src/intake/record.ts';
import { openSource } from '../../src/intake/text/text.ts';

export const FIXTURES = fileURLToPath(new URL('../intake/fixtures/', import.meta.url));

/** The fixture of each format. */
export const FORMAT_FIXTURES = [
  ['google-business', 'google-takeout.json'],
  ['google-places', 'google-places.json'],
  ['google-places', 'google-places-legacy.json'],
  ['facebook', 'facebook.json'],
  ['yelp', 'yelp.json'],
  ['trustpilot', 'trustpilot.json'],
  ['trustpilot-csv', 'trustpilot.csv'],
  ['tripadvisor', 'tripadvisor.json'],
  ['app-store', 'app-store.json'],
  ['app-store-feed', 'app-store-feed.json'],
  ['google-play', 'google-play.json'],
  ['google-play-csv', 'google-play.csv'],
  ['judgeme', 'judgeme.csv'],
  ['yotpo', 'yotpo.csv'],
  ['woocommerce', 'woocommerce.json'],
  ['woocommerce-csv', 'woocommerce.csv'],
  ['web-page', 'json-ld.html'],
] as const;

export function fixture(name: string): Buffer {
  return readFileSync(FIXTURES + name);
}

export interface ReadFile {
  readonly format: string | null;
  readonly rows: readonly Row[];
  readonly remark: string | null;
}

/** Reads a file whose format is recognised. */
export async function readFormat(
  path: string,
  choice: FormatChoice = { kind: 'auto' },
): Promise<ReadFile> {
  const { chosen, source } = await chooseFormat(
    openSource(path, () => undefined),
    choice,
  );
  const rows: Row[] = [];
  for await (const row of chosen.read(source, () => undefined)) rows.push(row);
  return { format: chosen.name, rows, remark: remarkOn(source, chosen) };
}

/** The records of a CSV text that a mapping reads. */
export async function readByMapping(content: string, mapping: Mapping): Promise<unknown[]> {
  const chunks = Readable.from([Buffer.from(content)]);
  const rows = readTable(
    { name: 'file', chunks },
    ',',
    openMapped(mapping),
    mapping.header !== false,
  );
  const records: unknown[] = [];
  for await (const row of rows) records.push('record' in row ? row.record : row);
  return records;
}

export const jsonReader = (name: string) =>
  READERS.find((reader) => reader.name === name) as JsonReader;

export const csvReader = (name: string) =>
  READERS.find((reader) => reader.name === name) as CsvReader;
