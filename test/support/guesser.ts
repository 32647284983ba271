// Guesses full names of authors from ids of reviews, as anybody could with ids of earlier versions, which were a digest
// of what the review says.

import { createHash } from 'node:crypto';
import type { Database } from '../../src/store/database.ts';
import { requestPublish } from '../../src/store/state.ts';
import { encodeUlid } from '../../src/model/ulid.ts';

export interface Published {
  readonly id: string;
  readonly author: string;
  readonly date: string;
  readonly text: string | null;
  readonly source: string;
}

function digest(named: string): Buffer {
  return createHash('sha256').update(named).digest();
}

/** The names "Tom Weaver" that the id of a review of "Tom W." confirms. */
export function confirmedNames(
  { id, author, date, text, source }: Published,
  surnames: readonly string[],
): string[] {
  const first = author.replace(/ \p{L}\.$/u, '');
  const texts = new Set([text, text?.split('\n\n').slice(1).join('\n\n') || null]);
  return surnames
    .map((surname) => `${first} ${surname}`)
    .filter((name) =>
      [...texts].some(
        (said) =>
          encodeUlid(Date.parse(date), digest(JSON.stringify([source, name, date, said]))) === id,
      ),
    );
}

/** Gives the reviews without an id of their source the ids that earlier versions derived. */
export async function storeGuessableIds(database: Database): Promise<void> {
  const { read } = database;
  const rows = await read
    .selectFrom('reviews')
    .select(['id', 'date', 'identity'])
    .where('identity', 'like', 'content:%')
    .execute();
  for (const { id, date, identity } of rows) {
    const bytes = Buffer.from(identity.slice('content:'.length), 'base64url');
    await read
      .updateTable('reviews')
      .set({ id: encodeUlid(Date.parse(date), bytes) })
      .where('id', '=', id)
      .execute();
  }
  await requestPublish(database);
}
