// Judges the context of names: how likely each means a person of the business (a score from 0 to 1), and
// whether it certainly does not (a neighbour, a month, another company).

import { GAP, type SegmentedText, type Token } from '../../text/text.ts';
import { isElsewhere, isExecutive, isPlace, isSignature } from './elsewhere.ts';
import type { Person } from './people.ts';
import { CLEAR, knownNameScore, NAME_SCORE, unknownNameScore } from './score.ts';
import { SOFT, Surroundings } from './surroundings.ts';
import { CUES } from './word-lists.ts';

/** The score of the words before a name. `isKnown`: it is in the list of names; `isWord`: it is also a word. */
function scoreLeft(around: Surroundings, isKnown: boolean, isWord: boolean): number {
  const [l1, l2, l3] = [around.left(1), around.left(2), around.left(3)];
  const isSoft = (around.gapLeft & ~SOFT) === 0;
  const isCopula = /^(?:is|was)$/.test(l2);
  if (l1 === 'named') return NAME_SCORE.introduced;
  if (l1 === 'called' && CUES.calledLead.has(l2) && (isKnown || !isCopula))
    return NAME_SCORE.introduced;
  if ((/^(?:is|was)$/.test(l1) && l2 === 'name') || l1 === 'name') return NAME_SCORE.introduced;
  // "Our plumber this time was Marcus."
  if (isKnown && /^(?:is|was)$/.test(l1) && isRoleBefore(around)) return NAME_SCORE.introduced;
  if (/^calls?$/.test(l1) && /^(?:they|everyone|everybody|we|all)$/.test(l2))
    return NAME_SCORE.introduced;
  if (isSoft && CUES.roles.has(l1) && (isKnown || !CUES.collectives.has(l1)))
    return NAME_SCORE.introduced;
  if (l1 === 'for' && (CUES.requestFor.has(l2) || CUES.requestFor.has(l3)))
    return NAME_SCORE.requested;
  if (l1 === 'for' && CUES.requestStars.has(l2)) return NAME_SCORE.requested;
  if (isThanked(around)) return NAME_SCORE.requested;
  if (/^(?:with|to|from|of|by|both)$/.test(l1)) {
    if ([l2, l3, around.left(4)].some((word) => isDealing(word))) return NAME_SCORE.acting;
  }
  // "the wonderful Alex"
  if (isKnown && !isWord && around.gapLeft === 0 && CUES.praise.has(l1)) {
    const before = [l2, l3, around.left(4), around.left(5)];
    if (before.some((word) => /^(?:the|our|your)$/.test(word))) return NAME_SCORE.acting;
  }
  if (l1 === 'done' && l2 === 'well') return NAME_SCORE.requested;
  if (l1 === 'of' && l2 === 'hold') return NAME_SCORE.acting;
  if (/^(?:me|us)$/.test(l1) && CUES.haveVerbs.has(l2)) return NAME_SCORE.acting;
  if (l1 === 'by' && (isKnown || CUES.byVerbs.has(l2))) return NAME_SCORE.acting;
  if (around.gapLeft === 0 && (CUES.haveVerbs.has(l1) || (l1 === 'out' && l2 === 'sent')))
    return isWord && /^(?:have|had|having|got|get|use|used|love|loved|saw|see)$/.test(l1)
      ? NAME_SCORE.faint
      : NAME_SCORE.acting;
  if (CUES.trust.has(l2) && l1 === 'in') return NAME_SCORE.acting;
  if (/^(?:with|because|guys)$/.test(l1)) return NAME_SCORE.bare + 0.15;
  return 0;
}

/** Whether the subject before "was" is a role: "our plumber this time". */
function isRoleBefore(around: Surroundings): boolean {
  for (let back = 2; back <= 5; back += 1) {
    const word = around.left(back);
    if (CUES.kin.has(word) || /^(?:and|but|that|who|which)$/.test(word)) return false;
    if (CUES.roles.has(word)) return !CUES.collectives.has(word);
  }
  return false;
}

function isDealing(word: string): boolean {
  return CUES.dealt.has(word) || CUES.withWords.has(word);
}

const FILLERS =
  /^(?:you|so|very|much|a|lot|again|to|all|and|especially|particularly|also|big|huge|special|out|the|our|my|your|goes|go|is|are|well|as|million|bunch|for|both|mr|n)$/;

/** "Thank you so much to Mike", "kudos go to our tech Mike". */
function isThanked(around: Surroundings): boolean {
  for (let back = 1; back <= 7; back += 1) {
    const word = around.left(back);
    if (CUES.request.has(word)) return back < 2 || word !== 'ask';
    if (back > 1 && around.left(back - 1) === 'to' && CUES.requestTo.has(word)) return true;
    if (!FILLERS.test(word)) return false;
  }
  return false;
}

/** The score of the words after a name. */
function scoreRight(around: Surroundings, person: Person): number {
  if ((around.gapRight & (GAP.stop | GAP.line | GAP.exclamation | GAP.question)) !== 0) return 0;
  const [r1, r2, r3] = [around.right(1), around.right(2), around.right(3)];
  const isApart = around.gapRight !== 0;
  const isKnown = person.kind !== null;
  if (/^(?:the|our|my|your|a|an|one)$/.test(r1) && (isApart || (isKnown && r1 === 'the'))) {
    if ([r2, r3].some((word) => CUES.roles.has(word) && !CUES.collectives.has(word)))
      return NAME_SCORE.introduced;
  }
  if (around.opensSentence && person.kind === 'name') {
    if (r1 === 'the' && !isApart) return 0.8;
    if ((around.gapRight & (GAP.colon | GAP.dash)) !== 0) return 0.8;
  }
  if (CUES.roles.has(r1) && (around.gapRight & GAP.bracket) !== 0) return NAME_SCORE.introduced;
  if (/^(?:in|at|from|on|with)$/.test(r1) && (CUES.desks.has(r2) || CUES.desks.has(r3)))
    return NAME_SCORE.requested;
  if (/^(?:and|n|&|\+|plus)$/.test(r1) || around.gapRight === GAP.ampersand) {
    const at = /^(?:and|n|plus)$/.test(r1) ? 2 : 1;
    const [who, whose] = [around.right(at + 1), around.right(at)];
    if (/^(?:team|crew|co|company|gang|boys|lads)$/.test(whose)) return NAME_SCORE.acting;
    if (/^(?:his|her|their|the|a|another|two|three)$/.test(whose) && isCompany(who))
      return NAME_SCORE.acting;
  }
  if (r1 === 'you' && /^(?:are|were|rock|rocked|guys|made|did)$/.test(r2))
    return NAME_SCORE.requested;
  if (/^(?:is|was|=)$/.test(r1) && r2 === 'his' && r3 === 'name') return NAME_SCORE.introduced;
  if (around.isPossessive) return possessiveScore(r1, person);
  // "Laura from Acme fixed it"
  if (isKnown && /^(?:from|at|with)$/.test(r1) && !CUES.otherPlaces.has(r2)) {
    const verbs = [r3, around.right(4), around.right(5)];
    if (verbs.some((word) => CUES.acts.has(word) || CUES.copulas.has(word)))
      return NAME_SCORE.acting;
  }
  return verbScore(around, person);
}

function isCompany(word: string): boolean {
  return (
    CUES.roles.has(word) || /^(?:boys|son|sons|brother|partner|other|gang|buddy|two)$/.test(word)
  );
}

const POSSESSIONS =
  /^(?:work|workmanship|service|attention|knowledge|professionalism|expertise|patience|attitude|communication|crew|team|help|advice|van|truck|skill|skills|honesty|kindness|effort|efforts|manner|experience|ability|explanation|name|friendly|calm|great|excellent|quick|willingness|dedication|work|last|job|price|quote|estimate|cell|number)$/;

/** "Mike's work", and "Mike's great", which is "Mike is great". */
function possessiveScore(next: string, { kind, family }: Person): number {
  // "Spike's a wizard", "Mike's been great"
  if (/^(?:a|an|the|so|very|always|been|got|really|such|just)$/.test(next))
    return NAME_SCORE.acting;
  if (CUES.praise.has(next)) return NAME_SCORE.acting;
  if (POSSESSIONS.test(next)) return 0.8;
  return kind === 'name' && family === null && next !== '' && !CUES.possessionVetoes.has(next)
    ? 0.8
    : NAME_SCORE.faint;
}

/** Verbs whose past form is also the infinitive: "Will put". */
const FUTURE = /^(?:put|set|cut|hit|led|read|run|fit|come|rock|rule|deserve|won)$/;

function verbScore(around: Surroundings, person: Person): number {
  const isWord = person.kind === 'word';
  let at = 1;
  let hadModal = false;
  while (at <= 4) {
    const word = around.right(at);
    if (CUES.modals.has(word)) {
      if (CUES.acts.has(word) && !CUES.acts.has(around.right(at + 1))) break;
      hadModal = true;
    } else if (!(CUES.adverbs.has(word) || /.ly$/.test(word)) || (word === 'and' && at === 1))
      break;
    at += 1;
  }
  const verb = around.right(at);
  const object = around.right(at + 1);
  if (CUES.patrons.has(verb)) {
    // Movers move people.
    if (verb === 'moved' && /^(?:us|me|our|my|everything|all|it)$/.test(object))
      return NAME_SCORE.acting;
    const isPatron = CUES.patronObjects.has(object) || !CUES.acts.has(verb);
    return isPatron ? NAME_SCORE.faint : NAME_SCORE.acting;
  }
  if (CUES.copulas.has(verb)) {
    let next = at + 1;
    while (
      (next < at + 6 &&
        /^(?:a|an|the|not|my|our|such|always|with|by|of|one|far|hands|down|more|most|what|one|beyond|out)$|ly$/.test(
          around.right(next),
        )) ||
      CUES.adverbs.has(around.right(next))
    )
      next += 1;
    if (CUES.praise.has(around.right(next))) return NAME_SCORE.acting;
    if (CUES.roles.has(around.right(next))) return NAME_SCORE.introduced;
    return isWord ? NAME_SCORE.bare : 0.82;
  }
  if (CUES.acts.has(verb)) {
    if (isWord && around.opensSentence && person.given === 'will' && FUTURE.test(verb)) return 0;
    if (person.given === 'bill' && /^(?:came|comes|went|got|was|is)$/.test(verb))
      return /^(?:him|her|us|me|it|them|out|over|right|back|by)$/.test(object)
        ? NAME_SCORE.acting
        : 0;
    return NAME_SCORE.acting;
  }
  if (hadModal) {
    const isPast = verb === 'have';
    return isWord && around.opensSentence ? (isPast ? NAME_SCORE.bare : NAME_SCORE.faint) : 0.8;
  }
  if (!isWord && verb.length > 3 && /(?:ed|[^s]s)$/.test(verb)) return NAME_SCORE.acting;
  return 0;
}

export interface Evidence {
  readonly isElsewhere: boolean;
  /** Whether that is a town or another company. */
  readonly isPlace: boolean;
  /** How likely a person of the business is meant, 0 to 1. */
  readonly score: number;
  /** "thanks to Mike", "ask for Mike": praise in itself. */
  readonly isThanked: boolean;
  /** "CEO Mike Alvarez". */
  readonly isExecutive: boolean;
  /** "Mike fixed it": the text says what the person did. */
  readonly isDeed: boolean;
}

/**
 * The evidence of each person, in their order. Names in a row ("X, Y and Z came") share it.
 *
 * @param isAuthor whether a folded given name is the author's
 */
export function evidenceOf(
  text: SegmentedText,
  people: readonly Person[],
  isAuthor: (given: string) => boolean,
): Evidence[] {
  const evidence: Evidence[] = [];
  for (let first = 0; first < people.length;) {
    let last = first;
    while (last + 1 < people.length && isNextInRow(text, people, last)) last += 1;
    const row = people.slice(first, last + 1);
    const isKnownRow = row.some(({ kind }) => kind !== null);
    const [{ from, sentence }, { to }] = [row[0] as Person, row.at(-1) as Person];
    const aroundRow = new Surroundings(text, sentence, from, to);
    const isSigned = aroundRow.isWholeSentence && isSignature(aroundRow, false);
    for (const person of row) {
      const around = new Surroundings(text, sentence, person.from, person.to);
      const isOwn = person.given !== null && isAuthor(person.given);
      const isKnown = person.kind !== null || isKnownRow;
      const isWord = person.kind === 'word';
      const left = Math.max(
        scoreLeft(around, isKnown, isWord),
        scoreLeft(aroundRow, isKnown, isWord),
      );
      const right = Math.max(scoreRight(around, person), scoreRight(aroundRow, person));
      const score = Math.max(left, right);
      evidence.push({
        isElsewhere:
          isSigned || isElsewhere(around, person, isOwn) || (isOwn && score < NAME_SCORE.acting),
        isPlace: isPlace(around),
        isExecutive: isExecutive(
          around,
          person.given !== null && person.family !== null && score < NAME_SCORE.acting,
        ),
        isDeed: right === NAME_SCORE.acting,
        isThanked: left === NAME_SCORE.requested,
        score: isKnown
          ? knownNameScore(score, person, around, text)
          : unknownNameScore(left, right, person, around, text),
      });
    }
    first = last + 1;
  }
  return withoutOutsiders(people, withRows(text, people, evidence));
}

/** An unknown name in a row with a clear one is clear as well. */
function withRows(
  text: SegmentedText,
  people: readonly Person[],
  evidence: readonly Evidence[],
): Evidence[] {
  const shared = [...evidence];
  const pass = (from: number, to: number) => {
    const [one, other] = [shared[from], shared[to]];
    if (!one || !other || one.isElsewhere || other.isElsewhere) return;
    const isUnknown = people[to]?.kind === null;
    if (isUnknown && one.score > CLEAR && other.score < CLEAR)
      shared[to] = { ...other, score: CLEAR };
  };
  for (let at = 1; at < people.length; at += 1)
    if (isNextInRow(text, people, at - 1)) pass(at - 1, at);
  for (let at = people.length - 1; at > 0; at -= 1)
    if (isNextInRow(text, people, at - 1)) pass(at, at - 1);
  return shared;
}

/** A name that means a husband or a dog in one place means it everywhere in the review, unless the context
 * is clear or a family name distinguishes two people. */
function withoutOutsiders(people: readonly Person[], evidence: readonly Evidence[]): Evidence[] {
  const outsiders = new Set<string | null>();
  evidence.forEach((one, at) => {
    if (one.isElsewhere) outsiders.add((people[at] as Person).given);
  });
  return evidence.map((one, at) => {
    const { given, family } = people[at] as Person;
    if (given === null || family !== null || !outsiders.has(given)) return one;
    return one.score >= NAME_SCORE.requested ? one : { ...one, isElsewhere: true };
  });
}

function isNextInRow(text: SegmentedText, people: readonly Person[], at: number): boolean {
  const [a, b] = [people[at] as Person, people[at + 1] as Person];
  if (a.sentence !== b.sentence) return false;
  const gap = (text.tokens[b.from] as Token).gap;
  const joined = GAP.comma | GAP.ampersand | GAP.slash | GAP.other;
  if (b.from === a.to) return gap !== 0 && (gap & ~joined) === 0;
  return b.from === a.to + 1 && /^(?:and|n|plus|or|y)$/.test((text.tokens[a.to] as Token).folded);
}
