// The key for the ids of reviews without an id of their source, and new ids for reviews whose ids earlier versions
// derived without it: such an id confirms a guess of the author.

import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { isIdOf, isIdOfIdentity, keyedId } from '../../model/review-identity.ts';
import { withoutFirstPart } from '../../model/title.ts';
import type { Database } from '../database.ts';
import { CONTENT_LOCK, type Executor } from '../engine.ts';
import { partsOf, ROWS } from '../parts.ts';
import { createSecret, loadSecret } from '../secrets.ts';
import { requestPublishIn } from '../state.ts';

const KEY = 'review_id_key';
const KEY_BYTES = 32;
/** The columns with ids of reviews. */
const REFERENCES = {
  reviews: 'id',
  review_history: 'review_id',
  hidden_reviews: 'review_id',
  review_identities: 'review_id',
  log_reviews: 'review_id',
} as const;

/** The key; made if there is none. A dry run stores none, and gets one of its own. */
export async function loadIdKey(database: Database, isDryRun = false): Promise<string> {
  const stored = await loadSecret(database.read, KEY);
  if (stored !== null) return stored;
  const proposed = randomBytes(KEY_BYTES).toString('base64url');
  if (isDryRun) return proposed;
  return database.write((transaction) => createSecret(transaction, KEY, proposed));
}

/**
 * Gives new ids to the reviews whose ids confirm a guess of their author. Imports recognise them by the old ones
 * too; nothing else does.
 */
export async function replaceGuessableIds(database: Database): Promise<void> {
  if ((await findGuessable(database.read)).size === 0) return;
  const key = await loadIdKey(database);
  await database.write(
    async (transaction) => {
      const ids = [...(await findGuessable(transaction))];
      const pairs = ids.map((id) => [id, keyedId(id, key)] as const);
      for (const some of partsOf(pairs)) await replaceIds(transaction, some);
      // The plans of merges that run now have the old ids.
      await requestPublishIn(transaction);
    },
    { lock: CONTENT_LOCK },
  );
}

async function replaceIds(
  transaction: Executor,
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  const values = sql.join(pairs.map(([before, after]) => sql`(${before}, ${after})`));
  for (const [table, column] of Object.entries(REFERENCES)) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = pairs.column2
      from (values ${values}) as pairs
      where ${sql.ref(`${table}.${column}`)} = pairs.column1`.execute(transaction);
  }
  await transaction
    .insertInto('review_identities')
    .values(pairs.map(([before, after]) => ({ identity: `id:${before}`, review_id: after })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Ids that can be computed from what a review says or said, or from what a copy of it says. */
async function findGuessable(executor: Executor): Promise<Set<string>> {
  const guessable = new Set<string>();
  const columns = ['source', 'author', 'date', 'text'] as const;
  const statements = executor
    .selectFrom('reviews')
    .select(['id', ...columns])
    .unionAll(executor.selectFrom('review_history').select(['review_id as id', ...columns]));
  for await (const { id, ...row } of statements.stream(ROWS)) {
    const bare = { ...row, text: withoutFirstPart(row.text) };
    if (isIdOf(id, row) || isIdOf(id, bare)) guessable.add(id);
  }
  const identities = executor
    .selectFrom('reviews')
    .select(['id', 'identity'])
    .unionAll(executor.selectFrom('review_identities').select(['review_id as id', 'identity']));
  for await (const { id, identity } of identities.stream(ROWS)) {
    if (isIdOfIdentity(id, identity)) guessable.add(id);
  }
  return guessable;
}
