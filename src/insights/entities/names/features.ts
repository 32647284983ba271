// The features of a name in a review for the model (model.ts): the words around each place that has it, what it looks
// like, and what the review is. They are hashes, so no list of contexts is needed.

import { CLUSTERS } from '../../claims/features.ts';
import { hashOf, mix } from '../../claims/hashing.ts';
import { once } from '../../once.ts';
import { GAP, type SegmentedText, type Sentence, type Token } from '../../text/text.ts';
import type { Person } from './candidates.ts';
import KIND from './feature-kinds.json' with { type: 'json' };
import { CUES, givenNameOf, isOrdinaryWord } from './word-lists.ts';

/** What is known beside the text. */
export interface ReviewOfName {
  /** Display name of the author, who is never a technician. */
  readonly author: string;
  readonly rating: number;
  /** The vertical of the business, for features the widest. */
  readonly vertical: string;
}

/** Features are numbers below this. */
export const FEATURES = 2 ** 14;

/** How far from a name words count by their classes, and a "he" or "she" behind it, in words. */
const FAR = 9;
const PRONOUN_WITHIN = 40;
/** Numbers of words with a capital do not differ from this on. */
const MOST_CAPITALS = 5;

type Emit = (kind: keyof typeof KIND, first?: number, second?: number) => void;

/** A word with the classes that it belongs to: lists of cues.json, and clusters of words that are used alike. */
interface Seen {
  readonly hash: number;
  readonly cues: readonly number[];
  readonly classes: readonly number[];
  /** The number of its wide cluster; 0 without one. */
  readonly wide: number;
}

const CUES_OF = once(() => {
  const found = new Map<string, number[]>();
  for (const [name, words] of Object.entries(CUES))
    for (const word of words) found.set(word, [...(found.get(word) ?? []), hashOf(name)]);
  return found;
});

/** The most words in the cache: more than people use, and bounded for any text. */
const MOST_SEEN = 20_000;
const SEEN = new Map<string, Seen>();

function see(word: string): Seen {
  const known = SEEN.get(word);
  if (known) return known;
  const cues = CUES_OF().get(word) ?? [];
  const { wide = 0, cluster = 0 } = CLUSTERS().get(word) ?? {};
  const classes = [...cues, hashOf(/(?:ed|ing|ly|s)$/.exec(word)?.[0] ?? '')];
  if (wide !== 0) classes.push(mix(1, wide), mix(2, cluster));
  if (givenNameOf(word) === 'name') classes.push(hashOf('given'));
  const seen = { hash: hashOf(word), cues, classes, wide };
  if (SEEN.size < MOST_SEEN) SEEN.set(word, seen);
  return seen;
}

/** A range of tokens [from, to): names in a row ("X, Y and Z came") have the words around all of them. */
type Row = Pick<Person, 'from' | 'to'>;

export function featuresOfName(
  text: SegmentedText,
  people: readonly Person[],
  rows: ReadonlyMap<Person, Row>,
  { author, rating, vertical }: ReviewOfName,
): Set<number> {
  const features = new Set<number>();
  const emit: Emit = (kind, first = 0, second = 0) =>
    void features.add(mix(KIND[kind], first, second) & (FEATURES - 1));
  const [{ given, family, kind }] = people as [Person, ...Person[]];
  const word = given ?? family ?? String(kind);
  const nameKind = hashOf(String(kind));
  emit('bias');
  emit('kind', nameKind);
  emit('stars', rating, nameKind);
  emit('vertical', hashOf(vertical), nameKind);
  const authors = author.toLowerCase().split(/[^\p{L}'-]+/u);
  if (word.length > 1 && authors.includes(word)) emit('author');
  emit('word', hashOf(word));
  for (const one of see(word).classes) emit('wordClass', one);
  if (text.tokens.some(({ bare, capital }) => capital === 'lower' && bare === word))
    emit('isLowerToo', nameKind);
  for (const person of people) {
    emitLooks(text, person, nameKind, emit);
    emitAround(text, person, rows.get(person) ?? person, nameKind, emit);
  }
  return features;
}

function emitLooks(text: SegmentedText, person: Person, nameKind: number, emit: Emit): void {
  const { tokens, sentences } = text;
  const { from, to, given, family } = person;
  const sentence = sentences[person.sentence] as Sentence;
  const [first, last] = [tokens[from] as Token, tokens[to - 1] as Token];
  emit('capital', hashOf(first.capital), nameKind);
  const hasFamily = family !== null && given !== null;
  const familyKind = family?.length === 1 ? 'initial' : String(isOrdinaryWord(family ?? ''));
  emit('family', hasFamily ? hashOf(familyKind) : 0, nameKind);
  for (const one of see(family ?? '').classes) emit('familyClass', one);
  const [opens, closes] = [from === sentence.from, to === sentence.to];
  if (from === 0) emit('opensText');
  if (opens) emit('opens', nameKind);
  if (to === tokens.length) emit('closes', opens ? 1 : 0, gapOf(first.gap));
  if (opens && closes) emit('whole', nameKind);
  const next = closes ? undefined : tokens[to];
  const isOwner = last.folded !== last.bare;
  if (next?.gap === 0 && next.capital === 'title') emit('capitalAfter', isOwner ? 1 : 0);
  if (!isOwner) return;
  emit('possessive', nameKind);
  for (const one of see(next?.bare ?? '').classes) emit('possessive', 1, one);
}

/** The words around a name at one place, within its sentence. */
function emitAround(
  { tokens, sentences }: SegmentedText,
  person: Person,
  row: Row,
  nameKind: number,
  emit: Emit,
): void {
  const sentence = sentences[person.sentence] as Sentence;
  const seen = (from: number, to: number) =>
    tokens
      .slice(Math.max(sentence.from, from), Math.min(sentence.to, to))
      .map(({ bare }) => see(bare));
  const before = seen(row.from - FAR, row.from);
  const after = seen(row.to, row.to + FAR);
  const [left, right] = [before.at(-1) ?? see('<'), after[0] ?? see('>')];
  emit('wordBefore', left.hash);
  emit('wordAfter', right.hash);
  emit('around', left.hash, right.hash);
  for (const one of left.classes) emit('classBefore', one);
  for (const one of right.classes) emit('classAfter', one);
  for (const { cues } of before) for (const cue of cues) emit('cueBefore', cue);
  for (const { cues } of after) for (const cue of cues) emit('cueAfter', cue);
  for (const { wide } of before.slice(-6)) if (wide !== 0) emit('clusterBefore', wide);
  if (row.from !== person.from || row.to !== person.to) emit('row', nameKind);
  const isKnown = ({ bare }: Token) => givenNameOf(bare) === 'name';
  if (person.kind !== 'name' && tokens.slice(row.from, row.to).some(isKnown))
    emit('rowOfKnown', nameKind);
  const capitals = tokens
    .slice(sentence.from + 1, Math.min(sentence.to, sentence.from + 100))
    .filter(({ capital }) => capital === 'title').length;
  emit('capitals', Math.min(MOST_CAPITALS, capitals), nameKind);
  const end = sentences[person.sentence + 1]?.to ?? sentence.to;
  const isPronoun = ({ bare }: Token) => /^(?:he|she|his|her|him|he'd|she'd)$/.test(bare);
  if (tokens.slice(person.to, Math.min(end, person.to + PRONOUN_WITHIN)).some(isPronoun))
    emit('pronoun', nameKind);
}

/** The kind of punctuation: 0 for none. */
function gapOf(gap: number): number {
  if ((gap & GAP.line) !== 0) return 1;
  if ((gap & GAP.dash) !== 0) return 2;
  if ((gap & (GAP.stop | GAP.exclamation | GAP.question | GAP.ellipsis)) !== 0) return 3;
  return gap === 0 ? 0 : 4;
}

/** The rows that names stand in. */
export function rowsOf(text: SegmentedText, people: readonly Person[]): Map<Person, Row> {
  const rows = new Map<Person, Row>();
  for (let first = 0; first < people.length;) {
    let last = first;
    while (last + 1 < people.length && isNextInRow(text, people, last)) last += 1;
    const row = { from: (people[first] as Person).from, to: (people[last] as Person).to };
    for (; first <= last; first += 1) rows.set(people[first] as Person, row);
  }
  return rows;
}

function isNextInRow({ tokens }: SegmentedText, people: readonly Person[], at: number): boolean {
  const [a, b] = [people[at] as Person, people[at + 1] as Person];
  if (a.sentence !== b.sentence) return false;
  const { gap } = tokens[b.from] as Token;
  const joined = GAP.comma | GAP.ampersand | GAP.slash | GAP.other;
  if (b.from === a.to) return gap !== 0 && (gap & ~joined) === 0;
  return b.from === a.to + 1 && /^(?:and|n|plus|or|y)$/.test((tokens[a.to] as Token).folded);
}
