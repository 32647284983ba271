// Builds the folded texts and the postings of texts, ratings and sources. This is most of the work of
// building an index, so for many reviews it runs in a thread of its own.

import { Worker } from 'node:worker_threads';
import { fold } from '../model/fold.ts';
import type { Review } from '../model/review.ts';
import { ByteWriter } from '../model/bytes.ts';
import { moduleBeside } from '../model/program-files.ts';
import { GRAMS, GramWriter } from './grams.ts';
import { type PostingSections, PostingsWriter } from './postings.ts';

/** Terminates a folded text. Never a byte of UTF-8, so no match spans two texts. */
const TEXT_END = 0xff;

/** Terms after the grams: has a text; has exactly n stars; has at least n stars. */
export const HAS_TEXT = GRAMS;
export const STARS = HAS_TEXT;
export const AT_LEAST = STARS + 5;
/** The terms of sources, by their numbers, follow. */
export const SOURCES = AT_LEAST + 6;

/** Fewer reviews are indexed faster than a thread starts. */
const MIN_FOR_THREAD = 5_000;

/** The indexed fields of reviews, each a list in the order of positions. */
export interface Indexed {
  readonly texts: readonly (string | null)[];
  readonly ratings: Uint8Array;
  /** Indexes of `sourceNames`. */
  readonly sources: Uint32Array;
}

export type TermSections = PostingSections & {
  /** Concatenated folded texts. */
  readonly texts: Uint8Array;
  /** Start of each text, and the end of the last one. */
  readonly textStarts: Uint32Array;
};

/** The indexed fields of `reviews`, which are sorted newest first, and the names of their sources. */
export function toIndex(
  reviews: readonly Review[],
): Indexed & { readonly sourceNames: readonly string[] } {
  const numbers = new Map<string, number>();
  const sources = Uint32Array.from(reviews, ({ source }) => {
    const number = numbers.get(source) ?? numbers.size;
    numbers.set(source, number);
    return number;
  });
  return {
    texts: reviews.map(({ text }) => text),
    ratings: Uint8Array.from(reviews, ({ rating }) => rating),
    sources,
    sourceNames: [...numbers.keys()],
  };
}

/** Indexes many reviews in another thread, few in this one. @throws if the thread fails */
export async function indexTermsBeside(indexed: Indexed): Promise<TermSections> {
  if (indexed.texts.length < MIN_FOR_THREAD) return indexTerms(indexed);
  const { texts, ratings, sources } = indexed;
  const thread = new Worker(moduleBeside(import.meta.url, './index-thread'), {
    workerData: { texts, ratings, sources } satisfies Indexed,
  });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) =>
      reject(new Error(`the indexing thread exited with code ${code}`)),
    );
  });
}

export function indexTerms({ texts: given, ratings, sources }: Indexed): TermSections {
  const writer = new ByteWriter();
  const textStarts = new Uint32Array(given.length + 1);
  given.forEach((text, position) => {
    if (text !== null) writer.write(fold(text));
    writer.writeByte(TEXT_END);
    textStarts[position + 1] = writer.length;
  });
  const texts = writer.finish();
  const postings = new PostingsWriter(given.length);
  const grams = new GramWriter({ bytes: texts, starts: textStarts }, postings);
  const slots = new Map<number, number>();
  const addTerm = (term: number, position: number) => {
    const slot = slots.get(term) ?? postings.addTerm(term);
    slots.set(term, slot);
    postings.add(slot, position);
  };
  const addAll = () => {
    given.forEach((text, position) => {
      const rating = ratings[position] as number;
      grams.add(position);
      if (text !== null) addTerm(HAS_TEXT, position);
      addTerm(STARS + rating, position);
      for (let stars = 2; stars <= rating; stars++) addTerm(AT_LEAST + stars, position);
      addTerm(SOURCES + (sources[position] as number), position);
    });
  };
  addAll();
  postings.startWriting();
  addAll();
  return { texts, textStarts, ...postings.finish() };
}
