// The features of a part of a text for the sentence model: word stems, word classes (word-classes.json), clusters of words
// that are used alike (word-clusters.json), pairs of neighbouring words, opinions, and what patterns find (evidence.ts).

import { lowerBound } from '../../model/lower-bound.ts';
import { firstOpinion } from '../sentiment/attribution.ts';
import type { Opinion } from '../sentiment/opinions.ts';
import type { AnnotatedText } from '../text/annotate.ts';
import { STOP_WORDS } from '../text/grammar.ts';
import { once } from '../once.ts';
import type { Evidence } from './evidence.ts';
import { hashOf, mix } from './hashing.ts';
import wordClasses from './word-classes.json' with { type: 'json' };
import wordClusters from '../../model/word-clusters.json' with { type: 'json' };

/** Kinds of features; those of evidence.ts are above. */
export const TEXT_KIND = {
  word: 0,
  wordClass: 1,
  wideCluster: 2,
  cluster: 3,
  content: 4,
  next: 5,
  skipping: 6,
  praise: 7,
  complaint: 8,
  noOpinion: 9,
  praised: 10,
  blamed: 11,
  praisedCluster: 12,
  blamedCluster: 13,
  length: 14,
} as const;

/** Of a part of a text with praise, and with complaint. */
export const OPINION = {
  praise: mix(TEXT_KIND.praise, 0),
  complaint: mix(TEXT_KIND.complaint, 0),
} as const;

/** How near an opinion a word counts as praised or blamed, in keys. */
const NEAR = 4;
/** Lengths are counted in steps of so many keys, up to the longest step. */
const LENGTH_STEP = 6;
const LONGEST = 5;

const CLASS_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(wordClasses)
    .filter(([name]) => name !== 'about')
    // The first class of a word counts, so it is written last.
    .toReversed()
    .flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
);

/** By word its cluster, and the wide cluster of that. */
export const CLUSTERS = once(
  () =>
    new Map(
      wordClusters.clusters.flatMap((list, cluster) => {
        const [wide, ...words] = list.split(' ');
        const own = { wide: Number(wide) + 1, cluster: cluster + 1 };
        return words.map((word) => [word, own] as const);
      }),
    ),
);

/** A word without its ending; all numbers are "#", all amounts of money "$". */
function stemOf(word: string): string {
  if (word.startsWith('$')) return '$';
  if (/^\d/.test(word)) return '#';
  let stem = word;
  if (stem.length > 4) {
    stem = stem.replace(/(?:ing|edly|ed|ly|es|s)$/, '');
    if (/([bdgmnprt])\1$/.test(stem)) stem = stem.slice(0, -1);
  }
  return stem.length > 4 ? stem.replace(/[ey]$/, '') : stem;
}

/** The cached properties of a word. */
interface Seen {
  /** The hashes of its stem and of its class; a word without a class has its stem as class. */
  readonly stem: number;
  readonly kind: number;
  /** The numbers of its clusters; 0 without one. */
  readonly wide: number;
  readonly cluster: number;
  readonly isStopWord: boolean;
}

/** The most words in the cache: more than people use, and bounded for any text. */
const MOST_SEEN = 50_000;

export class FeatureExtractor {
  readonly #seen = new Map<string, Seen>();

  /** Emits the features of the tokens [from, to), some of them several times. `evidence` is that of the text. */
  extract(
    annotated: AnnotatedText,
    evidence: readonly Evidence[],
    from: number,
    to: number,
    emit: (feature: number) => void,
  ): void {
    const { keys } = annotated;
    const end = keys.firstOf[to] as number;
    const start = keys.firstOf[from] as number;
    emit(mix(TEXT_KIND.length, Math.min(LONGEST, Math.floor((end - start) / LENGTH_STEP))));
    this.#emitWords(annotated, start, end, emit);
    this.#emitOpinions(annotated, from, to, emit);
    const firstEvidence = lowerBound(
      evidence.length,
      (at) => (evidence[at] as Evidence).token >= from,
    );
    for (let at = firstEvidence; at < evidence.length; at += 1) {
      const { token, feature } = evidence[at] as Evidence;
      if (token >= to) break;
      emit(feature);
    }
  }

  #emitWords({ keys }: AnnotatedText, start: number, end: number, emit: (feature: number) => void) {
    // The classes of the two words before, and of the two content words before; 0 without one.
    let [last, beforeLast, content, beforeContent] = [0, 0, 0, 0];
    for (let at = start; at < end; at += 1) {
      const { stem, kind, wide, cluster, isStopWord } = this.#see(keys.words[at] as string);
      if (!isStopWord) {
        emit(mix(TEXT_KIND.word, stem));
        if (kind !== stem) emit(mix(TEXT_KIND.wordClass, kind));
        if (cluster !== 0) {
          emit(mix(TEXT_KIND.wideCluster, wide));
          emit(mix(TEXT_KIND.cluster, cluster));
        }
        if (content !== 0) emit(mix(TEXT_KIND.content, content, kind));
        if (beforeContent !== 0) emit(mix(TEXT_KIND.content, beforeContent, kind));
        beforeContent = content;
        content = kind;
      }
      if (last !== 0) emit(mix(TEXT_KIND.next, last, kind));
      if (beforeLast !== 0) emit(mix(TEXT_KIND.skipping, beforeLast, kind));
      beforeLast = last;
      last = kind;
    }
  }

  /** Emits whether there is praise or complaint, and the words near it. */
  #emitOpinions(
    { keys, opinions }: AnnotatedText,
    from: number,
    to: number,
    emit: (feature: number) => void,
  ): void {
    const [start, end] = [keys.firstOf[from] as number, keys.firstOf[to] as number];
    const first = firstOpinion(opinions, from);
    for (let index = first; index < opinions.length; index += 1) {
      const opinion = opinions[index] as Opinion;
      if (opinion.from >= to) break;
      const isPraise = opinion.value > 0;
      emit(isPraise ? OPINION.praise : OPINION.complaint);
      const last = Math.min(end, (keys.firstOf[opinion.to] as number) + NEAR);
      const near = Math.max(start, (keys.firstOf[opinion.from] as number) - NEAR);
      for (let at = near; at < last; at += 1) {
        const { kind, wide, isStopWord } = this.#see(keys.words[at] as string);
        if (isStopWord) continue;
        emit(mix(isPraise ? TEXT_KIND.praised : TEXT_KIND.blamed, kind));
        if (wide !== 0)
          emit(mix(isPraise ? TEXT_KIND.praisedCluster : TEXT_KIND.blamedCluster, wide));
      }
    }
    if ((opinions[first]?.from ?? to) >= to) emit(mix(TEXT_KIND.noOpinion, 0));
  }

  #see(word: string): Seen {
    const known = this.#seen.get(word);
    if (known) return known;
    const stem = stemOf(word);
    const clusters = CLUSTERS().get(word);
    const seen: Seen = {
      stem: hashOf(stem),
      kind: hashOf(CLASS_OF.get(word) ?? stem),
      wide: clusters?.wide ?? 0,
      cluster: clusters?.cluster ?? 0,
      isStopWord: STOP_WORDS.has(word),
    };
    if (this.#seen.size < MOST_SEEN) this.#seen.set(word, seen);
    return seen;
  }
}
