// The summary and the answers to questions. In English they are the prose of the insights. In other languages
// the same selection is put into sentences of that language: translating prose would change what was checked.

import { MOST_REVIEWS, type Selection } from '../../model/insights.ts';
import { shownMean } from '../../model/rating.ts';
import type { View } from '../view.ts';

/** The least number of reviews for answers. */
const MIN_REVIEWS = 3;
/** Fewer have no trend. */
const FEWEST_FOR_TREND = 10;
/** Aspects that an answer names. */
const MAX_NAMED = 3;

/** An answer with reviews that support it. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
  readonly reviewIds: readonly string[];
  /** All reviews that it counts. */
  readonly reviewCount: number;
}

type Chosen = Selection['praised'][number];

/** The paragraphs of the summary; empty without reviews. */
export function summaryOf(view: View): string[] {
  if (view.rating.rating_value === null) return [];
  if (view.language.code === 'en') return view.insights('summary').split('\n\n').filter(Boolean);
  const { facts } = view.strings;
  const { strengths, weak_spots: weakSpots, people } = view.insights('selection');
  const opinions = [
    sentence(facts.strengths, named(view, strengths)),
    sentence(facts.weakSpots, named(view, weakSpots)),
    sentence(facts.people, named(view, people)),
  ];
  return [satisfaction(view), opinions.filter(Boolean).join(' ')].filter(Boolean);
}

export function answersOf(view: View): Answer[] {
  if (view.language.code === 'en') {
    return view
      .insights('faq')
      .map(({ question, answer, review_ids: ids, review_count: count }) => ({
        question,
        answer,
        reviewIds: ids,
        reviewCount: count,
      }));
  }
  const { rating, business, strings } = view;
  if (rating.review_count < MIN_REVIEWS || rating.rating_value === null) return [];
  const { facts, trend } = strings;
  const newest = view.newest(MOST_REVIEWS).map(({ review }) => review.id);
  const all = { reviewIds: newest, reviewCount: rating.review_count };
  const { praised, criticized, people } = view.insights('selection');
  return [
    { question: facts.isSatisfied(business.name), answer: satisfaction(view), ...all },
    ...answerAbout(view, facts.whatIsPraised, facts.praised, praised.slice(0, MAX_NAMED)),
    ...answerAbout(view, facts.whatIsCriticized, facts.criticized, criticized.slice(0, MAX_NAMED)),
    ...answerAbout(view, facts.whoIsPraised, facts.people, people),
    ...(rating.review_count < FEWEST_FOR_TREND
      ? []
      : [{ question: facts.isImproving, answer: trend[view.insights('temporal').trend], ...all }]),
  ];
}

function sentence(write: (items: string) => string, items: string): string {
  return items === '' ? '' : write(items);
}

function satisfaction({ rating, strings }: View): string {
  const { review_count: count, distribution } = rating;
  const mean = shownMean(rating);
  if (mean === null) return '';
  const good = distribution['4'] + distribution['5'];
  const bad = distribution['1'] + distribution['2'];
  const percent = (part: number) => Math.round((100 * part) / count);
  const { facts } = strings;
  return `${facts.rating(mean, count)} ${facts.shares(percent(good), percent(bad))}`;
}

/** The chosen with their numbers, by the names of aspects or people. */
function named(view: View, chosen: readonly Chosen[]): string {
  const { strings, format } = view;
  const names = new Map(
    [...view.insights('aspects'), ...view.insights('entities').technicians].map((one) => [
      one.id,
      'label' in one ? view.labelOf(one.label) : one.name,
    ]),
  );
  return format.list(
    chosen.map(({ id, count, of }) => strings.facts.share(names.get(id) ?? id, count, of)),
  );
}

function answerAbout(
  view: View,
  question: string,
  write: (items: string) => string,
  chosen: readonly Chosen[],
): Answer[] {
  if (chosen.length === 0) return [];
  const reviewIds = [...new Set(chosen.flatMap(({ review_ids: ids }) => ids))];
  const reviewCount = chosen.reduce((sum, { count }) => sum + count, 0);
  return [
    {
      question,
      answer: write(named(view, chosen)),
      reviewIds: reviewIds.slice(0, MOST_REVIEWS),
      reviewCount: Math.max(reviewCount, reviewIds.length),
    },
  ];
}
