// A transaction that a test keeps open.

import type { Database } from '../../src/store/database.ts';

/**
 * The database with a transaction that stays open after its work: `isDone` resolves when the work is done, and
 * `commit` ends the transaction.
 */
export function holding(on: Database): { on: Database; isDone: Promise<void>; commit: () => void } {
  let [done, commit] = [() => {}, () => {}];
  const isDone = new Promise<void>((resolve) => (done = resolve));
  const mayEnd = new Promise<void>((resolve) => (commit = resolve));
  const write: Database['write'] = (work, options) =>
    on.write(async (transaction) => {
      const result = await work(transaction);
      done();
      await mayEnd;
      return result;
    }, options);
  return { on: Object.create(on, { write: { value: write } }) as Database, isDone, commit };
}
