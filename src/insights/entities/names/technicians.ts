// Finds the people of the business that a review mentions: technicians of the catalogue as mentions, other
// names as candidates, which confirm.ts confirms or not.

import type { Sentiment } from '../../../model/insights.ts';
import { roundTo } from '../../../model/rating.ts';
import { lineageOf } from '../../../model/verticals.ts';
import { excerptOf } from '../../text/excerpt.ts';
import type { Mood } from '../../claims/claims.ts';
import { mergeMentions, type SeenMention } from '../merging.ts';
import type { AnnotatedText } from '../../text/annotate.ts';
import type { SegmentedText, Span } from '../../text/text.ts';
import { tokenise } from '../../text/tokens.ts';
import { findPeople, type KindOf, type Person } from './candidates.ts';
import { featuresOfName, type ReviewOfName, rowsOf } from './features.ts';
import { CLEAR, EXECUTIVE, logitOfName } from './model.ts';
import { isOfRelatives } from './relatives.ts';
import type { Match, Roster } from './roster.ts';
import { CUES } from './word-lists.ts';

/** A name that may mean a technician outside the catalogue. */
export interface NameCandidate extends Span {
  /** As written, without a possessive: "Mike", "Mike Alvarez". */
  readonly name: string;
  /** Evidence of this review that the name is of a person of the business: the logarithm of its odds. */
  readonly score: number;
  readonly sentiment: Sentiment;
  /** The span of the excerpt to show. */
  readonly phraseStart: number;
  readonly phraseEnd: number;
}

/** The most mentions of one name in one review. */
const MOST_MENTIONS = 4;
/** How many words before and after a name an executive is looked for. */
const EXECUTIVE_REACH = 5;
/** Less evidence is not kept: no other reviews could confirm the name. */
const FAINT = -3;
/** Before a name, of somebody else: "no relation to Mike", "I don't think his name was Mike". */
export const DENIED =
  /\bno relation (?:to|of)\b|n['’]?t (?:think|believe) (?:his|her|the|their) name (?:was|is)\b|\bname (?:was|is)n['’]?t\b/i;
/** A name of the catalogue is meant from this evidence on: of the review, and of the place ("my husband Mike"). */
const LIKELY = -2.7;
/** So many mentions of a name are judged one by one, so that a text of nothing but names takes linear time. */
const JUDGED_PLACES = 20;

/** What is known of a review and its business beside the text. */
interface Context extends ReviewOfName {
  /** Words of the business's own name, folded. They name nobody. */
  readonly ownWords: ReadonlySet<string>;
  /** Whether a token names something else. */
  readonly isTaken: (token: number) => boolean;
}

/** A name in a review: its mentions in the order of the text, and its features. */
export interface NameInReview {
  readonly people: readonly Person[];
  readonly features: ReadonlySet<number>;
  /** The features of one of the mentions alone. */
  readonly featuresOf: (person: Person) => ReadonlySet<number>;
}

export function wordsOfName(name: string): ReadonlySet<string> {
  return new Set(tokenise(name).map(({ bare }) => bare));
}

/** The names in a review, each once: by given name, or by the family name after a title. */
export function namesIn(text: SegmentedText, kindOf: KindOf, context: Context): NameInReview[] {
  const { author, rating, vertical, ownWords, isTaken } = context;
  const people = findPeople(text, kindOf).filter(
    ({ from, kind, given, family }) =>
      !isTaken(from) &&
      (kind === 'title' || !(ownWords.has(given ?? '') || ownWords.has(family ?? ''))),
  );
  if (people.length === 0) return [];
  const rows = rowsOf(text, people);
  const review = { author, rating, vertical: lineageOf(vertical).at(-1) as string };
  return [...Map.groupBy(people, ({ given, family }) => given ?? family).values()].map((own) => ({
    people: own,
    features: featuresOfName(text, own, rows, review),
    featuresOf: (person) => featuresOfName(text, [person], rows, review),
  }));
}

export function findTechnicians(
  annotated: AnnotatedText,
  roster: Roster,
  context: Context,
  moodOf: Mood,
) {
  const seen: SeenMention[] = [];
  const names: NameCandidate[] = [];
  for (const { people, features, featuresOf } of namesIn(annotated, roster.kindOf, context)) {
    const isExecutive = people.some((person) => isCalledExecutive(annotated, person));
    const score = isExecutive ? EXECUTIVE : logitOfName()(features);
    for (const [place, person] of people.entries()) {
      const match = roster.match(person, annotated.tokens[person.from - 1]?.bare);
      if (match === 'shared' || isOfRelatives(annotated.tokens, person)) continue;
      const isJudged = match !== null && people.length > 1 && place < JUDGED_PLACES;
      const own = isJudged ? logitOfName()(featuresOf(person)) : score;
      if (match !== null && isMeant(match, person, Math.min(score, own)))
        seen.push({ id: match.id, ...told(annotated, person, moodOf) });
      if (match === null && (isExecutive || score >= FAINT))
        names.push(candidateOf(annotated, person, score, moodOf));
    }
  }
  const inOrder = (a: Span, b: Span) => a.start - b.start;
  return {
    technicians: mergeMentions(seen.toSorted(inOrder), context.rating),
    names: withFullNames(names.toSorted(inOrder)),
  };
}

/** Whether a word for an executive stands near a name: "the CEO, Alex Cruz". */
function isCalledExecutive({ tokens, sentences }: AnnotatedText, person: Person): boolean {
  const { from, to } = sentences[person.sentence]!;
  const start = Math.max(from, person.from - EXECUTIVE_REACH);
  const around = tokens.slice(start, Math.min(to, person.to + EXECUTIVE_REACH));
  return around.some(({ bare }) => CUES.executives.has(bare));
}

/** Whether a match means the technician. A misspelling or an ordinary word needs a context that speaks of a
 * person. */
function isMeant(match: Exclude<Match, 'shared' | null>, person: Person, score: number): boolean {
  if (match.by === 'slip') return score >= CLEAR;
  return (person.family !== null && person.given !== null) || score >= LIKELY;
}

/** The sentiment about a person and its excerpt. */
function told(annotated: AnnotatedText, person: Person, moodOf: Mood) {
  const phrase = excerptOf(annotated, person.from, person.to);
  const isDenied = DENIED.test(annotated.text.slice(phrase.start, phrase.end));
  const sentiment: Sentiment = isDenied ? 'neutral' : moodOf(person);
  return { sentiment, ...phrase };
}

function candidateOf(
  annotated: AnnotatedText,
  person: Person,
  score: number,
  moodOf: Mood,
): NameCandidate {
  const { sentiment, start: phraseStart, end: phraseEnd } = told(annotated, person, moodOf);
  const [start, end] = [annotated.tokens[person.from]!.start, annotated.tokens[person.to - 1]!.end];
  return {
    name: person.name,
    score: roundTo(score, 2),
    sentiment,
    start,
    end,
    phraseStart,
    phraseEnd,
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
