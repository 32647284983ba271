// Secrets that the program made for itself, by name.

import type { Executor } from './engine.ts';

type SecretName =
  | 'log_keys'
  | 'mcp_session_key'
  | 'review_id_key'
  | 'suppression_key'
  | 'witness_key';

/** Null if there is none yet. */
export async function loadSecret(executor: Executor, name: SecretName): Promise<string | null> {
  const row = await executor
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Returns the stored secret. If there is none yet, stores and returns the proposed one. */
export async function createSecret(
  transaction: Executor,
  name: SecretName,
  proposed: string,
): Promise<string> {
  await transaction
    .insertInto('secrets')
    .values({ name, value: proposed })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Another process may have stored its own meanwhile.
  return (await loadSecret(transaction, name)) ?? proposed;
}
