// Recognises names that mean somebody or something else: the author, a neighbour, a pet, a town, a month,
// another company.

import { GAP } from '../../text/text.ts';
import type { Person } from './people.ts';
import { SOFT, type Surroundings } from './surroundings.ts';
import { CUES } from './word-lists.ts';

/**
 * Whether the words around a name certainly mean somebody or something else.
 *
 * @param isAuthor whether it is the author's name
 */
export function isElsewhere(around: Surroundings, person: Person, isAuthor: boolean): boolean {
  const [l1, l2, l3] = [around.left(1), around.left(2), around.left(3)];
  const [r1, r2] = [around.right(1), around.right(2)];
  const isSoft = (around.gapLeft & ~SOFT) === 0;
  if (isSoft && CUES.kin.has(l1) && !isOthersKin(l2, l3)) return true;
  if (CUES.ownKin.has(r1) && CUES.kin.has(r2) && around.gapRight !== 0) return true;
  if (/^(?:is|was)$/.test(r1) && CUES.ownKin.has(r2) && CUES.kin.has(around.right(3))) return true;
  if (isSelf(around) || isNeighbour(l1, l2)) return true;
  if (isSignature(around, isAuthor)) return true;
  if (around.gapLeft === 0 && CUES.determiners.has(l1) && !CUES.praise.has(l1))
    return !isOneCalled(around, person) && !isHired(around);
  if (isPlace(around)) return true;
  if (around.isPossessive && around.isCapitalRight) return true;
  if (person.given !== null && CUES.months.has(person.given)) {
    if (around.isNumberRight || around.isNumberLeft || CUES.monthLead.has(l1)) return true;
  }
  if (person.kind === 'word') {
    if (/^(?:my|our)$/.test(l1)) return true;
    if (/^(?:to|from|via|between|for)$/.test(l1) && !isPersonal(l2) && !isPersonal(l3)) return true;
  }
  if (CUES.otherFirms.has(l2) && CUES.roles.has(l1)) return true;
  if (l1 === 'by' && /^(?:recommended|referred|suggested|owned)$/.test(l2)) return true;
  // "Doug from the old company"
  return /^(?:from|at|with)$/.test(r1) && [r2, around.right(3)].some((w) => CUES.otherFirms.has(w));
}

/** "in Phoenix", "Phoenix street", "Lola coffee": a town or another company. */
export function isPlace(around: Surroundings): boolean {
  const [l1, l2, r1] = [around.left(1), around.left(2), around.right(1)];
  return (
    ((around.gapLeft & ~GAP.stop) === 0 && CUES.placeLead.has(l1)) ||
    (CUES.placePrepositions.has(l1) && !CUES.trust.has(l2) && !around.isPossessive) ||
    (around.gapRight === 0 && (CUES.places.has(r1) || CUES.firms.has(r1)))
  );
}

/** How many words from a full name "CEO" makes it an executive's. */
const NEAR_TITLE = 12;

/** "CEO Alex Cruz", "the CEO of the airline, Alex Cruz", "Alex Cruz (CEO)": customers meet no executive of a company
 * that has one.
 *
 * @param isFullName whether it is given name and family name, without a deed
 */
export function isExecutive(around: Surroundings, isFullName: boolean): boolean {
  const isTitle = (word: string) => CUES.executives.has(word);
  const isBeside = (around.gapLeft & ~SOFT) === 0;
  if (isBeside && (isTitle(around.left(1)) || isChiefExecutive(around))) return true;
  const hasComma = (around.gapLeft & GAP.comma) !== 0;
  if (hasComma && [2, 3, 4, 5].some((back) => isTitle(around.left(back)))) return true;
  // "The new CEO after the departure of Alex Cruz"
  for (let step = 1; step <= NEAR_TITLE; step += 1)
    if (isFullName && (isTitle(around.left(step)) || isTitle(around.right(step)))) return true;
  // "Letters to Mr. Cruz", "Alex Cruz and Co."
  if (around.left(1) === 'to' && /^letters?$/.test(around.left(2))) return true;
  if (around.right(1) === 'and' && around.right(2) === 'co') return true;
  const isApart = (around.gapRight & (GAP.comma | GAP.bracket)) !== 0;
  return isApart && [1, 2].some((on) => isTitle(around.right(on)));
}

function isChiefExecutive(around: Surroundings): boolean {
  const title = [around.left(3), around.left(2), around.left(1)].join(' ');
  return /(?:^| )chief executive(?: officer)?$/.test(title);
}

/** "Spoke with a Tiffany", "a Kevin who": a person, although after an article. */
function isOneCalled(around: Surroundings, person: Person): boolean {
  if (person.kind !== 'name' || !/^(?:a|some)$/.test(around.left(1))) return false;
  return isPersonal(around.left(2)) || isPersonal(around.left(3)) || around.right(1) === 'who';
}

/** "We've used Mike", which is not "a used Mercedes". */
function isHired(around: Surroundings): boolean {
  return around.left(1) === 'used' && isSubject(around.left(2)) && !around.isPossessive;
}

function isSubject(word: string): boolean {
  return /^(?:i|we|they|you|i've|we've|they've|have|always|only|just|all|really|absolutely)$/.test(
    word,
  );
}

/** Words before "to", "from" or "for" that are followed by a person: "spoke to", "thanks to", "ask for". */
function isPersonal(word: string): boolean {
  return (
    CUES.dealt.has(word) ||
    CUES.withWords.has(word) ||
    CUES.requestTo.has(word) ||
    CUES.requestFor.has(word) ||
    CUES.request.has(word)
  );
}

/** "The man next to me, Peter": another customer. */
function isNeighbour(l1: string, l2: string): boolean {
  return /^(?:me|us)$/.test(l1) && /^(?:to|beside|behind|opposite|before)$/.test(l2);
}

/** "his son Dan", "your brother Mike": relatives of the staff may work there. */
function isOthersKin(l2: string, l3: string): boolean {
  return /^(?:his|their|your)$/.test(l2) || /^(?:his|their|your)$/.test(l3);
}

/** "my name is Mike", "I'm Mike", "call me Mike", "I don't think his name was Mike". */
function isSelf(around: Surroundings): boolean {
  const [l1, l2, l3] = [around.left(1), around.left(2), around.left(3)];
  if (/^(?:is|was|wasn't|isn't)$/.test(l1) && l2 === 'name') {
    if (l1.endsWith("n't") || [4, 5, 6].some((back) => isDenial(around.left(back)))) return true;
  }
  if (/^(?:i'm|im)$/.test(l1) || (l1 === 'am' && l2 === 'i')) return true;
  if (l1 === 'not' && (/^(?:i'm|im)$/.test(l2) || (l2 === 'am' && l3 === 'i'))) return true;
  if (l1 === 'me' && /^(?:call|calls|called|calling)$/.test(l2)) return true;
  return /^(?:is|was)$/.test(l1) && l2 === 'name' && l3 === 'my';
}

/** Whether a name is the author's signature: below the text, or after a dash at its end. */
export function isSignature(around: Surroundings, isAuthor: boolean): boolean {
  // A text of only the name is not a signature.
  if (!around.closesText || around.opensText) return false;
  // "Love, Rusty", but not "We love Rusty".
  if (CUES.signOff.has(around.left(1)) && !isSubject(around.left(2))) return true;
  // "All the best from Jas"
  if (around.left(1) === 'from' && CUES.signOff.has(around.left(2))) return true;
  const apart = GAP.line | GAP.dash | GAP.other;
  if ((around.gapLeft & apart) !== 0) return !CUES.roles.has(around.left(1));
  return isAuthor || (around.isWholeSentence && around.opensSentence);
}

function isDenial(word: string): boolean {
  return word === 'not' || word === "don't" || word === 'dont' || word === 'doubt';
}
