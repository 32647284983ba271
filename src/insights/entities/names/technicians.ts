// Finds the people of the business that a review mentions: technicians of the catalogue as mentions, other
// names as candidates, which confirm.ts confirms or not.

import { fold } from '../../../model/fold.ts';
import type { Sentiment } from '../../../model/insights.ts';
import type { FoundMention } from '../merging.ts';
import { hasOpinionIn, sentimentAbout, sentimentOfTokens } from '../../sentiment/attribution.ts';
import { excerptOf } from '../../text/excerpt.ts';
import { mergeMentions, type SeenMention } from '../merging.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { Verdict } from '../../sentiment/attribution.ts';
import { isFaintContradiction } from '../../sentiment/stars.ts';
import { buildTermFinder } from '../../text/terms.ts';
import type { Sentence, Span } from '../../text/text.ts';
import { type Evidence, evidenceOf } from './context.ts';
import notPeople from './not-people.json' with { type: 'json' };
import { findPeople, type Person } from './people.ts';
import type { Match, Roster } from './roster.ts';
import { NAME_SCORE } from './score.ts';

/** A name that may mean a technician outside the catalogue. */
export interface NameCandidate extends Span {
  /** As written, without a possessive: "Mike", "Mike Alvarez". */
  readonly name: string;
  /** How likely a person of the business is meant, 0 to 1 (score.ts). */
  readonly score: number;
  readonly sentiment: Sentiment;
  /** Whether the words beside it make it an executive, such as "CEO". */
  readonly isExecutive?: boolean;
  /** Whether the words around it mean a town or another company. */
  readonly isPlace?: boolean;
  /** The span of the excerpt to show. */
  readonly phraseStart: number;
  readonly phraseEnd: number;
}

export interface PeopleFound {
  readonly technicians: readonly FoundMention[];
  readonly names: readonly NameCandidate[];
}

/** The most mentions of one name in one review. */
const MOST_MENTIONS = 4;

const findNotPeople = buildTermFinder(
  notPeople.phrases.map((phrase) => ({ id: phrase, names: [phrase] })),
  { isName: true },
);

/** The parts of a review that matter for its people. */
interface Context {
  /** Display name of the author, who is never a technician. */
  readonly author: string;
  /** Stars. */
  readonly rating: number;
  /** 1 for each token that names a service area or the business. */
  readonly taken: Uint8Array;
}

export function findTechnicians(
  annotated: AnnotatedText,
  roster: Roster,
  { author, rating, taken }: Context,
): PeopleFound {
  const others = taken.slice();
  for (const { from, to } of findNotPeople(annotated)) others.fill(1, from, to);
  const people = findPeople(annotated, (at) => others[at] === 1, roster.kindOf);
  if (people.length === 0) return { technicians: [], names: [] };
  const authors = new Set(fold(author).split(/[^\p{L}'-]+/u));
  const evidence = evidenceOf(annotated, people, (given) => given.length > 1 && authors.has(given));
  const seen: SeenMention[] = [];
  const names: NameCandidate[] = [];
  const places = new Map<string, NameCandidate>();
  people.forEach((person, at) => {
    const one = evidence[at] as Evidence;
    if (one.isElsewhere) {
      if (one.isPlace)
        places.set(person.name, { ...candidateOf(annotated, person, one, rating), isPlace: true });
      return;
    }
    const match = roster.match(person, person.name);
    if (match === 'shared') return;
    if (match !== null) {
      if (isMeant(match, person, one))
        seen.push({ id: match.id, ...sentimentFor(annotated, person, one, rating) });
    } else if (one.score >= NAME_SCORE.faint) {
      names.push(candidateOf(annotated, person, one, rating));
    }
  });
  return {
    technicians: mergeMentions(seen, rating),
    names: [...withFullNames(names), ...places.values()],
  };
}

/** Whether a match means the technician. A misspelling or an ordinary word needs a context that speaks of a
 * person. */
function isMeant(match: Exclude<Match, 'shared' | null>, person: Person, one: Evidence): boolean {
  if (!match.isExact) return one.score >= NAME_SCORE.acting - 0.05;
  if (person.family !== null && person.given !== null) return true;
  return one.score >= NAME_SCORE.faint;
}

/** The sentiment about a person and its excerpt, possibly from the next sentence: "Mike came. He was great." */
function sentimentFor(
  annotated: AnnotatedText,
  { from, to, sentence }: Person,
  { isThanked, isDeed }: Evidence,
  rating: number,
): Omit<SeenMention, 'id'> {
  const verdict = sentimentAbout(annotated, from, to);
  const phrase = excerptOf(annotated, from, to);
  const [own, next] = [annotated.sentences[sentence], annotated.sentences[sentence + 1]];
  const hasOpinion = own !== undefined && hasOpinionIn(annotated, own.from, own.to);
  if (hasOpinion && verdict.sentiment !== 'neutral' && !isFaintContradiction(verdict, rating))
    return { sentiment: verdict.sentiment, ...phrase };
  if (isThanked && rating > 2) return { sentiment: 'positive', ...phrase };
  if (next && continuesAbout(annotated, next, hasOpinion ? null : verdict)) {
    const both = excerptOf(annotated, from, to, true);
    // Only a sentence that fits the excerpt is read, so the cost for each person is bounded.
    if (both.end === next.end) {
      const { sentiment, weight } = sentimentOfTokens(annotated, next.from, next.to);
      const isBlame = sentiment === 'negative' && (rating > 3 || weight < 0.7);
      if (sentiment !== 'neutral' && !isBlame) return { sentiment, ...both };
    }
  }
  const isPraise = rating === 5 && isDeed;
  return { sentiment: isPraise ? 'positive' : 'neutral', ...phrase };
}

/** Whether the next sentence is about the same person: it begins with "he" or "she", or the verdict comes
 * from there. */
function continuesAbout(
  { tokens }: AnnotatedText,
  next: Sentence,
  verdict: Verdict | null,
): boolean {
  if (verdict !== null && verdict.sentiment !== 'neutral') return true;
  return /^(?:he|she|he's|she's)$/.test(tokens[next.from]?.folded ?? '');
}

function candidateOf(
  annotated: AnnotatedText,
  person: Person,
  one: Evidence,
  rating: number,
): NameCandidate {
  const { sentiment, start, end } = sentimentFor(annotated, person, one, rating);
  return {
    name: person.name,
    score: one.score,
    sentiment: (sentiment ?? 'neutral') satisfies Sentiment,
    ...(one.isExecutive && { isExecutive: true }),
    start: annotated.tokens[person.from]?.start ?? 0,
    end: annotated.tokens[person.to - 1]?.end ?? 0,
    phraseStart: start,
    phraseEnd: end,
  };
}

/** Gives bare names the only full name that the review has for them ("Theo Grant ... Theo"), and keeps the
 * first few mentions of each name. */
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
