// Decides whether a phrase, read without its review, shows a claim: whoever reads only the phrase agrees.

import type { Mention, Sentiment } from '../../model/insights.ts';
import type { IndexedMention, MentionList } from '../aggregate/mentions.ts';

/** A phrase shows a claim from this probability of its sentence on. */
const SHOWN_FROM = 0.7;
/** From this on it does to whoever reads its review, also without a word of the subject. */
export const HINTED_FROM = 0.42;
/** A claim is sure enough for a hint from this confidence on. */
const SURE = 0.8;
/** What praises or blames anything. */
const PRAISE = wordsOf(
  'great|good|excellent|superb|fantastic|wonderful|lovely|amazing|best|brilliant|outstanding|' +
    'perfect|impressive|impressed|first[- ]class|top[- ]notch|terrific|fabulous|exceptional|' +
    'enjoyed|loved|pleasant|spotless|beautiful|nice|kind|friendly|polite|patient|' +
    'thank(?:s|ed)?|love|honest|clean(?:ed)?|fixed|explained|knows?|careful|gentle|helpful|' +
    'attentive|professional|pleasure|deserves|better|ok(?:ay)?|fine|decent|hero|gem|thorough|terrific|squared away',
);
const BLAME = wordsOf(
  'bad|rough|poor|terrible|awful|horrible|horrendous|dreadful|appalling|disgusting|worst|mediocre|' +
    'disappointing|disappointed|pathetic|shambles|rubbish|shocking|useless|unacceptable|' +
    'abysmal|atrocious|lousy|dire|sub-?standard|below average',
);
/** What turns a phrase into one of two sides. */
const TURN = /\b(?:but|however|although|though|except|unfortunately|despite|while)\b/i;
/** What praises something that is not there. */
const WISH =
  /\b(?:(?:would|could|might) (?:have been|be) (?:\w+ )?(?:nice|good|great|better|helpful|perfect)|would have (?:liked|loved|preferred)|could do with|I wish|if only)\b/i;
/** A negation up to three words before, in the same part of the sentence. */
const NEGATED =
  /(?:\b(?:not|never|no|hardly|nor|without|nothing|nobody|less)|n['’]t|cannot)(?:\s+[\p{L}\p{N}'’-]+){0,3}\s*$/iu;

/** Work that is told as done. */
const DONE =
  /\b(?:fixed|repaired|replaced|installed|cleaned|thawed|tested|tuned|done|did|bled|swapped|put in|found|cleared|unclogged|running|works?|heats|back)\b/i;

/** Marks between the parts of a sentence. */
const PART_ENDS = ',;:.!?()';

/** Whether the phrase of a mention shows what it is listed for: of people, services and places, an opinion on some aspect.
 * The words are English: of other languages each does. */
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
  if (sentiment === 'neutral' || isForeign) return true;
  const isSure = isHinted && (confidence ?? 0) >= SURE;
  if (list === 'aspects' || list === 'problems')
    return phraseScore >= (isSure ? HINTED_FROM : SHOWN_FROM);
  // What somebody did in a review that praises them shows more than a verdict.
  if (list === 'technicians' && (sentiment === 'positive' || isJudging(sentiment, phrase)))
    return true;
  // Of a service, what was done.
  if (list === 'services' && isHinted) return sentiment === 'negative' || DONE.test(phrase);
  const isOpinion = (one: Mention, at: number) =>
    one.sentiment === sentiment &&
    one.phrase === phrase &&
    (aspectScores[at]?.phraseScore ?? 1) >= SHOWN_FROM;
  return entry.aspects.some(isOpinion);
}

/** Whether a phrase has a word of praise or of blame. */
export function isJudging(sentiment: Sentiment, phrase: string): boolean {
  return isAffirmed(sentiment === 'positive' ? PRAISE : BLAME, phrase);
}

/** Whether a phrase praises and complains, or praises what it wishes for: no quote for that side. */
export function isTwoSided(sentiment: Sentiment, phrase: string): boolean {
  if (TURN.test(phrase) || (sentiment === 'positive' && WISH.test(phrase))) return true;
  return isJudging(sentiment === 'positive' ? 'negative' : 'positive', phrase);
}

/** Whether one of the words occurs without a negation before it; `pattern` is of `wordsOf`. */
function isAffirmed(pattern: RegExp, phrase: string): boolean {
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
