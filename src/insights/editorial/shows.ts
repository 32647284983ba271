// Decides whether a phrase, read without its review, shows a claim: whoever reads only the phrase agrees.

import type { Sentiment } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import type { IndexedMention, MentionList } from '../aggregate/mentions.ts';
import words from './shows.json' with { type: 'json' };

interface AspectWords {
  readonly nouns?: string;
  readonly good?: string;
  readonly bad?: string;
}

/** Patterns by the id of an aspect. */
type Patterns = Readonly<Record<string, RegExp>>;

const ASPECTS: Readonly<Record<string, AspectWords>> = words.aspects;
const POSITIVE = patternsOf(words.praise, 'good');
const NEGATIVE = patternsOf(words.blame, 'bad');
/** "aspects.pricing" is what shows a complaint about prices. */
const PROBLEMS: Patterns = Object.fromEntries(
  Object.entries(words.problems).map(([id, pattern]) => {
    const aspect = /^aspects\.(\w+)$/.exec(pattern)?.[1];
    return [id, aspect === undefined ? wordsOf(pattern) : (NEGATIVE[aspect] as RegExp)];
  }),
);
const PRAISE = wordsOf(
  `${words.praise}|nice|kind|friendly|polite|patient|thank(?:s|ed)?|love|honest|clean(?:ed)?|fixed|explained|` +
    'knows?|careful|gentle|helpful|attentive|professional|pleasure|deserves|better|ok(?:ay)?|fine|decent',
);
const BLAME = wordsOf(words.blame);
/** What turns a phrase into one of two sides. */
const TURN = /\b(?:but|however|although|though|except|unfortunately|despite|while)\b/i;
/** A negation up to three words before, in the same part of the sentence. */
const NEGATED =
  /(?:\b(?:not|never|no|hardly|nor|without|nothing|nobody|less)|n['’]t|cannot)(?:\s+[\p{L}\p{N}'’-]+){0,3}\s*$/iu;

const FIVE_WORDS = /^(?:\S+\s+){4}\S/;
const TURNS_FROM = /^(?:but|except|however|though|no relation|(?:\w+ )?than)\b/i;

/** Marks between the parts of a sentence. */
const PART_ENDS = ',;:.!?()';

/** Whether a phrase shows praise of an aspect, or a complaint about it. Of an unknown aspect every phrase does. */
export function showsAspect(id: string, sentiment: Sentiment, phrase: string): boolean {
  const patterns = sentiment === 'positive' ? POSITIVE : NEGATIVE;
  const own = Object.hasOwn(patterns, id) ? patterns[id] : undefined;
  return own === undefined || isAffirmed(own, phrase);
}

/** Whether a phrase shows a problem. A problem without words of its own is named in its phrases. */
export function showsProblem(id: string, phrase: string): boolean {
  const own = Object.hasOwn(PROBLEMS, id) ? PROBLEMS[id] : undefined;
  return own === undefined || isAffirmed(own, phrase);
}

/** Whether the phrase of a mention shows what it is listed for. The words are English: of other languages each does. */
export function shows(
  list: MentionList,
  { mention: { id, phrase }, isForeign }: Pick<IndexedMention, 'mention' | 'isForeign'>,
  sentiment: Sentiment,
): boolean {
  if (sentiment === 'neutral' || isForeign) return true;
  if (list === 'aspects') return showsAspect(id, sentiment, phrase);
  if (list === 'problems') return showsProblem(id, phrase);
  if (list !== 'technicians' && list !== 'services') return true;
  return sentiment === 'negative' || isAffirmed(PRAISE, phrase);
}

/** Whether a review's stars agree with a quote from it: praise in a bad review is often about somebody else. */
export function agrees({ rating }: Pick<Review, 'rating'>, sentiment: Sentiment): boolean {
  if (sentiment === 'positive') return rating >= 4;
  return sentiment === 'neutral' || rating <= 3;
}

/** Too few words, or words that turn from what stands before them, show nothing by themselves. */
export function standsAlone(phrase: string): boolean {
  return FIVE_WORDS.test(phrase) && !TURNS_FROM.test(phrase);
}

/** Whether a phrase praises and complains: no quote for either side. */
export function isTwoSided(sentiment: Sentiment, phrase: string): boolean {
  if (TURN.test(phrase)) return true;
  return isAffirmed(sentiment === 'positive' ? BLAME : PRAISE, phrase);
}

/** Whether one of the words occurs without a negation before it; `pattern` is of `wordsOf`. */
export function isAffirmed(pattern: RegExp, phrase: string): boolean {
  // `matchAll` would copy the pattern for each phrase.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(phrase); match !== null; match = pattern.exec(phrase)) {
    const before = phrase.slice(0, match.index);
    if (!NEGATED.test(before.slice(startOfPart(before)))) return true;
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

/** A pattern of whole words. */
export function wordsOf(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, 'giu');
}

/** The words of each aspect for one side, with its nouns beside the words that praise or blame anything. */
function patternsOf(opinions: string, side: 'good' | 'bad'): Patterns {
  return Object.fromEntries(
    Object.entries(ASPECTS).map(([id, { nouns, [side]: own }]) => {
      const near =
        nouns === undefined
          ? []
          : [
              `(?:${nouns})(?:[^\\S\\n]+[\\p{L}\\p{N}'’-]+){0,5}?[^\\S\\n]+(?:${opinions})`,
              `(?:${opinions})(?:[^\\S\\n]+[\\p{L}\\p{N}'’-]+){0,3}?[^\\S\\n]+(?:${nouns})`,
            ];
      return [id, wordsOf([...(own === undefined ? [] : [own]), ...near].join('|'))];
    }),
  );
}
