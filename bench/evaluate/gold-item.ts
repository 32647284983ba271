// Items of the gold set, and what the analyser finds in them.

import { type Analysis, buildAnalyser } from '../../src/insights/analyse.ts';
import { businessSchema } from '../../src/model/business.ts';
import { encodeUlid } from '../../src/model/ulid.ts';

export interface GoldItem {
  readonly id: string;
  readonly text: string;
  readonly rating: number;
  readonly author: string;
  readonly aspects: readonly { readonly id: string; readonly sentiment: string }[];
  readonly optional_aspects: readonly string[];
  readonly technicians: readonly string[];
  readonly technician_sentiment: Readonly<Record<string, string>>;
  /** Ids of the named problems; left out where nobody looked for them. */
  readonly problems?: readonly string[];
  readonly optional_problems?: readonly string[];
}

export interface AnalysedItem {
  readonly item: GoldItem;
  readonly analysis: Analysis;
}

/** Analyses each text as a review of a business of this vertical, without a catalogue. */
export function analyseItems(items: readonly GoldItem[], vertical: string): AnalysedItem[] {
  const analyse = buildAnalyser(businessSchema.parse({ name: 'Evaluated', vertical }));
  return items.map((item) => ({ item, analysis: analyse(reviewOf(item)) }));
}

/** The review of a text. */
export function reviewOf({ text, rating, author }: Pick<GoldItem, 'text' | 'rating' | 'author'>) {
  return {
    id: encodeUlid(0, new Uint8Array(10)),
    author,
    authorAvatarUrl: null,
    rating,
    date: '2026-01-01',
    text,
    source: 'evaluated',
    sourceUrl: null,
    ownerReply: null,
  };
}
