// Two editions of the same reviews, imported alternately: one whole edition is stored and served.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { writeReviews } from './generate.ts';
import type { Server, Workplace } from './process.ts';

/** A file, its number of reviews, and hashes of the stored and the served reviews. */
export interface Edition {
  readonly file: string;
  readonly count: number;
  readonly stored: string;
  readonly served: string;
}

/** Writes an edition, imports it, and waits until it is served. */
export async function importEdition(
  place: Workplace,
  server: Server,
  edition: number,
  count: number,
): Promise<Edition> {
  const file = join(place.folder, `${edition}.ndjson`);
  await writeReviews(file, count, { edition });
  await place.importHere(file, { prune: true });
  await isServed(server, count);
  return { file, count, stored: await storedReviews(place), served: await servedReviews(server) };
}

/** Waits until a server serves this many reviews. */
export async function isServed(server: Server, count: number): Promise<void> {
  await server.until('/api/reviews/search?limit=1', ({ matched }) => matched === count);
}

/** A hash of every column of every stored review. */
export async function storedReviews(place: Workplace): Promise<string> {
  // The database may still commit what a killed import had sent.
  await place.database.settled();
  return place.look(async (database) => {
    const hash = createHash('sha256');
    const rows = database.read.selectFrom('reviews').selectAll().orderBy('id').stream(1000);
    for await (const row of rows) hash.update(JSON.stringify(row));
    return hash.digest('hex');
  });
}

/** A hash of every review in `/reviews.json`. */
export async function servedReviews(server: Server): Promise<string> {
  const { reviews } = await server.json('/reviews.json');
  return createHash('sha256').update(JSON.stringify(reviews)).digest('hex');
}
