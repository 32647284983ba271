// The reviews that all compared servers search: as our server publishes them, with folded texts and
// mentions, newest first.

import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fold } from '../../src/model/fold.ts';
import type { ReviewJson } from '../../src/model/review.ts';

export interface Row {
  readonly review: ReviewJson;
  readonly folded: string | null;
  /** Ids. */
  readonly technicians: readonly string[];
  readonly services: readonly string[];
}

interface Named {
  readonly id: string;
}

/** Downloads all reviews of a server. */
export async function fetchRows(origin: string): Promise<Row[]> {
  const { reviews } = (await (await fetch(`${origin}/reviews.json`)).json()) as {
    reviews: ReviewJson[];
  };
  const { per_review: found } = (await (await fetch(`${origin}/insights.json`)).json()) as {
    per_review: Record<string, { technicians: Named[]; services: Named[] }>;
  };
  return reviews.map((review) => ({
    review,
    folded: review.text === null ? null : fold(review.text),
    technicians: (found[review.id]?.technicians ?? []).map(({ id }) => id),
    services: (found[review.id]?.services ?? []).map(({ id }) => id),
  }));
}

export async function keepRows(path: string, rows: readonly Row[]): Promise<void> {
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** The rows that this process searches. */
export async function readRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const lines = createInterface({ input: createReadStream(process.env['ROWS'] ?? '') });
  for await (const line of lines) rows.push(JSON.parse(line) as Row);
  return rows;
}
