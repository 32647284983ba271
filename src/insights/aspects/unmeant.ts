// Recognises statements that are not about the reviewed business or did not happen: statements about
// another company, and what the author only feared or expected.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import type { Keys } from '../text/keys.ts';
import { PatternSet } from '../text/patterns.ts';

/** How many keys after the beginning of a clause another company is looked for. */
const OTHERS_WITHIN = 4;
/** How many keys before a statement a fear is looked for. */
const FEARED_WITHIN = 8;

/** Names of other companies and of the people who work for them. */
const OTHERS = [
  '(other|another|last|previous|former|prior|competing|rival|different) (big|local|national|two|three|) (company|companies|plumber*|contractor*|outfit*|firm|firms|electrician*|technician*|place|places|handyman|provider*|business*|restaurant*|hotel*|store*|app|apps|doctor*|dentist*|lawyer*|airline*|roofer*|painter*|movers|mechanic*|shop|shops|installer*|people|guy|guys|landscaper*|cleaner*|gardener*|locksmith*|tech|techs|builder*|exterminator*|service)',
  '(my|our) (old|last|previous|former) (company|plumber|contractor|electrician|technician|provider|dentist|doctor|lawyer|guy|mechanic|landscaper|cleaner|gardener|roofer|painter|builder|handyman|tech|locksmith|movers|service|people|firm)',
  '(two|three|four|several|many|all the) (others|other) ',
  'first (company|plumber|contractor|firm|electrician|guy|one|crew|outfit|roofer|painter|technician|tech) (we|i|never|did|said|told|was|had|wanted|quoted|charged|that)',
  '(one|man|guy|company|firm|people|crew|plumber|electrician|builder|cleaner) (before (him|her|them|this|that|these|us)|who did it (first|before|last)|next door)',
  '(previous|former|last) (owner*|tenant*|occupant*|landlord*)',
  '(ex husband|brother in law|next firm|next plumber|second opinion)',
];

/** What follows did not happen, or the review does not say that it did. */
const FEARED = [
  '(afraid|feared|worried|scared|dread*|nervous|anxious|concerned|expect*|braced|assumed|thought|suspected) (that|) (it|they|he|she|this|i|we|the job|the work) (would|might|could|will|was going to|were going to)',
  '(afraid|fear|worried|scared|nervous|anxious|fearful) (of|about) (_|_ _|_ _ _|) (being|a|the|mess|cost|price|high|getting)',
];

/** One set, so that each text is prepared once. */
const UNMEANT = new PatternSet<'others' | 'feared'>([
  ...OTHERS.map((pattern) => [pattern, 'others'] as const),
  ...FEARED.map((pattern) => [pattern, 'feared'] as const),
]);

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

function matchesAt(keys: Keys, at: number, limit: number, kind: 'others' | 'feared'): boolean {
  return UNMEANT.matchesAt(keys, at, limit).some(({ value }) => value === kind);
}
