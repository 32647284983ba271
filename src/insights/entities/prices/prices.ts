// Finds amounts of money that a review says were paid to this business ("the bill was $214"), or that it
// quoted ("quoted us $7,900"). An amount whose role is not clear is left out: a wrong price is worse than none.

import { othersIn } from './others.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { PatternSet } from '../../text/patterns.ts';
import { GAP, type Sentence, type Span, type Token } from '../../text/text.ts';
import patterns from '../patterns.json' with { type: 'json' };
import wording from './wording.json' with { type: 'json' };

export type PriceKind = 'paid' | 'quoted';

/** An amount in one review. The span is its excerpt. */
export interface PriceMention extends Span {
  readonly kind: PriceKind;
  readonly amount: number;
  /** The currency's sign as the author wrote it. */
  readonly sign: CurrencySign;
  /** Where the amount begins, in UTF-16 units. */
  readonly at: number;
}

export type CurrencySign = '$' | '£' | '€';

/** Amounts outside these bounds are typing errors, tips or jokes. */
const LEAST = 5;
const MOST = 1_000_000;
/** The most amounts of a review that are looked at, so that any text takes linear time. */
const MOST_IN_REVIEW = 50;
/** How many keys before and after an amount its cues are looked for. */
const CUES_WITHIN = 40;

const isAboutOthers = othersIn(patterns.others);

type Cue = PriceKind | 'certain' | 'unclear' | 'void' | 'compared' | 'others';

const CUES = new PatternSet<Cue>(
  (Object.entries(wording) as [Cue, readonly string[]][]).flatMap(([cue, own]) =>
    own.map((pattern) => [pattern, cue] as const),
  ),
);

/** The prices of a review in the order of the text, each amount once for each kind. */
export function findPrices(annotated: AnnotatedText): PriceMention[] {
  const { tokens, sentences } = annotated;
  const found = new Map<string, PriceMention>();
  let seen = 0;
  for (const sentence of sentences) {
    // "For $129?" wonders at what was paid.
    const isBare = /^for\P{L}+$/iu.test(annotated.text.slice(sentence.start, sentence.end));
    if (sentence.isQuestion && !isBare) continue;
    for (let at = sentence.from; at < sentence.to && seen < MOST_IN_REVIEW; at += 1) {
      const token = tokens[at] as Token;
      const sign = signOf(annotated.text, token);
      if (sign === null) continue;
      seen += 1;
      const amount = amountOf(token);
      if (amount === null || amount < LEAST || amount > MOST) continue;
      const kind = isBare ? 'paid' : kindOf(annotated, sentence, at);
      const key = `${kind} ${amount}`;
      if (kind === null || found.has(key)) continue;
      found.set(key, { kind, amount, sign, at: token.start, ...excerptOf(annotated, at, at + 1) });
    }
  }
  return [...found.values()];
}

/** The currency sign directly before a number; null if there is none. */
function signOf(text: string, { kind, gap, start }: Token): CurrencySign | null {
  if (kind !== 'number' || (gap & GAP.currency) === 0) return null;
  const sign = text
    .slice(Math.max(0, start - 2), start)
    .trimEnd()
    .at(-1);
  return sign === '$' || sign === '£' || sign === '€' ? sign : null;
}

/** "1,120" and "1,120.50" in English notation; null for other numbers. */
function amountOf({ folded }: Token): number | null {
  if (!/^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,2})?$/.test(folded)) return null;
  return Number(folded.replaceAll(',', ''));
}

/** What the words around the amount in token `at` say about it; null if that is not clear. */
function kindOf(annotated: AnnotatedText, sentence: Sentence, at: number): PriceKind | null {
  const { keys, clauses, clauseOf } = annotated;
  const clause = clauses[clauseOf[at] as number];
  if (clause === undefined || clause.mood === 'condition') return null;
  const key = keys.firstOf[at] as number;
  const cues = cuesAround(annotated, sentence, key);
  if (cues.has('void') || cues.has('others') || isAboutOthers(annotated, clause, key)) return null;
  // After a comma it is judged: "fixed for $150, less than I feared".
  if (cues.has('compared') && !((annotated.tokens[at + 1]?.gap ?? 0) & GAP.comma)) return null;
  if (cues.has('certain')) return 'paid';
  if (cues.has('quoted')) return cues.has('paid') ? null : 'quoted';
  // After a full stop the words before are those of another sentence: "so I'd believe him. $1,685".
  if (cues.has('unclear') && ((annotated.tokens[at] as Token).gap & GAP.stop) === 0) return null;
  if (cues.has('paid')) return 'paid';
  return standsAlone(annotated, sentence, at) ? 'paid' : null;
}

/** The cues for the amount in the key `key`. Those after it must begin with it, but for other companies. */
function cuesAround({ keys }: AnnotatedText, { from, to }: Sentence, key: number): Set<Cue> {
  const [first, end] = [keys.firstOf[from] as number, keys.firstOf[to] as number];
  const cues = new Set<Cue>();
  for (let start = Math.max(first, key - CUES_WITHIN); start < key; start += 1) {
    for (const { value, to: last } of CUES.matchesAt(keys, start, key + 1)) {
      // "Quoted $650 and charged $1,120": the first verb is about the first amount.
      const amounts = keys.words.slice(start, last).filter((word) => word.startsWith('$'));
      if (amounts.length === (last > key ? 1 : 0)) cues.add(value);
    }
  }
  for (const { value } of CUES.matchesAt(keys, key, end)) cues.add(value);
  for (let start = key + 1; start < Math.min(end, key + CUES_WITHIN); start += 1) {
    if (CUES.matchesAt(keys, start, end).some(({ value }) => value === 'others'))
      cues.add('others');
  }
  return cues;
}

/** "$265." and "New igniter, $214": the only amount of a sentence, between punctuation marks, is the bill. */
function standsAlone(annotated: AnnotatedText, { from, to }: Sentence, at: number): boolean {
  const { tokens, keys } = annotated;
  const amounts = tokens.slice(from, to).filter(({ gap }) => (gap & GAP.currency) !== 0);
  // After a list of what could be done, an amount alone may be an offer.
  const isOffer = (word: string) => /^(?:choices?|options?|quotes)$/.test(word);
  if (amounts.length > 1 || keys.words.slice(0, keys.firstOf[at]).some(isOffer)) return false;
  const own = tokens[at] as Token;
  const opens =
    at === from || (own.gap & (GAP.stop | GAP.comma | GAP.dash | GAP.line | GAP.bracket)) !== 0;
  const next = tokens[at + 1];
  return opens && (at + 1 === to || next?.bare === 'and' || ((next?.gap ?? 0) & ~GAP.quote) !== 0);
}
