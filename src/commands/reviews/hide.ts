// `hide` and `show`: keep reviews from being published, and publish them again.

import type { Config } from '../../config.ts';
import type { RemovalReason } from '../../model/removal.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import type { Database } from '../../store/database.ts';
import type { ImportOrigin } from '../../store/merge/imports.ts';
import { type Change, findStored, hideReviews, showReviews } from '../../store/reviews/removals.ts';
import { publishImport } from '../publish.ts';
import { originOf } from '../operator.ts';
import { count, notPublished, parseId, unknownReview } from './remove.ts';
import { withDatabase } from '../store/store.ts';

type ChangeAll = (
  database: Database,
  ids: readonly string[],
  origin: ImportOrigin,
) => Promise<Change>;

/** @throws {InputError} if an id is none of a stored review; then nothing is hidden. */
export async function runHide(
  config: Config,
  given: readonly string[],
  { reason }: { readonly reason: RemovalReason },
  publish = publishPending,
): Promise<void> {
  const hide: ChangeAll = (database, ids, origin) => hideReviews(database, ids, reason, origin);
  await changeAll(config, given, 'hide', hide, publish);
}

/** @throws {InputError} if an id is none of a stored review; then nothing is shown. */
export async function runShow(
  config: Config,
  given: readonly string[],
  publish = publishPending,
): Promise<void> {
  await changeAll(config, given, 'show', showReviews, publish);
}

async function changeAll(
  config: Config,
  given: readonly string[],
  command: 'hide' | 'show',
  change: ChangeAll,
  publish: typeof publishPending,
): Promise<void> {
  const origin = originOf(command);
  const done = command === 'hide' ? 'hides' : 'shows again';
  const ids = [...new Set(given.map(parseId))];
  await withDatabase(config, async (database) => {
    const stored = await findStored(database.read, ids);
    for (const id of ids) if (!stored.has(id)) throw unknownReview(id);
    const { ids: changed, number } = await change(database, ids, origin);
    const unchanged = ids.length - changed.length;
    process.stdout.write(
      `${done} ${count(changed.length)}` +
        `${unchanged === 0 ? '' : `; ${count(unchanged)} already as wanted`}\n`,
    );
    await publishImport(config, database, number, publish, notPublished);
  });
}
