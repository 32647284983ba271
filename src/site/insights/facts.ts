// The summary and the answers to questions. In English they are the prose of the insights. In other languages
// the same counts are put into sentences of that language: translating prose would change what was checked.

import type { Insights } from '../../model/insights.ts';
import { shownMean } from '../../model/rating.ts';
import { bestAspects } from '../home/aspect-opinions.ts';
import type { View } from '../view.ts';

/** The least number of opinions for a strength or a weakness, as in the prose of the insights. */
const MIN_OPINIONS = 3;
/** The least number of positive reviews of a person to name. */
const MIN_PRAISES = 3;
const MAX_NAMED = 3;
/** The most reviews that an answer names. */
const MAX_REVIEWS = 20;

/** An answer with reviews that support it. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
  readonly reviewIds: readonly string[];
  /** All reviews that it counts. */
  readonly reviewCount: number;
}

type Aspect = Insights['aspects'][number];
type Count = 'positive_count' | 'negative_count';

const OPINIONS = { positive_count: 'positive', negative_count: 'negative' } as const;

/** The paragraphs of the summary; empty without reviews. */
export function summaryOf(view: View): string[] {
  if (view.rating.rating_value === null) return [];
  if (view.language.code === 'en') return view.insights('summary').split('\n\n').filter(Boolean);
  const { facts } = view.strings;
  const opinions = [
    sentence(facts.praised, namedAspects(view, 'positive_count')),
    sentence(facts.criticized, namedAspects(view, 'negative_count')),
    sentence(facts.people, namedPeople(view)),
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
  if (rating.review_count < MIN_OPINIONS || rating.rating_value === null) return [];
  const { facts, trend } = strings;
  const newest = view
    .reviewsAt(Array.from({ length: Math.min(MAX_REVIEWS, rating.review_count) }, (_, at) => at))
    .map(({ review }) => review.id);
  const all = { reviewIds: newest, reviewCount: rating.review_count };
  const people = peopleOf(view);
  return [
    { question: facts.isSatisfied(business.name), answer: satisfaction(view), ...all },
    ...answerAspects(view, 'positive_count', facts.whatIsPraised, facts.praised),
    ...answerAspects(view, 'negative_count', facts.whatIsCriticized, facts.criticized),
    ...(people.length === 0
      ? []
      : [
          {
            question: facts.whoIsPraised,
            answer: facts.people(namedPeople(view)),
            ...evidenceOf(people, 'positive_count'),
          },
        ]),
    { question: facts.isImproving, answer: trend[view.insights('temporal').trend], ...all },
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

function namedAspects(view: View, count: Count): string {
  const { strings, format } = view;
  const named = bestAspects(view, OPINIONS[count], MAX_NAMED).map((aspect) =>
    strings.facts.share(view.labelOf(aspect.label), aspect[count], aspect.mention_count),
  );
  return format.list(named);
}

function answerAspects(
  view: View,
  count: Count,
  question: string,
  write: (items: string) => string,
): Answer[] {
  const aspects = bestAspects(view, OPINIONS[count], MAX_NAMED);
  if (aspects.length === 0) return [];
  return [{ question, answer: write(namedAspects(view, count)), ...evidenceOf(aspects, count) }];
}

function peopleOf(view: View): Insights['entities']['technicians'] {
  return view
    .insights('entities')
    .technicians.filter(
      ({ score, positive_count: praise, negative_count: blame }) =>
        // Without a score: too few reviews, or no longer with the business.
        score !== null && praise >= MIN_PRAISES && praise > 2 * blame,
    )
    .toSorted((a, b) => b.positive_count - a.positive_count)
    .slice(0, MAX_NAMED);
}

function namedPeople(view: View): string {
  const named = peopleOf(view).map(({ name, positive_count: praise, mention_count: all }) =>
    view.strings.facts.share(name, praise, all),
  );
  return view.format.list(named);
}

function evidenceOf(
  counted: readonly { readonly example_review_ids: readonly string[] }[],
  count: Count,
): Pick<Answer, 'reviewIds' | 'reviewCount'> {
  const ids = new Set(counted.flatMap(({ example_review_ids: examples }) => examples));
  const total = counted.reduce((sum, one) => sum + (one as unknown as Aspect)[count], 0);
  return {
    reviewIds: [...ids].slice(0, MAX_REVIEWS),
    reviewCount: Math.max(total, ids.size),
  };
}
