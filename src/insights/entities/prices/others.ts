// Recognises amounts that another company named.

import type { AnnotatedText } from '../../text/annotate.ts';
import type { Clause } from '../../text/clauses.ts';
import { PatternSet } from '../../text/patterns.ts';

/** How many keys after the beginning of a clause another company is looked for. */
const OTHERS_WITHIN = 4;
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

const OTHER_COMPANIES = new PatternSet<true>(OTHERS.map((pattern) => [pattern, true]));

/** Whether a clause names another company before the key `at`: "the last company never called back". */
export function isAboutOthers({ keys }: AnnotatedText, clause: Clause, at: number): boolean {
  const from = keys.firstOf[clause.from] as number;
  const to = keys.firstOf[clause.to] as number;
  for (let start = from; start < Math.min(at, from + OTHERS_WITHIN); start += 1) {
    // A comparison says something about the reviewed business.
    if (keys.words[start] === 'than' || keys.words[start] === 'like') return false;
    if (OTHER_COMPANIES.matchesAt(keys, start, to).length > 0) return true;
  }
  return false;
}
