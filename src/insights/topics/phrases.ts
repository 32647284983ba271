// Phrases that stand out in a corpus: pairs of words that several reviews have and that belong
// together, such as "heat pump". They become topics beside those of the vertical.

import { fold } from '../../model/fold.ts';
import { FINITE, FUNCTION_WORDS, INTENSIFIERS } from '../text/grammar.ts';
import { LEXICON } from '../sentiment/lexicon.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { slugOf } from '../text/slug.ts';
import { singular } from '../text/terms.ts';
import { GAP, type Span, type Token } from '../text/text.ts';
import { tokenise } from '../text/tokens.ts';

/** A phrase that may stand out in the corpus. */
export interface PhraseCandidate extends Span {
  readonly key: string;
}

/** A phrase stands out from so many reviews on, and from this share of them. */
const FEWEST = 3;
const SHARE = 0.01;
/** Of the reviews with either word in a phrase, this part has this phrase. */
const COHESION = 0.2;
/** No more topics than this come from the corpus. */
const MOST = 12;
/** Words that many phrases have and that say nothing. */
const VAGUE = new Set(
  `time times day days week weeks month months year years hour hours minute minutes morning
   afternoon evening night today tomorrow yesterday monday tuesday wednesday thursday friday saturday
   sunday thing things way lot lots bit people guy guys someone everyone anyone everything something
   anything nothing first last next second third half back star stars review reviews don didn doesn
   january february march april may june july august september october november december`.split(
    /\s+/,
  ),
);
/** A word that is longer is no word. */
const LONGEST = 24;
/** A blank that is not alone, or is not a space. */
const BLANKS = /\s{2,}|[^\S ]/g;

/** The pairs of nouns of a review, each once. `isTaken` tells tokens that are names already. */
export function findPhrases(
  annotated: AnnotatedText,
  isTaken: (token: number) => boolean = () => false,
): PhraseCandidate[] {
  const found = new Map<string, PhraseCandidate>();
  for (const { from, to } of annotated.clauses) {
    for (let at = from; at < to - 1; at += 1) {
      const [first, second] = [annotated.tokens[at] as Token, annotated.tokens[at + 1] as Token];
      if ((second.gap & ~GAP.hyphen) !== 0 || !isContent(first) || !isContent(second)) continue;
      if (isTaken(at) || isTaken(at + 1)) continue;
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
  /** Ids of the topics that a review has. */
  readonly topicsOf: (candidates: readonly PhraseCandidate[]) => string[];
}

/** What the catalogue and the vertical name already, as keys of phrases. */
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
 * The phrases that stand out, most used first. `known` are keys, `takenIds` ids, that the vertical
 * or the catalogue has already.
 */
export function standoutPhrases(
  reviews: Iterable<{ readonly text: string; readonly phrases: readonly PhraseCandidate[] }>,
  known: ReadonlySet<string>,
  takenIds: ReadonlySet<string>,
): StandoutPhrases {
  const counts = new Map<string, number>();
  const words = new Map<string, number>();
  const spellings = new Map<string, Map<string, number>>();
  let total = 0;
  for (const { text, phrases } of reviews) {
    total += 1;
    for (const { key, start, end } of phrases) {
      add(counts, key);
      const written = spellings.get(key) ?? new Map<string, number>();
      spellings.set(key, written);
      add(written, text.slice(start, end).replace(BLANKS, ' '));
    }
    const own = new Set<string>();
    for (const { key } of phrases) for (const word of key.split(' ')) own.add(word);
    for (const word of own) add(words, word);
  }
  const fewest = Math.max(FEWEST, Math.ceil(SHARE * total));
  const standing = [...counts]
    .filter(([key, count]) => count >= fewest && !known.has(key) && isCohesive(key, count, words))
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MOST);
  const topics = new Map(
    standing
      .map(([key]) => [key, topicOf(key, spellings.get(key) ?? new Map<string, number>())] as const)
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

/** Named as most reviews write it. */
function topicOf(key: string, spellings: ReadonlyMap<string, number>): CorpusTopic {
  const [[label] = [key]] = [...spellings].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return {
    id: slugOf(key),
    label: label.charAt(0).toUpperCase() + label.slice(1),
    keywords: [...new Set([...spellings.keys()].map(fold))].toSorted().slice(0, 3),
  };
}
