// Phrases that stand out in a corpus: pairs of words that several reviews have and that belong
// together, such as "heat pump". They become topics beside those of the vertical.

import type { PhraseCandidate } from './analysis.ts';
import { sentimentOfTokens } from './attribution.ts';
import { FINITE, FUNCTION_WORDS, INTENSIFIERS } from './grammar.ts';
import { LEXICON } from './lexicon.ts';
import { isCommonWord } from './names/word-lists.ts';
import type { Reading } from './reading.ts';
import { slugOf } from './slug.ts';
import { singular } from './terms.ts';
import { GAP, type Token } from './text.ts';

/** A phrase stands out from so many reviews on, and from this share of them. */
const FEWEST = 3;
const SHARE = 0.01;
/** Of the reviews with either word in a phrase, this part has this phrase. */
const COHESION = 0.2;
/** No more topics than this come from the corpus. */
const MOST = 12;
/** A word that is longer is no word. */
const LONGEST = 24;

/** The pairs of nouns of a review, each once. `isTaken` tells tokens that are names already. */
export function findPhrases(
  reading: Reading,
  isTaken: (token: number) => boolean = () => false,
): PhraseCandidate[] {
  const found = new Map<string, PhraseCandidate>();
  for (const { from, to } of reading.clauses) {
    for (let at = from; at < to - 1; at += 1) {
      const [first, second] = [reading.tokens[at] as Token, reading.tokens[at + 1] as Token];
      if ((second.gap & ~GAP.hyphen) !== 0 || !isContent(first) || !isContent(second)) continue;
      if (isTaken(at) || isTaken(at + 1)) continue;
      const key = `${singular(first.bare)} ${singular(second.bare)}`;
      if (found.has(key)) continue;
      const { sentiment } = sentimentOfTokens(reading, from, to);
      const { start } = first;
      found.set(key, { key, sentiment: sentiment ?? 'neutral', start, end: second.end });
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
    !isCommonWord(bare) &&
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
  /** Ids of the topics that a review has. */
  readonly topicsOf: (candidates: readonly PhraseCandidate[]) => string[];
}

/**
 * The phrases that stand out, most used first. `isKnown` tells keys, and `takenIds` ids, that the
 * vertical or the catalogue has already.
 */
export function standoutPhrases(
  reviews: Iterable<{ readonly phrases: readonly PhraseCandidate[] }>,
  isKnown: (key: string) => boolean,
  takenIds: ReadonlySet<string>,
): StandoutPhrases {
  const counts = new Map<string, number>();
  const words = new Map<string, number>();
  let total = 0;
  for (const { phrases } of reviews) {
    total += 1;
    for (const { key } of phrases) add(counts, key);
    for (const word of new Set(phrases.flatMap(({ key }) => key.split(' ')))) add(words, word);
  }
  const fewest = Math.max(FEWEST, Math.ceil(SHARE * total));
  const standing = [...counts]
    .filter(([key, count]) => count >= fewest && !isKnown(key) && isCohesive(key, count, words))
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST);
  const topics = new Map(
    standing
      .map(([key]) => [key, topicOf(key)] as const)
      .filter(([, { id }]) => id !== '' && !takenIds.has(id)),
  );
  return {
    topics: [...topics.values()],
    topicsOf: (candidates) => [
      ...new Set(candidates.flatMap(({ key }) => topics.get(key)?.id ?? [])),
    ],
  };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function isCohesive(key: string, count: number, words: ReadonlyMap<string, number>): boolean {
  return key.split(' ').every((word) => count >= COHESION * (words.get(word) ?? count));
}

function topicOf(key: string): CorpusTopic {
  return { id: slugOf(key), label: key.charAt(0).toUpperCase() + key.slice(1), keywords: [key] };
}
