// Chooses the excerpt to show for a mention: its sentence, or of a sentence with a contrast ("great, but
// ...") the side with the mention. Excerpts are verbatim and of bounded length.

import type { AnnotatedText } from './annotate.ts';
import type { Span, Token } from './text.ts';

/** The greatest length of an excerpt in UTF-16 units; longer ones are cut around the mention. */
export const EXCERPT_LIMIT = 240;
/** The least number of words of one side of a sentence. */
const MIN_WORDS = 3;
/** Words on which no excerpt ends. */
const DANGLING = /^(?:and|but|or|so|then|yet)$/;

/** The excerpt for a mention in the tokens [from, to). */
export function excerptOf(annotated: AnnotatedText, from: number, to: number): Span {
  const { text, tokens, sentences, clauses, clauseOf } = annotated;
  const index = clauses[clauseOf[from] ?? 0]?.sentence ?? 0;
  const sentence = sentences[index] ?? { start: 0, end: text.length, from: 0, to: tokens.length };
  const side = wholeSideOf(annotated, from, to);
  const span = side ?? { start: sentence.start, end: sentence.end };
  if (span.end - span.start <= EXCERPT_LIMIT) return span;
  return cut(text, span, (tokens[from] as Token).start, (tokens[to - 1] as Token).end);
}

/** The side of a mention; null if the side begins or ends within a quotation or brackets. */
function wholeSideOf(annotated: AnnotatedText, from: number, to: number): Span | null {
  const side = sideOf(annotated, from, to);
  return side !== null && isBalanced(annotated.text.slice(side.start, side.end)) ? side : null;
}

function isBalanced(text: string): boolean {
  const count = (mark: RegExp) => text.match(mark)?.length ?? 0;
  return count(/"/g) % 2 === 0 && count(/“/g) === count(/”/g) && count(/\(/g) === count(/\)/g);
}

/** The clauses around a mention up to a contrast; null if the sentence has none. */
function sideOf(
  { tokens, clauses, clauseOf }: AnnotatedText,
  from: number,
  to: number,
): Span | null {
  const own = clauseOf[from] ?? 0;
  const sentence = clauses[own]?.sentence;
  const isContrast = (at: number) => clauses[at]?.link != null;
  // Clauses farther away than the limit cannot be shown, so the walk is bounded.
  const startOf = (clause: number) => tokens[clauses[clause]?.from ?? 0]?.start ?? 0;
  const isNear = (clause: number) =>
    Math.abs(startOf(clause) - (tokens[from]?.start ?? 0)) <= EXCERPT_LIMIT;
  let first = own;
  while (clauses[first - 1]?.sentence === sentence && !isContrast(first) && isNear(first))
    first -= 1;
  let last = own;
  while (clauses[last + 1]?.sentence === sentence && !isContrast(last + 1) && isNear(last))
    last += 1;
  const startsSentence = first === 0 || clauses[first - 1]?.sentence !== sentence;
  const endsSentence = clauses[last + 1]?.sentence !== sentence;
  if (startsSentence && endsSentence) return null;
  const start = clauses[first]?.from ?? 0;
  let end = clauses[last]?.to ?? 0;
  while (end > to && DANGLING.test(tokens[end - 1]?.bare ?? '')) end -= 1;
  if (end - start < MIN_WORDS || to > end) return null;
  return { start: (tokens[start] as Token).start, end: (tokens[end - 1] as Token).end };
}

/** Whole words around a mention, within the limit unless the mention itself is longer. */
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
