// `words`, the new filters, the orders and the facets as loops over all reviews.

import type { Insights, ReviewInsights, Sentiment } from '../../src/model/insights.ts';
import { fold } from '../../src/model/fold.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import type { Sort } from '../../src/model/cursor.ts';
import { stemOf } from '../../src/search/stemmers.ts';

export interface Corpus {
  /** Newest first. */
  readonly reviews: readonly Review[];
  readonly languages: ReadonlyMap<string, string | null>;
  readonly insights: Insights;
}

/** A condition of `words`, as the test chose it. */
export type Condition =
  | { readonly kind: 'word'; readonly word: string }
  | { readonly kind: 'prefix'; readonly word: string }
  | { readonly kind: 'phrase'; readonly words: readonly string[] }
  | { readonly kind: 'without'; readonly word: string };

/** How a person writes the conditions; a prefix is the last. */
export function writeConditions(conditions: readonly Condition[]): string {
  const isTyping = conditions.at(-1)?.kind === 'prefix';
  const parts = conditions.map((one) => {
    if (one.kind === 'phrase') return `"${one.words.join(' ')}"`;
    return one.kind === 'without' ? `-${one.word}` : one.word;
  });
  return `${parts.join(' ')}${isTyping ? '' : ' '}`;
}

/** Runs of letters and digits; each pictogram and each Chinese character is a word. */
export function wordsOf(text: string | null): string[] {
  const words: string[] = [];
  let run = '';
  const end = () => {
    if (run !== '') words.push(run);
    run = '';
  };
  for (const character of fold(text ?? '')) {
    if (/[\p{Extended_Pictographic}\p{sc=Han}]/u.test(character)) {
      end();
      words.push(character);
    } else if (/[\p{L}\p{N}]/u.test(character)) {
      run += character;
    } else {
      end();
    }
  }
  end();
  return words;
}

export class Oracle {
  readonly #corpus: Corpus;
  /** The languages of the reviews that have each word. */
  readonly #languages = new Map<string, Set<string>>();
  /** The words of each text. */
  readonly #words = new Map<string, readonly string[]>();
  readonly #meanLength: number;
  /** How rare each condition is, by its JSON. */
  readonly #rarities = new Map<string, number>();

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
    for (const { id, text } of corpus.reviews) {
      const language = corpus.languages.get(id) ?? null;
      for (const word of this.#wordsOf(text)) {
        const known = this.#languages.get(word) ?? new Set();
        if (language !== null) known.add(language);
        this.#languages.set(word, known);
      }
    }
    const texts = corpus.reviews.filter(({ text }) => text !== null);
    const lengths = texts.map(({ text }) => this.#lengthOf(text));
    this.#meanLength = Math.max(1, lengths.reduce((sum, one) => sum + one, 0) / texts.length);
  }

  #wordsOf(text: string | null): readonly string[] {
    const known = this.#words.get(text ?? '');
    if (known) return known;
    const words = wordsOf(text);
    this.#words.set(text ?? '', words);
    return words;
  }

  #lengthOf(text: string | null): number {
    return Math.min(255, this.#wordsOf(text).length);
  }

  /** The inverse frequency of a condition (BM25). */
  #rarityOf(condition: Condition): number {
    const key = JSON.stringify(condition);
    const known = this.#rarities.get(key);
    if (known !== undefined) return known;
    const texts = this.#corpus.reviews.filter(({ text }) => text !== null);
    const having = texts.filter(({ text }) => this.fulfils(text, condition)).length;
    const rarity = Math.log(1 + (Math.max(0, texts.length - having) + 0.5) / (having + 0.5));
    this.#rarities.set(key, rarity);
    return rarity;
  }

  /** Whether a word of a review is a form of one that is searched for. */
  isForm(found: string, sought: string): boolean {
    if (found === sought) return true;
    return [...(this.#languages.get(found) ?? [])].some((language) => {
      const stem = stemOf(language, found);
      return stem !== null && stem === stemOf(language, sought);
    });
  }

  /** Whether a review has all words, or one that is in at most a quarter of the texts, or any if there is no such. */
  isRelated(review: Review, loose: readonly Condition[]): boolean {
    const texts = this.#corpus.reviews.filter(({ text }) => text !== null);
    const countOf = (one: Condition) => texts.filter(({ text }) => this.fulfils(text, one)).length;
    const has = (one: Condition) => this.fulfils(review.text, one);
    const words = loose.flatMap((one) => ('word' in one ? [one.word] : []));
    const rare = words.filter((word) => this.countOf(word) <= (words.length === 1 ? 10 : 3));
    if (this.#wordsOf(review.text).some((word) => rare.includes(word))) return true;
    const telling = loose.filter((one) => countOf(one) * 4 <= texts.length);
    if (telling.length > 0 || loose.length === 0) return loose.every(has) || telling.some(has);
    return texts.some((one) => this.matches(one, loose)) ? loose.every(has) : loose.some(has);
  }

  /** The number of reviews that have a word as it is. */
  countOf(word: string): number {
    return this.#corpus.reviews.filter(({ text }) => this.#wordsOf(text).includes(word)).length;
  }

  fulfils(text: string | null, condition: Condition): boolean {
    const words = this.#wordsOf(text);
    switch (condition.kind) {
      case 'word':
        return words.some((word) => this.isForm(word, condition.word));
      case 'prefix':
        return words.some(
          (word) => this.isForm(word, condition.word) || word.startsWith(condition.word),
        );
      case 'phrase':
        return words.some((_, at) =>
          condition.words.every((word, index) => words[at + index] === word),
        );
      case 'without':
        return !words.some((word) => this.isForm(word, condition.word));
    }
  }

  matches(review: Review, conditions: readonly Condition[]): boolean {
    return review.text !== null && conditions.every((one) => this.fulfils(review.text, one));
  }

  entry({ id }: Review): ReviewInsights | undefined {
    return this.#corpus.insights.per_review[id];
  }

  hasMention(
    review: Review,
    list: 'aspects' | 'problems' | 'services' | 'technicians' | 'service_areas',
    id: string,
    sentiment: Sentiment | undefined,
  ): boolean {
    const mentions = this.entry(review)?.[list] ?? [];
    return mentions.some(
      (one) => one.id === id && (sentiment === undefined || one.sentiment === sentiment),
    );
  }

  /** BM25 in thousandths, where a word counts at most twice, and a prefix half. */
  score({ text }: Review, conditions: readonly Condition[]): number {
    const words = this.#wordsOf(text);
    const norm = 1.2 * (0.25 + (0.75 * this.#lengthOf(text)) / this.#meanLength);
    let score = 0;
    for (const one of conditions) {
      if (one.kind === 'without') continue;
      let times = 1;
      let weight = this.#rarityOf(one);
      if (one.kind === 'phrase') {
        weight = one.words.reduce(
          (sum, word) => sum + this.#rarityOf({ kind: 'phrase', words: [word] }),
          0,
        );
        if (one.words.length === 1) times = Math.min(2, count(words, one.words[0] ?? ''));
      } else {
        const forms = new Set(words.filter((word) => this.isForm(word, one.word)));
        const halves = new Set(
          one.kind === 'prefix'
            ? words.filter((word) => !forms.has(word) && word.startsWith(one.word))
            : [],
        );
        times = halves.size / 2;
        for (const form of forms) times += Math.min(2, count(words, form));
      }
      if (times > 0) score += (weight * times * 2.2) / (times + norm);
    }
    return Math.round(score * 1000);
  }

  sorted(matches: readonly Review[], sort: Sort, conditions: readonly Condition[]): Review[] {
    const newest = matches.toSorted(compareNewestFirst);
    const scores = new Map(newest.map((one) => [one, this.score(one, conditions)]));
    switch (sort) {
      case 'newest':
        return newest;
      case 'oldest':
        return newest.toReversed();
      case 'highest':
        return newest.toSorted((a, b) => b.rating - a.rating);
      case 'lowest':
        return newest.toSorted((a, b) => a.rating - b.rating);
      case 'relevance':
        return newest.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
    }
  }
}

function count(words: readonly string[], wanted: string): number {
  return words.filter((word) => word === wanted).length;
}

/** The number of reviews by each value, without those that no review has. */
export function tally(values: readonly (readonly string[])[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const own of values) {
    for (const value of new Set(own)) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}
