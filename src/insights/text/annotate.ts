// Annotates a review's text in steps: tokens and sentences, keys, clauses, opinions. Every
// extractor works on the result. No annotation depends on another review.

import { findOpinions, type Opinion } from '../sentiment/opinions.ts';
import { type Clause, findClauses } from './clauses.ts';
import { type Keys, keysOf } from './keys.ts';
import { splitSentences } from './sentences.ts';
import type { SegmentedText, Sentence, Token } from './text.ts';
import { tokenise } from './tokens.ts';

export interface AnnotatedText extends SegmentedText {
  /** The words in the spelling of the word lists. */
  readonly keys: Keys;
  readonly clauses: readonly Clause[];
  /** In the order of the text. */
  readonly opinions: readonly Opinion[];
  /** Index of the clause of each token. */
  readonly clauseOf: Int32Array;
}

/** Splits a text into tokens and sentences. */
export function segmentText(text: string): SegmentedText {
  const tokens = tokenise(text);
  const sentences: Sentence[] = [];
  let at = 0;
  let before = 0;
  for (const span of splitSentences(text)) {
    const from = at;
    while (at < tokens.length && (tokens[at] as Token).start < span.end) at += 1;
    if (at === from) continue;
    const last = (tokens[at - 1] as Token).end;
    // The sentence splitter knows no tokens: in some scripts it splits within one, which stays whole.
    const end = Math.max(span.end, last);
    const tail = text.slice(last, end);
    sentences.push({
      start: Math.max(span.start, before),
      end,
      from,
      to: at,
      isQuestion: tail.includes('?'),
      isClosed: /[.!?\u2026\u3002\uff01\uff1f]/.test(tail) || tokens[at - 1]?.kind === 'emoji',
    });
    before = end;
  }
  return { text, tokens, sentences };
}

/** Adds keys, clauses and opinions to a segmented text. */
export function annotateSegments(segmented: SegmentedText): AnnotatedText {
  const { tokens } = segmented;
  const keys = keysOf(tokens);
  const clauses = findClauses(segmented);
  const clauseOf = new Int32Array(tokens.length);
  clauses.forEach(({ from, to }, index) => clauseOf.fill(index, from, to));
  return {
    ...segmented,
    keys,
    clauses,
    opinions: findOpinions(tokens, keys, clauses),
    clauseOf,
  };
}
