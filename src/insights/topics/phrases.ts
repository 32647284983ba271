// Finds phrases that stand out in a corpus: pairs of words that several reviews have and that occur
// together, such as "heat pump". They become topics besides those of the vertical.

import { fold } from '../../model/fold.ts';
import { FINITE, FUNCTION_WORDS, INTENSIFIERS, NUMBER_WORDS, setOf } from '../text/grammar.ts';
import { LEXICON } from '../sentiment/lexicon.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { slugOf } from '../text/slug.ts';
import { singular } from '../text/terms.ts';
import { GAP, type Span, type Token } from '../text/text.ts';
import { tokenise } from '../text/tokens.ts';

/** A pair of words that may be a topic. */
export interface PhraseCandidate extends Span {
  /** Both words, folded and singular. */
  readonly key: string;
}

/** The least number of reviews that have a phrase, and their least share. */
const FEWEST = 3;
const SHARE = 0.01;
/** Of the reviews that have either word in any pair, the least share that has this pair. */
const COHESION = 0.2;
/** The most topics from the corpus. */
const MOST = 12;
/** Frequent words that name no topic. */
const VAGUE = setOf(
  `time times day days week weeks month months year years hour hours minute minutes morning afternoon
   evening night today tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday thing
   things way lot lots bit people guy guys someone everyone anyone everything something anything nothing
   first last next second third half back star stars review reviews customer customers don didn doesn
   january february march april may june july august september october november december man men woman women
   lady young company companies business place places hundred dozen couple walk min mins away exit member members
   make makes making made sure call calls called calling visit visits visited need needs want wants look looks find feel home`,
).union(new Set(NUMBER_WORDS));
/** The most letters of a word. */
const LONGEST = 24;
/** White space other than a single space. */
const BLANKS = /\s{2,}|[^\S ]/g;

/** The pairs of nouns of a review, one per key. */
export function findPhrases(annotated: AnnotatedText): PhraseCandidate[] {
  const found = new Map<string, PhraseCandidate>();
  for (const { from, to } of annotated.clauses) {
    for (let at = from; at < to - 1; at += 1) {
      const [first, second] = [annotated.tokens[at] as Token, annotated.tokens[at + 1] as Token];
      if ((second.gap & ~GAP.hyphen) !== 0 || !isContent(first) || !isContent(second)) continue;
      const key = `${singular(first.bare)} ${singular(second.bare)}`;
      if (found.has(key)) continue;
      found.set(key, { key, start: first.start, end: second.end });
    }
  }
  return [...found.values()];
}

function isContent({ kind, folded, bare }: Token): boolean {
  return (
    kind === 'word' &&
    bare.length > 2 &&
    bare.length <= LONGEST &&
    !folded.includes("'") &&
    !FUNCTION_WORDS.has(bare) &&
    !FINITE.has(bare) &&
    !INTENSIFIERS.has(bare) &&
    !LEXICON.words.has(bare) &&
    !VAGUE.has(bare) &&
    !/(?:ly|ing|ed)$/.test(bare)
  );
}

export interface CorpusTopic {
  readonly id: string;
  readonly label: string;
  readonly keywords: readonly string[];
}

export interface StandoutPhrases {
  readonly topics: readonly CorpusTopic[];
  /** Ids of the topics among the candidates of a review. */
  readonly topicsOf: (candidates: readonly PhraseCandidate[]) => string[];
}

export function wordsOfNames(names: Iterable<string>): ReadonlySet<string> {
  return new Set([...names].flatMap((name) => tokenise(name).map(({ bare }) => singular(bare))));
}

/** The keys of all pairs of words in names. */
export function keysOfNames(names: Iterable<string>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const name of names) {
    const words = tokenise(name).map(({ bare }) => singular(bare));
    for (const [at, word] of words.entries()) {
      if (at > 0) keys.add(`${words[at - 1] as string} ${word}`);
    }
  }
  return keys;
}

/**
 * The phrases that stand out, most frequent first.
 *
 * @param known keys that are left out, because the catalogue or the vertical names them
 * @param takenIds ids of other topics
 * @param names words that name people or the business: a phrase with one is no topic
 */
export function standoutPhrases(
  reviews: readonly { readonly text: string; readonly phrases: readonly PhraseCandidate[] }[],
  known: ReadonlySet<string>,
  takenIds: ReadonlySet<string>,
  names: ReadonlySet<string> = new Set(),
): StandoutPhrases {
  const having = new Map<string, Set<number>>();
  const words = new Map<string, number>();
  for (const [review, { phrases }] of reviews.entries()) {
    for (const { key } of phrases) having.set(key, (having.get(key) ?? new Set()).add(review));
    for (const word of new Set(phrases.flatMap(({ key }) => key.split(' ')))) add(words, word);
  }
  const fewest = Math.max(FEWEST, Math.ceil(SHARE * reviews.length));
  const standing = [...having]
    .filter(
      ([key, { size }]) =>
        size >= fewest &&
        !known.has(key) &&
        key.split(' ').every((word) => !names.has(word) && size >= COHESION * words.get(word)!),
    )
    .toSorted(([a, m], [b, n]) => n.size - m.size || (a < b ? -1 : 1))
    // "Cod chowder" of the reviews that have "black cod" is the same topic.
    .filter(([, own], at, all) => !all.slice(0, at).some(([, other]) => own.isSubsetOf(other)))
    .slice(0, MOST);
  const spellings = spellingsOf(reviews, new Set(standing.map(([key]) => key)));
  const topics = new Map(
    standing
      .map(([key]) => [key, topicOf(key, spellings.get(key) ?? new Map<string, number>())] as const)
      .filter(([, { id }]) => id !== '' && !takenIds.has(id)),
  );
  return {
    topics: [...topics.values()],
    topicsOf: (candidates) =>
      candidates.length === 0
        ? []
        : [...new Set(candidates.flatMap(({ key }) => topics.get(key)?.id ?? []))],
  };
}

/** How reviews write some phrases, and how often, by key. */
function spellingsOf(
  reviews: readonly { readonly text: string; readonly phrases: readonly PhraseCandidate[] }[],
  keys: ReadonlySet<string>,
): Map<string, Map<string, number>> {
  const spellings = new Map([...keys].map((key) => [key, new Map<string, number>()]));
  for (const { text, phrases } of reviews) {
    for (const { key, start, end } of phrases) {
      const written = spellings.get(key);
      if (written) add(written, text.slice(start, end).replace(BLANKS, ' '));
    }
  }
  return spellings;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** The topic of a key, in its most frequent spelling. */
function topicOf(key: string, spellings: ReadonlyMap<string, number>): CorpusTopic {
  const [[label] = [key]] = [...spellings].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    id: slugOf(key),
    label: label.charAt(0).toUpperCase() + label.slice(1),
    keywords: [...new Set([...spellings.keys()].map(fold))].toSorted().slice(0, 3),
  };
}
