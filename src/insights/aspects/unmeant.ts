// Recognises statements that are not about the reviewed business or did not happen: statements about
// another company, what the author only feared or hoped for, what was only promised, and advice.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import type { Keys } from '../text/keys.ts';
import { NEGATORS } from '../text/pattern-language.ts';
import { PatternSet } from '../text/patterns.ts';

/** How many keys after the beginning of a clause another company is looked for. */
const OTHERS_WITHIN = 4;
/** How many keys before a statement a fear is looked for. */
const FEARED_WITHIN = 8;
/** How many keys before praise a hope or promise is looked for. */
const HOPED_WITHIN = 6;
/** How many keys after praise "would have been nice" is looked for. */
const MISSED_WITHIN = 6;

/** Names of other companies and of the people who work for them. */
const OTHERS = [
  '(other|another|last|previous|former|prior|competing|rival|different) (big|local|national|two|three|) (company|companies|plumber*|contractor*|outfit*|firm|firms|electrician*|technician*|place|places|handyman|provider*|business*|restaurant*|hotel*|store*|app|apps|doctor*|dentist*|lawyer*|airline*|roofer*|painter*|movers|mechanic*|shop|shops|installer*|people|guy|guys|landscaper*|cleaner*|gardener*|locksmith*|tech|techs|builder*|exterminator*|service)',
  '(my|our) (old|last|previous|former) (company|plumber|contractor|electrician|technician|provider|dentist|doctor|lawyer|guy|mechanic|landscaper|cleaner|gardener|roofer|painter|builder|handyman|tech|locksmith|movers|service|people|firm)',
  '(two|three|four|several|many|all the) (others|other) ',
  'first (company|plumber|contractor|firm|electrician|guy|one|crew|outfit|roofer|painter|technician|tech) (we|i|never|did|said|told|was|had|wanted|quoted|charged|that)',
  '(one|man|guy|company|firm|people|crew|plumber|electrician|builder|cleaner) (before (him|her|them|this|that|these|us)|who did it (first|before|last)|next door)',
  '(previous|former|last) (owner*|tenant*|occupant*|landlord*)',
  '(company|firm|plumber|contractor|outfit|electrician) (number|) (one|two|three|#)',
  'one (guy|company|firm|place|outfit|plumber|contractor|electrician) (who|that|wanted|quoted|said|told|charged|never)',
  '(friend|friends|brother|neighbor|neighbour|cousin) of a friend',
  '(ex husband|brother in law|next firm|next plumber|second opinion)',
];

/** What follows did not happen, or the review does not say that it did. */
const FEARED = [
  '(afraid|feared|worried|scared|dread*|nervous|anxious|concerned|expect*|braced|assumed|thought|suspected) (that|) (it|they|he|she|this|i|we|the job|the work) (would|might|could|will|was going to|were going to)',
  '(afraid|fear|worried|scared|nervous|anxious|fearful) (of|about) (_|_ _|_ _ _|) (being|a|the|mess|cost|price|high|getting)',
];

/** What follows is only hoped for or promised. */
const HOPES: ReadonlySet<string> = new Set(
  `hope hoped hoping hopefully wish wished expect expected expecting promise promised promises promising claim
   claims claimed claiming advertise advertised advertises advertising boast boasts supposed meant deserve
   deserved deserves`.split(/\s+/),
);
/** Words between which and praise a hope does not reach. */
const HOPE_ENDS: ReadonlySet<string> = new Set('and but so then because which who'.split(' '));

/** What precedes is missing: "a friendly word would have helped". */
const MISSED = [
  '(would|could|might) (have|be) (_|) (nice|helped|help|appreciated|good|great|better|best|helpful|welcome|welcomed|useful|sorted|made|saved|gone)',
];

/** A clause that begins like this is advice. */
const ADVICE = [
  '(make|be) sure',
  'you (should|must|had better|might want)',
  '(always|just|please|better|do) (_|) (get|ask|check|look|insist|choose|use|find|book|try)',
  '(next time|from now on|in (the|) future) (i|we) (will|would|am|are|shall)',
];

type Kind = 'others' | 'feared' | 'missed' | 'advice';

/** One set, so that each text is prepared once. */
const UNMEANT = new PatternSet<Kind>(
  Object.entries({ others: OTHERS, feared: FEARED, missed: MISSED, advice: ADVICE }).flatMap(
    ([kind, patterns]) => patterns.map((pattern) => [pattern, kind as Kind] as const),
  ),
);

/** Whether a clause names another company before the key `at`: "the last company never called back". */
export function isAboutOthers({ keys }: AnnotatedText, clause: Clause, at: number): boolean {
  const from = keys.firstOf[clause.from] as number;
  const to = keys.firstOf[clause.to] as number;
  for (let start = from; start < Math.min(at, from + OTHERS_WITHIN); start += 1) {
    // A comparison says something about the reviewed business.
    if (keys.words[start] === 'than' || keys.words[start] === 'like') return false;
    if (matchesAt(keys, start, to, 'others')) return true;
  }
  return false;
}

/** Whether the words before the key `at` say that what follows was only feared or expected. */
export function isFeared({ keys, sentences }: AnnotatedText, clause: Clause, at: number): boolean {
  const from = clause.link === 'contrast' ? clause.from : (sentences[clause.sentence]?.from ?? 0);
  const first = keys.firstOf[from] as number;
  for (let start = Math.max(first, at - FEARED_WITHIN); start < at; start += 1) {
    if (matchesAt(keys, start, at, 'feared')) return true;
  }
  return false;
}

/** Whether praise in the keys [from, to) is only hoped for, promised, missed, or advised. */
export function isWishful(
  { keys }: AnnotatedText,
  clause: Clause,
  from: number,
  to: number,
): boolean {
  const start = keys.firstOf[clause.from] as number;
  const end = keys.firstOf[clause.to] as number;
  return (
    matchesAt(keys, start, end, 'advice') ||
    isHopedFor(keys.words, start, from) ||
    isMissed(keys, to, Math.min(end, to + MISSED_WITHIN))
  );
}

/** Whether the keys [from, to) of a sentence speak of praise that is only hoped for, promised, missed, or advised. */
export function hasWish({ keys }: AnnotatedText, from: number, to: number): boolean {
  if (matchesAt(keys, from, to, 'advice') || isMissed(keys, from, to)) return true;
  for (let at = from; at < to; at += 1) if (isHope(keys.words, from, at)) return true;
  return false;
}

function isHopedFor(words: readonly string[], start: number, at: number): boolean {
  for (let back = at - 1; back >= Math.max(start, at - HOPED_WITHIN); back -= 1) {
    const word = words[back] as string;
    if (HOPE_ENDS.has(word)) return false;
    if (HOPES.has(word)) return isHope(words, start, back);
  }
  return false;
}

/** Whether a key is a hope or promise: "as promised" and "better than expected" are praise, and so is "I never expected
 * such kindness". */
function isHope(words: readonly string[], start: number, at: number): boolean {
  if (!HOPES.has(words[at] as string)) return false;
  const before = words.slice(Math.max(start, at - 2), at);
  return !before.some((one) => one === 'as' || one === 'than' || NEGATORS.has(one));
}

function isMissed(keys: Keys, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (matchesAt(keys, at, to, 'missed')) return true;
  return false;
}

function matchesAt(keys: Keys, at: number, limit: number, kind: Kind): boolean {
  return UNMEANT.matchesAt(keys, at, limit).some(({ value }) => value === kind);
}
