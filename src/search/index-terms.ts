// Builds the folded texts, their words, and the postings of texts, ratings and values. This is most of the work of
// building an index, so for many reviews it runs in a thread of its own.

import { Worker } from 'node:worker_threads';
import { fold } from '../model/fold.ts';
import type { Review } from '../model/review.ts';
import { ByteWriter } from '../model/bytes.ts';
import { moduleBeside } from '../model/program-files.ts';
import { type FoldedTexts, FoldedTextWriter } from './folded-texts.ts';
import { GRAMS, GramWriter } from './grams.ts';
import { type PostingSections, PostingsWriter } from './postings.ts';
import { numberValues, type NumberedValues } from './field-values.ts';
import { PairWriter } from './word-pairs.ts';
import { SplitTexts, type WordSections } from './word-writer.ts';

/** Terminates a folded text. Never a byte of UTF-8, so no match spans two texts. */
const TEXT_END = 0xff;

/** Terms after the grams: has a text; has exactly n stars; has at least n stars; has a reply. */
export const HAS_TEXT = GRAMS;
export const STARS = HAS_TEXT;
export const AT_LEAST = STARS + 5;
export const HAS_REPLY = AT_LEAST + 6;
/** The terms of values, by their numbers (see field-values.ts), follow. */
export const VALUES = HAS_REPLY + 1;
/** Terms of pairs of words, from 0x4000_0000 on, follow. Terms of words, by their numbers: has the word; has it more than once. */
export const WORDS = 0x8000_0000;
export const REPEATED_WORDS = 0xc000_0000;

/** Fewer reviews are indexed faster than a thread starts. */
const MIN_FOR_THREAD = 5_000;

/** The indexed fields of reviews, each a list in the order of positions. */
export interface Indexed extends Pick<NumberedValues, 'values' | 'valueStarts'> {
  readonly texts: readonly (string | null)[];
  readonly ratings: Uint8Array;
  /** The owner's. */
  readonly replies: readonly (string | null)[];
}

export type TermSections = PostingSections & WordSections & FoldedTexts;

/** The index of the reviews' texts, with their ratings and values, and that of the replies if there are any. */
export interface IndexedTerms {
  readonly texts: TermSections;
  readonly replies: TermSections | null;
}

/** The indexed fields of `reviews`, which are sorted newest first, and their values. */
export function toIndex(reviews: readonly Review[]): Indexed & Pick<NumberedValues, 'known'> {
  return {
    texts: reviews.map(({ text }) => text),
    ratings: Uint8Array.from(reviews, ({ rating }) => rating),
    replies: reviews.map(({ ownerReply }) => ownerReply?.text ?? null),
    ...numberValues(reviews),
  };
}

/** Indexes many reviews in another thread, few in this one. @throws if the thread fails */
export async function indexTermsBeside(indexed: Indexed): Promise<IndexedTerms> {
  if (indexed.texts.length < MIN_FOR_THREAD) return indexTerms(indexed);
  const thread = new Worker(moduleBeside(import.meta.url, './index-thread'), {
    workerData: indexed,
  });
  return new Promise((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) =>
      reject(new Error(`the indexing thread exited with code ${code}`)),
    );
  });
}

export function indexTerms({
  texts,
  ratings,
  replies,
  values,
  valueStarts,
}: Indexed): IndexedTerms {
  const hasReply = replies.some((reply) => reply !== null);
  return {
    texts: indexTexts(texts, (position, addTerm) => {
      const rating = ratings[position] as number;
      if (replies[position] !== null) addTerm(HAS_REPLY);
      addTerm(STARS + rating);
      for (let stars = 2; stars <= rating; stars++) addTerm(AT_LEAST + stars);
      const own = values.subarray(valueStarts[position], valueStarts[position + 1]);
      for (const value of own) addTerm(VALUES + value);
    }),
    replies: hasReply ? indexTexts(replies) : null,
  };
}

function indexTexts(
  given: readonly (string | null)[],
  addFields: (position: number, addTerm: (term: number) => void) => void = () => undefined,
): TermSections {
  const writer = new ByteWriter();
  const textStarts = new Uint32Array(given.length + 1);
  const folded = new FoldedTextWriter(given.length);
  given.forEach((text, position) => {
    if (text !== null) {
      const form = fold(text);
      writer.write(form);
      folded.add(position, text, form, writer.length - (textStarts[position] as number));
    }
    writer.writeByte(TEXT_END);
    textStarts[position + 1] = writer.length;
  });
  const texts = writer.finish();
  const split = new SplitTexts({ bytes: texts, starts: textStarts });
  const { ranks, codes, sections } = split.finish();
  const postings = new PostingsWriter(given.length);
  const words = new WordTerms(ranks, postings);
  const pairs = new PairWriter(sections.commonWords[0] as number, postings);
  const grams = new GramWriter({ bytes: texts, starts: textStarts }, postings);
  const slots = new Map<number, number>();
  given.forEach((text, position) => {
    const addTerm = (term: number) => {
      const slot = slots.get(term) ?? postings.addTerm(term);
      slots.set(term, slot);
      postings.add(slot, position);
    };
    grams.add(position);
    pairs.startText();
    split.read(position, (number, isSpaced) => {
      words.add(number, position);
      pairs.add(codes[number] as number, isSpaced, position);
    });
    if (text !== null) addTerm(HAS_TEXT);
    addFields(position, addTerm);
  });
  return { ...folded.finish(), ...sections, ...postings.finish() };
}

/** Adds words to postings by their numbers, and the words that a text repeats to others. */
class WordTerms {
  readonly #ranks: Uint32Array;
  readonly #postings: PostingsWriter;
  readonly #firstSlot: number;
  /** Slot plus one of the posting of reviews that repeat the word; 0 if there is none yet. */
  readonly #repeatedSlots: Uint32Array;
  /** The last review with the word, plus one. */
  readonly #last: Uint32Array;

  constructor(ranks: Uint32Array, postings: PostingsWriter) {
    this.#ranks = ranks;
    this.#postings = postings;
    const slots = Array.from(ranks, (rank) => postings.addTerm(WORDS + rank));
    this.#firstSlot = slots[0] ?? 0;
    this.#repeatedSlots = new Uint32Array(ranks.length);
    this.#last = new Uint32Array(ranks.length);
  }

  add(number: number, position: number): void {
    const postings = this.#postings;
    if (this.#last[number] !== position + 1) {
      this.#last[number] = position + 1;
      postings.add(this.#firstSlot + number, position);
      return;
    }
    let slot = this.#repeatedSlots[number] as number;
    if (slot === 0) {
      slot = postings.addTerm(REPEATED_WORDS + (this.#ranks[number] as number)) + 1;
      this.#repeatedSlots[number] = slot;
    }
    postings.add(slot - 1, position);
  }
}
