// Finds the clauses that are about somebody else than the reviewed business: another firm ("Qatar was superb",
// "the food on Emirates"), an airport, or other customers.

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { FINITE, setOf } from '../text/grammar.ts';
import type { PatternSet } from '../text/patterns.ts';

/** What a pattern of a vertical names: a firm, which may be the reviewed one; or a thing or people that are never
 * the business, if they are the subject of a clause. */
export type OtherKind = 'firm' | 'thing';

/** How many keys after the beginning of a clause its subject is looked for. */
const SUBJECT_WITHIN = 4;
/** How many keys before a name a comparison or preposition is looked for. */
const MARKED_WITHIN = 3;

/** Before a name: a comparison says something of the reviewed business. */
const COMPARING = setOf(`
  than like unlike as compared comparison versus vs similar closer beat beats match matches rival rivals
  code codeshare partner partners becoming become turned`);
/** Directly before a name: "flew to Qatar" names a place. */
const LEADING = setOf('to from in via between of or nor');
/** Before a thing: it is no subject ("the lounge at Heathrow was full"). */
const PLACING = COMPARING.union(
  setOf('at on in to from of via through with by near outside inside after before'),
);
/** First words of a clause that goes on about the subject of the clause before. */
const GOES_ON = setOf('and who which whose where their they with it');
/** Such a clause is about the noun before it, also if it names the business: "with TAP, which rebooked me to BA". */
const RELATIVE = setOf('who which whose');
const OWN = setOf('this our us here');

/**
 * For each clause 1 if it is about somebody else.
 *
 * @param own the words of the business's name
 */
export function findOthers(
  annotated: AnnotatedText,
  others: PatternSet<OtherKind>,
  own: ReadonlySet<string>,
): Uint8Array {
  const { clauses, keys } = annotated;
  const found = new Uint8Array(clauses.length);
  clauses.forEach((clause, index) => {
    const from = keys.firstOf[clause.from] as number;
    const to = keys.firstOf[clause.to] as number;
    const words = keys.words.slice(from, to);
    const [first = ''] = words;
    const before = clauses[index - 1];
    const followsOther =
      before?.sentence === clause.sentence && clause.link === null && found[index - 1] === 1;
    const namesOwn = words.some((word) => own.has(word) || OWN.has(word));
    if (namesOwn && !(followsOther && RELATIVE.has(first))) return;
    if ((followsOther && GOES_ON.has(first)) || isAboutOther(annotated, clause, others))
      found[index] = 1;
  });
  return found;
}

function isAboutOther(
  { keys }: AnnotatedText,
  clause: Clause,
  others: PatternSet<OtherKind>,
): boolean {
  const from = keys.firstOf[clause.from] as number;
  const to = keys.firstOf[clause.to] as number;
  let hasVerb = false;
  for (let at = from; at < to; at += 1) {
    for (const { value } of others.matchesAt(keys, at, to)) {
      const isThing = value === 'thing';
      if (isThing && (at >= from + SUBJECT_WITHIN || hasVerb)) continue;
      if (at > from && LEADING.has(keys.words[at - 1] as string)) continue;
      if (!isBehind(keys.words, at, from, isThing ? PLACING : COMPARING)) return true;
    }
    hasVerb ||= FINITE.has(keys.words[at] as string);
  }
  return false;
}

function isBehind(
  words: readonly string[],
  at: number,
  from: number,
  markers: ReadonlySet<string>,
): boolean {
  for (let back = at - 1; back >= Math.max(from, at - MARKED_WITHIN); back -= 1) {
    if (markers.has(words[back] as string)) return true;
  }
  return false;
}
