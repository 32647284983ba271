// A review as the extractors see it: its text, its clauses, and the opinions in them. Nothing here
// knows another review.

import type { Sentiment } from '../../model/insights.ts';
import type { Keys } from './keys.ts';
import type { PartOfSpeech } from './lexicon.ts';
import type { ReviewText } from './text.ts';

/** How a clause stands in its sentence. */
export type Mood =
  /** Says something. */
  | 'statement'
  /** Asks. */
  | 'question'
  /** "if they had come", "would be better if": not what happened. */
  | 'condition'
  /** "please fix", "they should": what is wished for is not there. */
  | 'wish';

/** A part of one sentence with one thing to say: a range of tokens [from, to). */
export interface Clause {
  readonly from: number;
  readonly to: number;
  /** Index of its sentence. */
  readonly sentence: number;
  readonly mood: Mood;
  /** What ties it to the clause before: "but" and the like; "although" and the like yield to the
   * other clause; null for anything else. */
  readonly link: 'contrast' | 'concession' | null;
}

/** Words that say how good something is, as they are meant here: after negation and the like. */
export interface Opinion {
  /** A range of tokens [from, to), the negation not included. */
  readonly from: number;
  readonly to: number;
  /** Index of its clause. */
  readonly clause: number;
  /** -1 to 1. */
  readonly value: number;
  readonly isNegated: boolean;
  readonly part: PartOfSpeech;
}

export interface Reading extends ReviewText {
  readonly clauses: readonly Clause[];
  readonly opinions: readonly Opinion[];
  /** The words as the word lists spell them. */
  readonly keys: Keys;
  /** What lies between the first token and each: words, commas, ends of clauses. */
  readonly distances: Float64Array;
  /** Index of the clause of each token; a clause knows its sentence. */
  readonly clauseOf: Int32Array;
}

/** What the words say about something. */
export interface Verdict {
  /** Null where they leave it open: such a mention is left out. */
  readonly sentiment: Sentiment | null;
  /** -1 to 1. */
  readonly score: number;
  /** How much the stronger side weighs: 0 without an opinion, about 1 for a clear one. */
  readonly weight: number;
}
