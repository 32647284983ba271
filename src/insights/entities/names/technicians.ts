// The people of the business that a review mentions: technicians of the catalogue as mentions, and
// other names as candidates, which the reviews together confirm or do not (confirm.ts).

import { fold } from '../../../model/fold.ts';
import type { Sentiment } from '../../../model/insights.ts';
import type { FoundMention, NameCandidate } from '../../analysis.ts';
import { sentimentAbout, sentimentOfTokens } from '../../aspects/attribution.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { mergeMentions, type SeenMention } from '../merging.ts';
import type { Reading, Verdict } from '../../text/reading.ts';
import { isUnlikely } from '../stars.ts';
import { buildTermFinder } from '../../text/terms.ts';
import type { Sentence } from '../../text/text.ts';
import { type Evidence, evidenceOf } from './context.ts';
import notPeople from './not-people.json' with { type: 'json' };
import { findPeople, type Person } from './people.ts';
import type { Match, Roster } from './roster.ts';
import { STRENGTH } from './strength.ts';

export interface PeopleFound {
  readonly technicians: readonly FoundMention[];
  readonly names: readonly NameCandidate[];
}

/** Of one name in one review. */
const MOST_MENTIONS = 4;

const findNotPeople = buildTermFinder(
  notPeople.phrases.map((phrase) => ({ id: phrase, names: [phrase] })),
  { isName: true },
);

/** A review as far as its people are concerned. */
interface Context {
  /** Display name of the author, who is never a technician. */
  readonly author: string;
  /** Stars. */
  readonly rating: number;
  /** 1 for each token that names a place or the business itself. */
  readonly taken: Uint8Array;
}

export function findTechnicians(
  reading: Reading,
  roster: Roster,
  { author, rating, taken }: Context,
): PeopleFound {
  const others = taken.slice();
  for (const { from, to } of findNotPeople(reading)) others.fill(1, from, to);
  const people = findPeople(reading, (at) => others[at] === 1, roster.kindOf);
  if (people.length === 0) return { technicians: [], names: [] };
  const authors = new Set(fold(author).split(/[^\p{L}'-]+/u));
  const evidence = evidenceOf(reading, people, (given) => given.length > 1 && authors.has(given));
  const seen: SeenMention[] = [];
  const names: NameCandidate[] = [];
  people.forEach((person, at) => {
    const one = evidence[at] as Evidence;
    if (one.isElsewhere) return;
    const match = roster.match(person, person.name);
    if (match === 'shared') return;
    if (match !== null) {
      if (isMeant(match, person, one))
        seen.push({ id: match.id, ...regardFor(reading, person, one, rating) });
    } else if (one.strength >= STRENGTH.faint) {
      names.push(candidateOf(reading, person, one, rating));
    }
  });
  return { technicians: mergeMentions(seen, rating), names: withFullNames(names) };
}

/** Whether the technician of that name is meant. A catalogue makes a name likely, not certain: a
 * misspelling or a word of the language wants a context that speaks of a person. */
function isMeant(match: Exclude<Match, 'shared' | null>, person: Person, one: Evidence): boolean {
  if (!match.isExact) return one.strength >= STRENGTH.acting - 0.05;
  if (person.family !== null && person.given !== null) return true;
  return one.strength >= STRENGTH.faint;
}

/** What is said of a person, and where: "Mike came. He was great." says it in the next sentence. */
function regardFor(
  reading: Reading,
  { from, to, sentence }: Person,
  { isThanked, isDeed }: Evidence,
  rating: number,
): Omit<SeenMention, 'id'> {
  const verdict = sentimentAbout(reading, from, to);
  const phrase = excerptOf(reading, from, to);
  const [own, next] = [reading.sentences[sentence], reading.sentences[sentence + 1]];
  const isTold = own !== undefined && sentimentOfTokens(reading, own.from, own.to).weight > 0;
  if (isTold && verdict.sentiment !== 'neutral' && !isUnlikely(verdict, rating))
    return { sentiment: verdict.sentiment, ...phrase };
  if (isThanked && rating > 2) return { sentiment: 'positive', ...phrase };
  if (next && goesOn(reading, next, isTold ? null : verdict)) {
    const told = sentimentOfTokens(reading, next.from, next.to);
    const both = excerptOf(reading, from, to, true);
    const isBlame = told.sentiment === 'negative' && (rating > 3 || told.weight < 0.7);
    if (told.sentiment !== 'neutral' && !isBlame && both.end === next.end)
      return { sentiment: told.sentiment, ...both };
  }
  const isPraise = rating === 5 && isDeed;
  return { sentiment: isPraise ? 'positive' : 'neutral', ...phrase };
}

/** Whether the next sentence speaks of the same person: it says "he" or "she", or is all that the
 * verdict on them comes from. */
function goesOn({ tokens }: Reading, next: Sentence, verdict: Verdict | null): boolean {
  if (verdict !== null && verdict.sentiment !== 'neutral') return true;
  return /^(?:he|she|he's|she's)$/.test(tokens[next.from]?.folded ?? '');
}

function candidateOf(
  reading: Reading,
  person: Person,
  one: Evidence,
  rating: number,
): NameCandidate {
  const { sentiment, start, end } = regardFor(reading, person, one, rating);
  return {
    name: person.name,
    strength: one.strength,
    sentiment: (sentiment ?? 'neutral') satisfies Sentiment,
    start: reading.tokens[person.from]?.start ?? 0,
    end: reading.tokens[person.to - 1]?.end ?? 0,
    phraseStart: start,
    phraseEnd: end,
  };
}

/** Who was called by the full name before or after is the same person: "Theo Grant ... Theo". Of
 * each name the first few mentions are enough. */
function withFullNames(names: readonly NameCandidate[]): NameCandidate[] {
  const full = new Map<string, Set<string>>();
  for (const { name } of names) {
    const [given = '', ...family] = name.split(' ');
    if (family.length > 0) full.set(given, (full.get(given) ?? new Set()).add(name));
  }
  const counts = new Map<string, number>();
  return names.flatMap((one) => {
    const [only = one.name, ...others] = full.get(one.name) ?? [];
    const name = others.length > 0 ? one.name : only;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count > MOST_MENTIONS ? [] : [{ ...one, name }];
  });
}
