// Removes the example business from a store.

import type { Database } from './database.ts';
import { CONTENT_LOCK } from './engine.ts';
import { loadState } from './state.ts';

/** Deletes the example business and its reviews; returns false if the store does not have it. */
export async function removeExample(database: Database): Promise<boolean> {
  return database.write(
    async (transaction) => {
      const { example } = await loadState(transaction);
      if (!example) return false;
      await transaction.deleteFrom('reviews').execute();
      await transaction.deleteFrom('business').execute();
      await transaction
        .updateTable('state')
        .set((set) => ({ content_version: set('content_version', '+', 1), example: 0 }))
        .execute();
      return true;
    },
    { lock: CONTENT_LOCK, notifies: 'state' },
  );
}
