// Decides whether a quote is plain: it is about one thing, and can be read without the sentences around it.

import type { Mention, ReviewInsights } from '../../model/insights.ts';
import plain from './plain.json' with { type: 'json' };
import { wordsOf } from './shows.ts';

/** A verb without its complement ("The noise isn't, …"), a riddle, or a word for an earlier sentence. */
const ELLIPTICAL =
  /\b(?:is|was|are|were|do|does|did|has|have|could|would|should)(?:n['’]t| not)\s*[,.;:!?]|^guess who\b|^so:|\b(?:told|said|knew) (?:that|this|it) (?:is|was)\b/i;
/** The most parts between commas of a sentence that is no list. */
const MANY_PARTS = 4;
type Patterns = ReadonlyMap<string, RegExp>;
/** By the id of an aspect; of "elsewhere" by the id and the sentiment. */
const ELSEWHERE: Patterns = new Map(
  Object.entries(plain.elsewhere).flatMap(([id, sides]) =>
    Object.entries(sides).map(([sentiment, words]) => [`${id} ${sentiment}`, wordsOf(words)]),
  ),
);
const MATTER = patternsOf(plain.matter);
const TOO = patternsOf(plain.too);
const RELATED = plain.related.map((ids) => new Set(ids));

/** Whether a phrase answers a sentence that is missing. */
export function isElliptical(phrase: string): boolean {
  return ELLIPTICAL.test(phrase);
}

/** Whether the judgement of a phrase is about something other than the aspect that it is listed for. */
export function isElsewhere({ id, sentiment, phrase }: Mention): boolean {
  const own = ELSEWHERE.get(`${id} ${sentiment}`);
  const matter = MATTER.get(id);
  return (own !== undefined && has(phrase, own)) || (matter !== undefined && !has(phrase, matter));
}

/** Whether a phrase shows a complaint by words that the analysis does not need. */
export function showsToo({ id, sentiment, phrase }: Mention): boolean {
  const words = TOO.get(id);
  return sentiment === 'negative' && words !== undefined && has(phrase, words);
}

/** How many other things a phrase speaks of: a quote answers one question. */
export function digressionsOf({ aspects, problems }: ReviewInsights, mention: Mention): number {
  const { id, phrase } = mention;
  const about = aspects.filter(
    (one) => one.phrase === phrase && one.id !== id && !isRelated(one.id, id),
  );
  const isAspect = aspects.some((one) => one.id === id);
  const wrong = problems.filter((one) => one.phrase === phrase).length - 1;
  const listed = phrase.split(',').length > MANY_PARTS ? 1 : 0;
  return Math.max(0, isAspect ? about.length : about.length - 1, wrong) + listed;
}

function isRelated(a: string, b: string): boolean {
  return RELATED.some((ids) => ids.has(a) && ids.has(b));
}

function patternsOf(words: Readonly<Record<string, string>>): Patterns {
  return new Map(Object.entries(words).map(([id, pattern]) => [id, wordsOf(pattern)]));
}

/** The patterns are global, and would go on from their last match. */
function has(phrase: string, pattern: RegExp): boolean {
  return phrase.search(pattern) >= 0;
}
