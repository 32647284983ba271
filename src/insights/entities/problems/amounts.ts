// Finds a bill above its quote: "Quote said 340. Invoice said 515."

import type { AnnotatedText } from '../../text/annotate.ts';
import { PatternSet } from '../../text/patterns.ts';
import type { Token } from '../../text/text.ts';

const WORDS = new PatternSet<'quoted' | 'billed'>([
  ['(quote*|estimate*|flyer|advertised|over the phone|said it would be|told me)', 'quoted'],
  [
    '(bill|billed|invoice*|charged|charge|paid|ended up|came to|total|became|turned into|final)',
    'billed',
  ],
]);
/** How many keys before an amount its word is looked for. */
const WITHIN = 5;
/** Amounts below are counts, times and parts of dates. */
const LEAST = 20;
/** A bill is above its quote from this factor on; below it may be the tax. */
const FACTOR = 1.15;
const MOST_AMOUNTS = 50;

/** The tokens [from, to) around the amount that was billed; null if no bill is above a quote before it. */
export function findBillAboveQuote(
  annotated: AnnotatedText,
): { readonly from: number; readonly to: number } | null {
  const { tokens } = annotated;
  let quoted: number | null = null;
  let seen = 0;
  for (let at = 0; at < tokens.length && seen < MOST_AMOUNTS; at += 1) {
    const amount = amountOf(tokens[at] as Token);
    if (amount === null) continue;
    seen += 1;
    const role = roleOf(annotated, at);
    if (role === 'quoted') quoted = amount;
    if (role === 'billed' && quoted !== null && amount >= quoted * FACTOR)
      return { from: at, to: at + 1 };
  }
  return null;
}

function amountOf({ kind, folded }: Token): number | null {
  if (kind !== 'number' || !/^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{2})?$/.test(folded)) return null;
  const amount = Number(folded.replaceAll(',', ''));
  return amount >= LEAST ? amount : null;
}

/** What the nearest word before an amount says that it is. */
function roleOf({ keys }: AnnotatedText, token: number): 'quoted' | 'billed' | null {
  const end = keys.firstOf[token] as number;
  for (let at = end - 1; at >= Math.max(0, end - WITHIN); at -= 1) {
    const [match] = WORDS.matchesAt(keys, at, end);
    if (match) return match.value;
  }
  return null;
}
