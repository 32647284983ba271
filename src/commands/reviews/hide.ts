// `hide` and `show`: keep reviews from being published, and publish them again.

import type { Config } from '../../config.ts';
import { commandName } from '../../model/command-name.ts';
import type { HidingReason } from '../../model/removal.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import {
  findByAuthor,
  findStored,
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
import { type Ask, askInTerminal } from '../terminal/questions.ts';
import { withDatabase } from '../store/store.ts';

interface HideFlags {
  readonly reason: HidingReason;
  readonly yes?: boolean;
}

/**
 * Hides reviews, after asking if an author has several.
 *
 * @throws {InputError} if an id is none of a stored review, or nobody can be asked; then nothing is hidden.
 */
export async function runHide(
  config: Config,
  given: readonly string[],
  flags: HideFlags,
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  await changeAll(config, given, flags, publish, ask);
}

/** The reverse of `runHide`; lists the hidden ones without an id. */
export async function runShow(
  config: Config,
  given: readonly string[],
  flags: Pick<HideFlags, 'yes'>,
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  if (given.length > 0) return changeAll(config, given, flags, publish, ask);
  const hidden = await withDatabase(config, ({ read }) => listHidden(read));
  process.stdout.write(hidden.length === 0 ? 'no review is hidden\n' : renderFound(hidden));
}

async function changeAll(
  config: Config,
  given: readonly string[],
  { reason, yes = false }: Partial<HideFlags>,
  publish: typeof publishPending,
  ask: Ask | null,
): Promise<void> {
  const command = reason === undefined ? 'show' : 'hide';
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
      if (some.length > 1 && !(await isAgreed(some, command, yes, ask))) return;
      found.push(...some.map(({ id }) => id));
    }
    const ids = [...new Set(found)];
    const stored = await findStored(database.read, ids);
    for (const id of ids) if (!stored.has(id)) throw unknownReview(id);
    const { ids: changed, number } = await (reason === undefined
      ? showReviews(database, ids, origin)
      : hideReviews(database, ids, reason, origin));
    const unchanged = ids.length - changed.length;
    process.stdout.write(
      `${command}s ${count(changed.length)}${unchanged === 0 ? '' : `; ${count(unchanged)} already as wanted`}\n` +
        (command === 'show' ? '' : `to show again: ${commandName()} show ${ids.join(' ')}\n`),
    );
    await publishImport(config, database, number, publish, notPublished);
    if (changed.length > 0) process.stdout.write(await exportHint(config, database));
  });
}
