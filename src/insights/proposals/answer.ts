// Reads the answer of a language model. It may contain anything: what is not a claim about a known aspect with a
// quote from the review is left out.

import { z } from 'zod';
import { sentimentSchema } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import type { Proposal } from '../claims/claims.ts';
import { EXCERPT_LIMIT } from '../text/excerpt.ts';
import { verticalOf } from '../verticals/verticals.ts';

/** Bounds of a quote in UTF-16 units. A shorter one shows nothing. */
const LEAST_QUOTE = 4;
/** Claims of a review that are read. */
const MOST_CLAIMS = 50;

/** A claim of a model: an aspect, its sentiment, and where the text says so, in UTF-16 units. */
const claimSchema = z.strictObject({
  aspect: z.string(),
  sentiment: sentimentSchema,
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
});
const claimsSchema = z.array(claimSchema);

const answerSchema = z.object({
  reviews: z.array(z.object({ review: z.int(), claims: z.array(z.unknown()) })),
});
const proposalSchema = z.object({
  aspect: z.string(),
  sentiment: sentimentSchema,
  quote: z.string(),
});

/** An answer that is no JSON of the form that was asked for. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/**
 * The claims about each review by its index. Reviews that the answer leaves out are missing; a review with nothing
 * to claim has an empty list.
 *
 * @throws {AnswerError}
 */
export function readAnswer(
  content: string,
  vertical: string,
  reviews: readonly Review[],
): ReadonlyMap<number, readonly Proposal[]> {
  const known = new Set(verticalOf(vertical).aspects.map(({ id }) => id));
  const claims = new Map<number, readonly Proposal[]>();
  for (const one of parse(content).reviews) {
    const index = one.review - 1;
    const text = reviews[index]?.text;
    if (text === undefined || text === null || claims.has(index)) continue;
    const own = new Map<string, Proposal>();
    for (const proposal of one.claims.slice(0, MOST_CLAIMS)) {
      const claim = claimOf(proposal, text);
      if (claim && known.has(claim.aspect) && !own.has(claim.aspect)) own.set(claim.aspect, claim);
    }
    claims.set(index, [...own.values()]);
  }
  return claims;
}

export function parseClaims(json: string): readonly Proposal[] {
  return claimsSchema.parse(JSON.parse(json));
}

/** The JSON of an answer, which models like to wrap into a sentence or a code block. */
function parse(content: string): z.infer<typeof answerSchema> {
  const json = content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new AnswerError('expected JSON');
  }
  const result = answerSchema.safeParse(value);
  if (!result.success) throw new AnswerError('expected {"reviews":[{"review":1,"claims":[...]}]}');
  return result.data;
}

function claimOf(proposal: unknown, text: string): Proposal | null {
  const result = proposalSchema.safeParse(proposal);
  if (!result.success) return null;
  const { aspect, sentiment } = result.data;
  const quote = result.data.quote.trim();
  const found = quote.length < LEAST_QUOTE ? -1 : text.indexOf(quote);
  if (found < 0) return null;
  const { start, end } = wholeWords(text, found, found + quote.length);
  return end - start > EXCERPT_LIMIT ? null : { aspect, sentiment, start, end };
}

/** A letter of a script with spaces between words, a mark or a digit. */
const ENDS_IN_WORD = /[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{M}\p{N}]$/u;
const BEGINS_WITH_WORD = /^[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{M}\p{N}]/u;
const FIRST_HALF = /[\uD800-\uDBFF]$/;
const SECOND_HALF = /^[\uDC00-\uDFFF]/;

/** Extends a span to whole words and characters: "satisfied" must not stand for "dissatisfied". */
function wholeWords(text: string, from: number, to: number): { start: number; end: number } {
  let [start, end] = [from, to];
  while (isInside(text, start) && to - start <= EXCERPT_LIMIT) start -= 1;
  while (isInside(text, end) && end - start <= EXCERPT_LIMIT) end += 1;
  return { start, end };
}

/** Whether a position is within a word, or between the halves of a character. */
function isInside(text: string, at: number): boolean {
  // The two halves of a character before it, and after it.
  const [before, after] = [text.slice(Math.max(at - 2, 0), at), text.slice(at, at + 2)];
  if (FIRST_HALF.test(before) && SECOND_HALF.test(after)) return true;
  return ENDS_IN_WORD.test(before) && BEGINS_WITH_WORD.test(after);
}
