// `hide` and `show`: keep reviews from being published, and publish them again.

import type { Config } from '../../config.ts';
import { commandName } from '../../model/command-name.ts';
import type { HidingReason } from '../../model/removal.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
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
  if (given.length > 0) return changeAll(config, given, 'show', showReviews, publish);
  const hidden = await withDatabase(config, ({ read }) => listHidden(read));
  process.stdout.write(hidden.length === 0 ? 'no review is hidden\n' : renderFound(hidden));
}

async function changeAll(
  config: Config,
  given: readonly string[],
  command: 'hide' | 'show',
  change: typeof showReviews,
  publish: typeof publishPending,
  agree?: (found: readonly FoundReview[]) => Promise<boolean>,
): Promise<void> {
  const origin = originOf(command);
  await withDatabase(config, async (database) => {
    const found: string[] = [];
    for (const one of given) {
      if (!/\s/.test(one) && /[\d/]/.test(one)) {
        found.push(parseId(one));
        continue;
      }
      const { found: some, similar } = await findByAuthor(database.read, one);
      if (some.length === 0) throw noReviewBy(one, similar);
      if (some.length > 1 && (await agree?.(some)) === false) return;
      found.push(...some.map(({ id }) => id));
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
