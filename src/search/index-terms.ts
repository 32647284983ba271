// What search looks up: the folded texts, and the postings of what a filter may ask of a review. To
// make them is most of what building an index takes, so a thread beside this one does it where they are many.

import { Worker } from 'node:worker_threads';
import { fold } from '../model/fold.ts';
import type { Review } from '../model/review.ts';
import { ByteWriter } from '../model/bytes.ts';
import { GRAMS, GramWriter } from './grams.ts';
import { type PostingSections, PostingsWriter } from './postings.ts';

/** Ends a folded text. No byte of UTF-8, so no match spans two. */
const TEXT_END = 0xff;

/** Terms beyond the grams. A review has the stars of its rating, and at least so many up to those. */
export const HAS_TEXT = GRAMS;
export const STARS = HAS_TEXT;
export const AT_LEAST = STARS + 5;
/** Then come the sources, by their numbers. */
export const SOURCES = AT_LEAST + 6;

/** Fewer reviews are indexed before a thread has begun. */
const WORTH_A_THREAD = 5_000;

/** What is indexed of reviews, a list for each, in the order of their positions. */
export interface Indexed {
  readonly texts: readonly (string | null)[];
  readonly ratings: Uint8Array;
  /** Numbers of `sourceNames`. */
  readonly sources: Uint32Array;
}

export type TermSections = PostingSections & {
  /** Folded texts one after another, and where each begins, with one more at the end. */
  readonly texts: Uint8Array;
  readonly textStarts: Uint32Array;
};

/** The names of the sources, and what is indexed of reviews that come newest first. */
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

/** Indexes in a thread of its own where there is much to do. */
export async function indexTermsBeside(indexed: Indexed): Promise<TermSections> {
  if (indexed.texts.length < WORTH_A_THREAD) return indexTerms(indexed);
  const { texts, ratings, sources } = indexed;
  const worker = new Worker(new URL('./index-thread.ts', import.meta.url), {
    workerData: { texts, ratings, sources } satisfies Indexed,
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`indexing ended with code ${code}`)));
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
