// Decides which claims of a language model count. The model proposes, the rules dispose: a claim needs the support
// of the stars or of the rules, and never replaces what the rules have found.

import type { Sentiment } from '../../model/insights.ts';
import { isRead } from '../../model/read-languages.ts';
import type { Review } from '../../model/review.ts';
import type { Analysis } from '../analyse.ts';
import type { FoundMention } from '../entities/merging.ts';
import { readerOf } from '../languages/languages.ts';
import { annotateText, type AnnotatedText, segmentText } from '../text/annotate.ts';
import type { Claim } from './answer.ts';

/** How clearly the phrase of a claim shows its sentiment: less than a cue that the learned model agrees with. */
const PHRASE_SCORE = 0.5;

/** Adds the claims that count to the analysis of a review. */
export function withClaims(analysis: Analysis, review: Review, claims: readonly Claim[]): Analysis {
  const found = new Set(analysis.aspects.map(({ id }) => id));
  const open = claims.filter(({ aspect }) => !found.has(aspect));
  if (open.length === 0 || review.text === null) return analysis;
  const annotated = annotationOf(analysis.language, review.text);
  const added = open
    .filter((claim) => isSupported(claim, review.rating, annotated))
    .map(({ aspect, sentiment, start, end }): FoundMention => {
      return { id: aspect, sentiment, phraseScore: PHRASE_SCORE, start, end };
    });
  if (added.length === 0) return analysis;
  const aspects = [...analysis.aspects, ...added].toSorted((a, b) => a.start - b.start);
  return { ...analysis, aspects };
}

/** The opinions of a text; null in a language that is not read. */
function annotationOf(language: string | null, text: string): AnnotatedText | null {
  const reader = readerOf(language);
  if (reader) return reader.annotate(segmentText(text));
  return isRead(language) ? annotateText(text) : null;
}

/**
 * Whether the opinions in the quote agree with a claim; or, if there are none, the stars: praise in four or five,
 * a complaint in one or two. A neutral claim needs a quote without opinions. Praise in one star and
 * a complaint in five do not count.
 */
function isSupported(
  { sentiment, start, end }: Claim,
  rating: number,
  annotated: AnnotatedText | null,
): boolean {
  if (sentiment !== 'neutral' && rating === (sentiment === 'positive' ? 1 : 5)) return false;
  const balance = annotated === null ? 0 : balanceOf(annotated, start, end);
  if (balance !== 0) return sentiment === (balance > 0 ? 'positive' : 'negative');
  return sentiment === 'neutral' ? annotated !== null : sentiment === sentimentOfStars(rating);
}

function balanceOf({ opinions, tokens }: AnnotatedText, start: number, end: number): number {
  return opinions
    .filter(({ from, to }) => tokens[from]!.start >= start && tokens[to - 1]!.end <= end)
    .reduce((sum, { value }) => sum + value, 0);
}

function sentimentOfStars(rating: number): Sentiment {
  if (rating === 3) return 'neutral';
  return rating > 3 ? 'positive' : 'negative';
}
