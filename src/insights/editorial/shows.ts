// Decides whether a phrase, read without its review, shows a claim: whoever reads only the phrase agrees. And whether it is
// plain: about one thing, and understood without the sentences around it.

import type { Mention, ReviewInsights, Sentiment } from '../../model/insights.ts';
import type { IndexedMention, MentionList } from '../aggregate/mentions.ts';
import { FINITE } from '../text/grammar.ts';
import questions from './questions.json' with { type: 'json' };
import words from './quotable.json' with { type: 'json' };

/** A phrase shows a claim from this probability of its sentence on. */
const SHOWN_FROM = 0.7;
/** From this on it does to whoever reads its review, also without a word of the subject. */
const HINTED_FROM = 0.42;
/** A claim is sure enough for a hint from this confidence on. */
const SURE = 0.8;
/** What quotes are chosen by. */
export const WORDS = Object.fromEntries(
  Object.entries(words).map(([name, { pattern, flags }]) => [name, new RegExp(pattern, flags)]),
) as Readonly<Record<keyof typeof words, RegExp>>;
/** Marks between the parts of a sentence. */
const PART_ENDS = ',;:.!?()';

/** Whether the phrase of a mention shows what it is listed for: of people, services and places, an opinion on some aspect.
 * The words are English: of other languages each phrase does that tells an aspect, a problem or praise of a person. */
export function shows(
  list: MentionList,
  {
    entry,
    mention: { phrase, confidence },
    phraseScore,
    aspectScores,
    isForeign,
  }: Omit<IndexedMention, 'review'>,
  sentiment: Sentiment,
  isHinted = false,
): boolean {
  if (sentiment === 'neutral') return true;
  const isSure = isHinted && (confidence ?? 0) >= SURE;
  if (list === 'aspects' || list === 'problems')
    return isForeign || phraseScore >= (isSure ? HINTED_FROM : SHOWN_FROM);
  const isOpinion = (one: Mention, at: number) =>
    one.sentiment === sentiment &&
    one.phrase === phrase &&
    (aspectScores[at]?.phraseScore ?? 1) >= SHOWN_FROM;
  if (entry.aspects.some(isOpinion)) return true;
  // What somebody did in a review that praises them shows more than a verdict.
  if (list === 'technicians') return sentiment === 'positive' || isJudging(sentiment, phrase);
  // Of a service, what was done, or what went wrong.
  if (list !== 'services' || !isHinted || isForeign) return false;
  if (sentiment === 'positive') return WORDS.done.test(phrase);
  return isJudging(sentiment, phrase) || entry.problems.some((one) => one.phrase === phrase);
}

/** Whether a phrase has a word of praise or of blame. */
export function isJudging(sentiment: Sentiment, phrase: string): boolean {
  return isAffirmed(sentiment === 'positive' ? WORDS.praise : WORDS.blame, phrase);
}

/** Whether a phrase praises and complains, or praises what it wishes for: no quote for that side. */
export function isTwoSided(sentiment: Sentiment, phrase: string): boolean {
  if (WORDS.turn.test(phrase) || (sentiment === 'positive' && WORDS.wish.test(phrase))) return true;
  return isJudging(sentiment === 'positive' ? 'negative' : 'positive', phrase);
}

/** Whether one of the words occurs without a negation before it. */
function isAffirmed(pattern: RegExp, phrase: string): boolean {
  // `matchAll` would copy the pattern for each phrase.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(phrase); match !== null; match = pattern.exec(phrase)) {
    const before = phrase.slice(0, match.index);
    if (!WORDS.negated.test(before.slice(startOfPart(before)))) return true;
  }
  return false;
}

/** Where the last part of a sentence begins. */
function startOfPart(text: string): number {
  for (let at = text.length - 1; at >= 0; at--) {
    if (PART_ENDS.includes(text.charAt(at))) return at + 1;
  }
  return 0;
}

/** The most parts between commas of a sentence that is no list. */
const MANY_PARTS = 4;
/** Aspects that one sentence may be about without digressing. */
const RELATED = questions.related.map((ids) => new Set(ids));

/** Whether a phrase answers a sentence that is missing, is about somebody else or the stars, or excuses what it tells. */
export function misleads(phrase: string, sentiment: Sentiment): boolean {
  if (WORDS.elliptical.test(phrase) || WORDS.of_others.test(phrase) || WORDS.rating.test(phrase))
    return true;
  return sentiment === 'negative' && WORDS.excusing.test(phrase);
}

/** Whether a phrase cannot be understood without what stands before it in its review. */
export function refersBack(phrase: string): boolean {
  if (WORDS.dependent.test(phrase)) return true;
  for (const { index, 0: pronoun } of phrase.matchAll(WORDS.pronoun)) {
    const before = phrase.slice(0, index);
    // "Very kind, and he explained everything" is about whoever came.
    const isKnown = /^[hs]/i.test(pronoun)
      ? WORDS.antecedent.test(before) || isJudging('positive', before)
      : WORDS.antecedent.test(before.replace(WORDS.person, '').replace(/^\p{Lu}\p{Ll}+/u, ''));
    if (!isKnown) return true;
  }
  return false;
}

/** Whether a phrase has a verb: without one it is a heading. */
export function hasVerb(phrase: string): boolean {
  return phrase
    .toLowerCase()
    .split(/[^\p{L}'’]+/u)
    .some((word) => FINITE.has(word) || /(?:..ed|n['’]t|['’](?:s|re|ve|m|d|ll))$/.test(word));
}

/** How many other things a phrase speaks of: a quote answers one question. */
export function digressionsOf({ aspects, problems }: ReviewInsights, mention: Mention): number {
  const { id, phrase } = mention;
  const about = aspects.filter(
    (one) =>
      one.phrase === phrase &&
      one.id !== id &&
      !RELATED.some((ids) => ids.has(one.id) && ids.has(id)),
  );
  const isAspect = aspects.some((one) => one.id === id);
  const wrong = problems.filter((one) => one.phrase === phrase).length - 1;
  const listed = phrase.split(',').length > MANY_PARTS ? 1 : 0;
  return Math.max(0, isAspect ? about.length : about.length - 1, wrong) + listed;
}
