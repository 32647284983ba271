// The files that imports are measured with.

import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { writeTakeout } from '../../test/support/generate.ts';
import { writeCorpus } from '../corpus.ts';

/** Names of `--format`. */
export const FORMATS = ['ndjson', 'csv', 'google-business'] as const;
export type Format = (typeof FORMATS)[number];

/** What every format has of a review. */
export interface Fields {
  readonly source_id: string;
  readonly author: string;
  readonly rating: number | string;
  readonly date: string;
  readonly source: string;
  readonly text: string | null;
}

const COLUMNS = ['source_id', 'author', 'rating', 'date', 'source', 'verified', 'text'] as const;

/** Writes `count` reviews. */
export async function writeFormat(path: string, format: Format, count: number): Promise<void> {
  if (format === 'google-business') return writeTakeout(path, count);
  const lines = format === 'ndjson' ? ndjsonLines(count) : csvLines(count);
  await pipeline(Readable.from(lines), createWriteStream(path));
}

function* ndjsonLines(count: number): Generator<string> {
  for (const review of writeCorpus(count)) yield `${JSON.stringify(review)}\n`;
}

function* csvLines(count: number): Generator<string> {
  yield `${COLUMNS.join(',')}\n`;
  for (const review of writeCorpus(count)) {
    const cells = COLUMNS.map(
      (column) => `"${String(review[column] ?? '').replaceAll('"', '""')}"`,
    );
    yield `${cells.join(',')}\n`;
  }
}
