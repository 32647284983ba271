// `hide` and `show`: keep reviews from being published, and publish them again.

import type { Config } from '../../config.ts';
import { commandName } from '../../model/command-name.ts';
import type { HidingReason } from '../../model/removal.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import type { Database } from '../../store/database.ts';
import {
  findByAuthor,
  findStored,
  type FoundReview,
  hideReviews,
  listHidden,
  showReviews,
} from '../../store/reviews/removals.ts';
import { exportHint, publishImport } from '../publish.ts';
import { originOf } from '../operator.ts';
import {
  count,
  isAgreed,
  noReviewBy,
  notPublished,
  parseId,
  renderFound,
  unknownReview,
} from './remove.ts';
import { askInTerminal } from '../terminal/questions.ts';
import { withDatabase } from '../store/store.ts';

/**
 * Hides reviews, after asking if an author has several.
 *
 * @throws {InputError} if an id is none of a stored review, or nobody can be asked; then nothing is hidden.
 */
export async function runHide(
  config: Config,
  given: readonly string[],
  { reason, yes = false }: { readonly reason: HidingReason; readonly yes?: boolean },
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  const hide: typeof showReviews = (database, ids, origin) =>
    hideReviews(database, ids, reason, origin);
  const agree = (found: readonly FoundReview[]) => isAgreed(found, 'hide', yes, ask);
  await changeAll(config, given, 'hide', hide, publish, agree);
}

/** Lists the hidden ones without an id. @throws {InputError} if an id is none of a stored review. */
export async function runShow(
  config: Config,
  given: readonly string[],
  publish = publishPending,
): Promise<void> {
  if (given.length > 0) {
    const agree = () => Promise.resolve(true);
    return changeAll(config, given, 'show', showReviews, publish, agree);
  }
  const hidden = await withDatabase(config, ({ read }) => listHidden(read));
  process.stdout.write(hidden.length === 0 ? 'no review is hidden\n' : renderFound(hidden));
}

type Agree = (found: readonly FoundReview[]) => Promise<boolean>;

/** The id that is given, alone or in the address of a page, or those of all reviews by the author who is named; null if several are not agreed to. */
async function idsOf({ read }: Database, given: string, agree: Agree): Promise<string[] | null> {
  if (!/\s/.test(given) && /[\d/]/.test(given)) return [parseId(given)];
  const { found, similar } = await findByAuthor(read, given);
  if (found.length === 0) throw noReviewBy(given, similar);
  return found.length > 1 && !(await agree(found)) ? null : found.map(({ id }) => id);
}

async function changeAll(
  config: Config,
  given: readonly string[],
  command: 'hide' | 'show',
  change: typeof showReviews,
  publish: typeof publishPending,
  agree: Agree,
): Promise<void> {
  const origin = originOf(command);
  await withDatabase(config, async (database) => {
    const found: string[] = [];
    for (const one of given) {
      const some = await idsOf(database, one, agree);
      if (some === null) return;
      found.push(...some);
    }
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
