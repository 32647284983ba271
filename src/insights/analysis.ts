// What one review says on its own, before any other review is looked at: plain data that can be
// stored as JSON and is the same for the same review, business and analyser. What needs other
// reviews (is this name a technician, is this phrase frequent?) is kept here as a candidate and
// decided in derive.ts.
//
// Every span is [start, end) in UTF-16 units of the review's text, so `text.slice(start, end)` is
// the verbatim phrase. Lists are in the order of the text.

import type { Sentiment } from '../model/insights.ts';
import type { Span } from './text/text.ts';

/** A mention as it will be counted: one for each id and review. */
export interface FoundMention extends Span {
  readonly id: string;
  readonly sentiment: Sentiment;
  /** How clearly the words say it, 0 to 1; 1 where it is left out. */
  readonly clarity?: number;
}

/** Words that may name a technician who is not in the catalogue. */
export interface NameCandidate extends Span {
  /** As written, without a possessive: "Mike", "Mike Alvarez". */
  readonly name: string;
  /** How well the context shows that a person of the business is meant, 0 to 1. */
  readonly strength: number;
  readonly sentiment: Sentiment;
  /** The sentence or clause to show: a span as well. */
  readonly phraseStart: number;
  readonly phraseEnd: number;
}

/** A noun phrase that a customer complains about. */
export interface ProblemCandidate extends Span {
  /** Equal for phrases that mean the same problem: folded, singular. */
  readonly key: string;
  readonly phraseStart: number;
  readonly phraseEnd: number;
}

/** A phrase that may stand out in the corpus. */
export interface PhraseCandidate extends Span {
  readonly key: string;
}

/** A complete sentence that could be quoted on its own. */
export interface QuoteCandidate extends Span {
  /** How well it reads on its own and how much it says, 0 to 1. */
  readonly fitness: number;
  readonly sentiment: Sentiment;
  /** Aspects that it speaks of. */
  readonly aspects: readonly string[];
}

export interface Analysis {
  /** ISO 639-1 code of the language of the text; null where there is no text or too little to tell.
   * Only "en" and null are analysed; of others only the stars count. */
  readonly language: string | null;
  /** Of the whole review, -1 to 1 with two decimals. */
  readonly score: number;
  readonly sentiment: Sentiment;
  readonly aspects: readonly FoundMention[];
  /** Of the vertical, not those of the corpus. */
  readonly topics: readonly string[];
  readonly technicians: readonly FoundMention[];
  readonly services: readonly FoundMention[];
  readonly serviceAreas: readonly FoundMention[];
  readonly names: readonly NameCandidate[];
  readonly problems: readonly ProblemCandidate[];
  readonly phrases: readonly PhraseCandidate[];
  readonly quotes: readonly QuoteCandidate[];
}
