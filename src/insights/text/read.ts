// Reads a review's text: tokens and sentences, clauses and opinions.

import { distancesOf } from '../aspects/attribution.ts';
import { findClauses } from './clauses.ts';
import { keysOf } from './keys.ts';
import { findOpinions } from './opinions.ts';
import type { Reading } from './reading.ts';
import { splitSentences } from './sentences.ts';
import type { ReviewText, Sentence, Token } from './text.ts';
import { tokenise } from './tokens.ts';

/** Cuts a text into tokens and sentences. */
export function readText(text: string): ReviewText {
  const tokens = tokenise(text);
  const sentences: Sentence[] = [];
  let at = 0;
  for (const { start, end } of splitSentences(text)) {
    const from = at;
    while (at < tokens.length && (tokens[at] as Token).start < end) at += 1;
    if (at === from) continue;
    const tail = text.slice((tokens[at - 1] as Token).end, end);
    sentences.push({
      start,
      end,
      from,
      to: at,
      isQuestion: tail.includes('?'),
      isExclaimed: tail.includes('!'),
      isClosed: /[.!?\u2026\u3002\uff01\uff1f]/.test(tail) || tokens[at - 1]?.kind === 'emoji',
    });
  }
  return { text, tokens, sentences };
}

/** Reads a text for the extractors. */
export function readReview(text: string): Reading {
  return readClauses(readText(text));
}

/** Reads the clauses and opinions of a text that has been cut. */
export function readClauses(review: ReviewText): Reading {
  const keys = keysOf(review.tokens);
  const clauses = findClauses(review);
  const opinions = findOpinions(review.tokens, keys, clauses);
  const clauseOf = new Int32Array(review.tokens.length);
  clauses.forEach(({ from, to }, index) => clauseOf.fill(index, from, to));
  const distances = distancesOf(review.tokens, clauses);
  return { ...review, keys, clauses, opinions, clauseOf, distances };
}
