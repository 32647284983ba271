// Decides whether a quote is plain: it is about one thing, and can be read without the sentences around it.

import type { Mention, ReviewInsights, Sentiment } from '../../model/insights.ts';
import { FINITE } from '../text/grammar.ts';
import { isJudging } from './shows.ts';

/** A verb without its complement or with one of another sentence ("The noise isn't, …"), a riddle, or a word for an earlier sentence. */
const ELLIPTICAL =
  /\b(?:is|was|are|were|do|does|did|has|have|could|would|should)(?:n['’]t| not)\s*[,.;:!?]|^guess who\b|^so:|\b(?:told|said|knew) (?:that|this|it) (?:is|was)\b|\b(?:do|did|done|doing) (?:it|this|that|so)\W*$/i;
/** Names the stars, which the reader sees. */
const RATING =
  /\bstars?\b|\b(?:that|it|this)(?:['’]s| is) an? \d+\b|\b\d+ ?(?:\/|out of) ?(?:5|10|five|ten)\b/i;
/** Begins in the middle of a story, or speaks of the review itself, or introduces a list. */
const DEPENDENT =
  /^(?:no relation|been|what an?|\w+ than|than|then|nope|yep|also|plus|and|but|so|or|which|because|however|first(?! they)|still|even|same|both|otherwise|anyway|moreover|furthermore|additionally|besides|finally|next|again|another|\w+ing (?:it|this|that)|\S+ minutes later|here is|there)\b|(?<!\b(?:an?|the|my|our|your) [a-z]+ )\b(?:this|that|these|those|it|so)(?=\W*$|\s*[.,;!?]|['’]s\b| as well\b| too\b)|^(?:this|that|these|those|it|both|one) (?!time\b)|\bthe (?:other|difference|rest|latter|former)\b|\breviews?\b|:\s/i;
/** Words for what stands before them. */
const PRONOUN =
  /(?<![\p{L}\p{N}])(?:he|she|him|her|his|hers|himself|herself|it)(?![\p{L}\p{N}])/giu;
/** What they may stand for: a noun with an article, or a name. */
const ANTECEDENT =
  /(?<![\p{L}\p{N}])(?:the|an?|my|our|your|their|this|that|every|each|any|some|no) [\p{L}\p{N}]|(?<=\S\s)\p{Lu}\p{L}|^(?!(?:I|They|We|You|He|She|It|When|If|As|Before|After|Not|Very|Was|Had|Last|This|That|Good|Great|Nice|In|On|At|For|To|From|With|While|Once|Since|Because|Though|Although|What|How|Where|Who|Love|Thanks?|Then)\b)\p{Lu}\p{Ll}+[ ,]/u;
/** People, for whom "it" does not stand. */
const PERSON =
  /(?:the|an?|my|our|your) (?:\w+ )?(?:trainee|tech\w*|plumber|electrician|guy|man|woman|lady|kid|boy|girl|helper|driver|waiter|waitress|server|barista|crew|team|staff|doctor|dentist|nurse|wife|husband|son|daughter)s?\b/giu;
const KNOWN_THING = /(?<![\p{L}\p{N}])(?:the|that|those) (?:\p{Ll}+ )?(\p{Ll}{4,})/gu;
/** Excuses what it tells. */
const EXCUSING =
  /\bunderstandabl[ey]\b|\b(?:in|to be) fair(?:ness)?\b|n['’]t (?:their|his|her|its|the \w+['’]?s?) fault|\b(?:weather|fog|snow|storms?)\b/i;
/** Names somebody else, unless it compares: "another firm", "my neighbour". */
const OF_OTHERS =
  /(?<!\b(?:than|of|to) (?:any |all |the )?)\b(?:another|other|last|previous|former|old|different|next|rival) (?:firm|company|crew|outfit|plumber|contractor|electrician|airline|carrier|hotel|clinic|dentist|doctor|practice|shop|store|restaurant|place|provider)s?\b|\b(?:neighbou?r|nephew|cousin)\b/i;
/** The most parts between commas of a sentence that is no list. */
const MANY_PARTS = 4;
/** Aspects that one sentence may be about without digressing. */
const RELATED: readonly ReadonlySet<string>[] = [
  new Set(['staff', 'friendliness', 'professionalism']),
  new Set(['pricing', 'value', 'transparency', 'fees', 'billing']),
  new Set(['punctuality', 'scheduling', 'responsiveness', 'speed', 'waiting']),
  new Set([
    'quality_of_work',
    'problem_resolution',
    'technical_knowledge',
    'quality',
    'expertise',
    'knowledge',
  ]),
  new Set(['communication', 'transparency', 'responsiveness']),
  new Set(['room_and_seat', 'facilities', 'facility', 'ambience']),
];

/** Whether a phrase answers a sentence that is missing, is about somebody else or the stars, or excuses what it tells. */
export function misleads(phrase: string, sentiment: Sentiment): boolean {
  if (ELLIPTICAL.test(phrase) || OF_OTHERS.test(phrase) || RATING.test(phrase)) return true;
  return sentiment === 'negative' && EXCUSING.test(phrase);
}

/** Whether a phrase cannot be understood without what stands before it in its review. */
export function refersBack(phrase: string): boolean {
  if (DEPENDENT.test(phrase)) return true;
  for (const { index, 0: pronoun } of phrase.matchAll(PRONOUN)) {
    const before = phrase.slice(0, index);
    // "Very kind, and he explained everything" is about whoever came.
    const isKnown = /^[hs]/i.test(pronoun)
      ? ANTECEDENT.test(before) || isJudging('positive', before)
      : ANTECEDENT.test(before.replace(PERSON, '').replace(/^\p{Lu}\p{Ll}+/u, ''));
    if (!isKnown) return true;
  }
  return false;
}

/** Whether a phrase speaks of a thing, as known, of which its review spoke before: "about the hair dryer". */
export function recalls(phrase: string, text: string): boolean {
  const before = text.slice(0, text.indexOf(phrase)).toLowerCase();
  if (before === '') return false;
  return [...phrase.matchAll(KNOWN_THING)].some(([, noun = '']) =>
    before.includes(noun.toLowerCase()),
  );
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
