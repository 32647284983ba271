// The part of a review that is shown for a mention: the sentence, or of a sentence that turns
// ("great, but ...") the side that the mention is on. Verbatim, and bounded in length.

import type { AnnotatedText } from './annotate.ts';
import type { Span, Token } from './text.ts';

/** An excerpt longer than this is cut around the mention, in UTF-16 units. */
export const EXCERPT_LIMIT = 240;
/** A side of a sentence with fewer words does not stand on its own. */
const FEWEST_WORDS = 3;
/**
 * The excerpt for what the tokens [from, to) name; `withNext` adds the sentence that follows, where
 * both are short enough to be shown as one.
 */
export function excerptOf(
  annotated: AnnotatedText,
  from: number,
  to: number,
  withNext = false,
): Span {
  const { text, tokens, sentences, clauses, clauseOf } = annotated;
  const index = clauses[clauseOf[from] ?? 0]?.sentence ?? 0;
  const sentence = sentences[index] ?? { start: 0, end: text.length, from: 0, to: tokens.length };
  const next = withNext ? sentences[index + 1] : undefined;
  if (next && next.end - sentence.start <= EXCERPT_LIMIT)
    return { start: sentence.start, end: next.end };
  const side = sideOf(annotated, from, to);
  const span = side ?? { start: sentence.start, end: sentence.end };
  if (span.end - span.start <= EXCERPT_LIMIT) return span;
  return cut(text, span, (tokens[from] as Token).start, (tokens[to - 1] as Token).end);
}

/** The clauses around a mention up to where the sentence turns; null where it does not. */
function sideOf(
  { tokens, clauses, clauseOf }: AnnotatedText,
  from: number,
  to: number,
): Span | null {
  const own = clauseOf[from] ?? 0;
  const sentence = clauses[own]?.sentence;
  const isTurn = (at: number) => clauses[at]?.link != null;
  // Further away than an excerpt is long nothing is looked at, so that the walk stays short.
  const startOf = (clause: number) => tokens[clauses[clause]?.from ?? 0]?.start ?? 0;
  const isNear = (clause: number) =>
    Math.abs(startOf(clause) - (tokens[from]?.start ?? 0)) <= EXCERPT_LIMIT;
  let first = own;
  while (clauses[first - 1]?.sentence === sentence && !isTurn(first) && isNear(first)) first -= 1;
  let last = own;
  while (clauses[last + 1]?.sentence === sentence && !isTurn(last + 1) && isNear(last)) last += 1;
  const startsSentence = first === 0 || clauses[first - 1]?.sentence !== sentence;
  const endsSentence = clauses[last + 1]?.sentence !== sentence;
  if (startsSentence && endsSentence) return null;
  const [start, end] = [clauses[first]?.from ?? 0, clauses[last]?.to ?? 0];
  if (end - start < FEWEST_WORDS || to > end) return null;
  return { start: (tokens[start] as Token).start, end: (tokens[end - 1] as Token).end };
}

/** Whole words around a mention, so that no letter is cut in two, at most as long as the limit unless the mention itself is longer. */
function cut(text: string, { start, end }: Span, from: number, to: number): Span {
  const room = Math.max(0, EXCERPT_LIMIT - (to - from));
  let low = Math.max(start, from - Math.floor(room / 2));
  let high = Math.min(end, Math.max(to, low + EXCERPT_LIMIT));
  if (low > start) {
    const blank = text.slice(low, from).search(/\s/);
    low = blank < 0 ? from : low + blank + 1;
  }
  if (high < end) {
    const blank = /\s\S*$/.exec(text.slice(to, high));
    high = blank ? to + blank.index : to;
  }
  while (low < from && /\s/.test(text.charAt(low))) low += 1;
  return { start: low, end: high };
}
