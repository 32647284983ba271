// Compares bills with their quotes: "Quote said 340. Invoice said 515."

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { PatternSet } from '../text/patterns.ts';
import type { Token } from '../text/text.ts';
import type { PromiseOutcome } from './promises.ts';
import { isAboutOthers } from './unmeant.ts';

type Role = 'quoted' | 'billed' | 'added';

const BEFORE = new PatternSet<Role>([
  [
    '(quote*|estimate*|flyer|coupon|ad said|advertised|over the phone|said it would be|told me|told us|price before)',
    'quoted',
  ],
  [
    '(bill|billed|invoice*|charged|charge|paid|ended up|came to|total|became|turned into|it was|it will be|it would be|final|price after|asking|demanding|wanted|wants|telling)',
    'billed',
  ],
  ['(a further|an additional|an extra|plus another|plus an extra)', 'added'],
]);
const AFTER = new PatternSet<Role>([
  ['(rupees|dollars|pounds|euros|bucks|quid|) (they|he|she) (told|said|quoted)', 'quoted'],
  ['(rupees|dollars|pounds|euros|bucks|quid|) (quoted|estimated|on the phone|on phone)', 'quoted'],
]);
/** How many keys before an amount its word is looked for. */
const WITHIN = 5;
/** Amounts below are counts, times and parts of dates. */
const LEAST = 20;
/** A bill is above its quote from this factor on; below it may be the tax. */
const FACTOR = 1.15;
/** A bill much below a quote is for something else. */
const LOWEST = 0.5;
const MOST_AMOUNTS = 50;

/** The first bill above a quote before it, else the first that keeps to it; null if none can be compared. */
export function findBill(annotated: AnnotatedText): PromiseOutcome | null {
  const { keys } = annotated;
  let kept: PromiseOutcome | null = null;
  let quoted: number | null = null;
  let seen = 0;
  for (let key = 0; key < keys.words.length && seen < MOST_AMOUNTS; key += 1) {
    const amount = amountOf(annotated.tokens[keys.tokenOf[key] as number] as Token);
    if (amount === null) continue;
    seen += 1;
    const role = roleOf(annotated, key);
    if (role === 'quoted') quoted = amount;
    if (quoted === null || role === null || role === 'quoted') continue;
    const outcome = { from: key, to: key + 1 };
    if (role === 'added' || amount >= quoted * FACTOR) return { ...outcome, isKept: false };
    if (amount >= quoted * LOWEST) kept ??= { ...outcome, isKept: true };
  }
  return kept;
}

function amountOf({ kind, folded }: Token): number | null {
  if (kind !== 'number' || !/^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{2})?$/.test(folded)) return null;
  const amount = Number(folded.replaceAll(',', ''));
  return amount >= LEAST ? amount : null;
}

/** What the nearest words say that an amount is. */
function roleOf(annotated: AnnotatedText, at: number): Role | null {
  const { keys, clauses, clauseOf } = annotated;
  const clause = clauses[clauseOf[keys.tokenOf[at] as number] as number] as Clause;
  if (isAboutOthers(annotated, clause, at)) return null;
  for (let back = at - 1; back >= Math.max(0, at - WITHIN); back -= 1) {
    const [match] = BEFORE.matchesAt(keys, back, at);
    if (match !== undefined) return match.value;
  }
  const [after] = AFTER.matchesAt(keys, at + 1, keys.firstOf[clause.to] as number);
  return after?.value ?? null;
}
