// `hide` and `show`: keep reviews from being published, and publish them again.

import type { Config } from '../../config.ts';
import { commandName } from '../../model/command-name.ts';
import type { HidingReason } from '../../model/removal.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import type { Database } from '../../store/database.ts';
import {
  findByAuthor,
  findStored,
  hideReviews,
  listHidden,
  showReviews,
} from '../../store/reviews/removals.ts';
import { exportHint, publishImport } from '../publish.ts';
import { originOf } from '../operator.ts';
import { count, noReviewBy, notPublished, parseId, renderFound, unknownReview } from './remove.ts';
import { withDatabase } from '../store/store.ts';

/** @throws {InputError} if an id is none of a stored review; then nothing is hidden. */
export async function runHide(
  config: Config,
  given: readonly string[],
  { reason }: { readonly reason: HidingReason },
  publish = publishPending,
): Promise<void> {
  const hide: typeof showReviews = (database, ids, origin) =>
    hideReviews(database, ids, reason, origin);
  await changeAll(config, given, 'hide', hide, publish);
}

/** Lists the hidden ones without an id. @throws {InputError} if an id is none of a stored review. */
export async function runShow(
  config: Config,
  given: readonly string[],
  publish = publishPending,
): Promise<void> {
  if (given.length > 0) return changeAll(config, given, 'show', showReviews, publish);
  const hidden = await withDatabase(config, ({ read }) => listHidden(read));
  process.stdout.write(hidden.length === 0 ? 'no review is hidden\n' : renderFound(hidden));
}

/** The id that is given, alone or in the address of a page, or those of all reviews by the author who is named. */
async function idsOf({ read }: Database, given: string): Promise<string[]> {
  if (!/\s/.test(given) && /[\d/]/.test(given)) return [parseId(given)];
  const { found, similar } = await findByAuthor(read, given);
  if (found.length === 0) throw noReviewBy(given, similar);
  return found.map(({ id }) => id);
}

async function changeAll(
  config: Config,
  given: readonly string[],
  command: 'hide' | 'show',
  change: typeof showReviews,
  publish: typeof publishPending,
): Promise<void> {
  const origin = originOf(command);
  await withDatabase(config, async (database) => {
    const found: string[] = [];
    for (const one of given) found.push(...(await idsOf(database, one)));
    const ids = [...new Set(found)];
    const stored = await findStored(database.read, ids);
    for (const id of ids) if (!stored.has(id)) throw unknownReview(id);
    const { ids: changed, number } = await change(database, ids, origin);
    const unchanged = ids.length - changed.length;
    process.stdout.write(
      `${command === 'hide' ? 'hides' : 'shows again'} ${count(changed.length)}` +
        `${unchanged === 0 ? '' : `; ${count(unchanged)} already as wanted`}\n` +
        (command === 'show' ? '' : `to show again: ${commandName()} show ${ids.join(' ')}\n`),
    );
    await publishImport(config, database, number, publish, notPublished);
    process.stdout.write(await exportHint(config, database));
  });
}
