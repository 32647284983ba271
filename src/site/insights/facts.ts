// The summary and the answers to questions. In English they are the prose of the insights. In other languages
// the same selection is put into sentences of that language: translating prose would change what was checked.

import { MOST_REVIEWS, type Episode, type Selection } from '../../model/insights.ts';
import { shownMean } from '../../model/rating.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { criticalReplied } from '../../snapshot/replies.ts';
import type { View } from '../view.ts';
import { changeOf, comparedWithPast, latelyOn } from './over-time.ts';
import { type Quote, quotesOf } from './quotes.ts';

/** The least number of reviews for answers. */
const MIN_REVIEWS = 3;
/** Problems, services and places that an answer names. */
const MAX_NAMED = 3;
const MAX_CHANGES = 2;
/** Aspects with a question of their own, and the least number of opinions. */
const MAX_ASPECTS = 10;
const FEWEST_FOR_ASPECT = 3;
/** The least share of praise for each beginning of an answer. */
const LEADS_FROM = [0.9, 2 / 3, 0.4, 0.1, 0];

/** An answer with reviews that support it. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
  readonly reviewIds: readonly string[];
  /** All reviews that it counts. */
  readonly reviewCount: number;
  /** What customers say of it, where the answer has no quotes in itself. */
  readonly quotes?: readonly Quote[];
}

type Chosen = Selection['people'][number];

/** The paragraphs of the summary; empty without reviews. */
export function summaryOf(view: View): string[] {
  if (view.rating.rating_value === null) return [];
  if (view.language.code === 'en') return view.insights('summary').split('\n\n').filter(Boolean);
  const { facts } = view.strings;
  const selection = view.insights('selection');
  const { strengths, weak_spots: weakSpots, complaints, people } = selection;
  const low = view.insights('topics').filter(({ id }) => selection.low_topics.includes(id));
  const isSplit = strengths.some(({ count, of }) => 3 * count < 2 * of);
  const told = (opening: string, side: 'positive' | 'negative', chosen: readonly Chosen[]) =>
    sentence((shares) => `${opening} ${shares}.`, sharesOf(view, side, chosen));
  const praise = told(
    facts.most[isSplit ? 'split' : 'positive'],
    'positive',
    view.isMostlyBad ? strengths.slice(0, 1) : strengths,
  );
  const blame = [
    view.isMostlyBad
      ? told(facts.most.negative, 'negative', weakSpots)
      : told(facts.weakSpot, 'negative', weakSpots.slice(0, 1)),
    sentence(facts.problems, names(view, 'problems', complaints)),
    ...low.map((one) =>
      facts.starsOf(names(view, 'topics', [one]), one.mention_count, one.average_rating),
    ),
  ];
  const paragraphs = [
    [satisfaction(view)],
    ...(view.isMostlyBad ? [blame, [praise]] : [[praise], blame]),
    [sentence(facts.people, view.format.list(people.map((one) => personIn(view, one))))],
    [...episodes(view), ...changes(view)],
  ];
  return paragraphs.map((each) => each.filter(Boolean).join(' ')).filter(Boolean);
}

/** Aspects with how many of those with an opinion praise or criticize them, within a sentence. */
function sharesOf(view: View, side: 'positive' | 'negative', chosen: readonly Chosen[]): string {
  const shareOf = view.strings.home.shareOf[side];
  return view.format.list(
    chosen.map((one) => {
      const { positive_count: good = 0, negative_count: bad = 0 } =
        view.subject('aspects', one.id) ?? {};
      return `${names(view, 'aspects', [one])} (${shareOf(one.count, good + bad)})`;
    }),
  );
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
  const { facts } = strings;
  const until = view.insights('date_range').latest?.slice(0, 7) ?? '';
  const compared = comparedWithPast(view, until);
  const newest = view.newest(MOST_REVIEWS).map(({ review }) => review.id);
  const all = { reviewIds: newest, reviewCount: rating.review_count };
  const { people } = view.insights('selection');
  return [
    { question: facts.isSatisfied(business.name), answer: satisfaction(view), ...all },
    ...praisedPeople(view, people),
    ...aspectAnswers(view),
    ...problemAnswer(view),
    ...repliesAnswer(view),
    ...(compared === null
      ? []
      : [{ question: facts.isImproving, answer: [compared, ...episodes(view)].join(' '), ...all }]),
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

/** Whom customers praise by name, with the words of one. */
function praisedPeople(view: View, people: readonly Chosen[]): Answer[] {
  const { facts, home } = view.strings;
  const named = people.map((one) =>
    personIn(view, one, `${home.shareOf.positive(one.count, one.of)}, `),
  );
  const first = view.subject('technicians', people[0]?.id ?? '');
  const quotes = first === null ? [] : quotesOf(view, first, 'positive').slice(0, 1);
  const told = sentence(facts.people, view.format.list(named));
  return answerAbout(facts.whoIsPraised, told, people, ({ id }) =>
    view.snapshot.mentioning('technicians', id, 'positive'),
  ).map((one) => ({ ...one, quotes }));
}

/** A person within a sentence, and what they are praised for. */
function personIn(view: View, { id, claim }: Chosen, share = ''): string {
  const about = `${share}${claim === undefined ? '' : view.strings.facts.inSentence(view.labelOf(claim))}`;
  const name = names(view, 'technicians', [{ id }]);
  return about === '' ? name : `${name} (${about.replace(/, $/, '')})`;
}

/** Subjects of a list within a sentence. */
function names(view: View, list: MentionKind, chosen: readonly { readonly id: string }[]): string {
  const isLabel = list !== 'technicians' && list !== 'service_areas';
  return view.format.list(
    chosen.map(({ id }) => {
      const subject = view.subject(list, id);
      const name = subject === null ? id : view.nameOf(list, subject);
      return isLabel ? view.strings.facts.inSentence(name) : name;
    }),
  );
}

/** What customers complain of most, with the numbers of their reviews. */
function problemAnswer(view: View): Answer[] {
  const { facts } = view.strings;
  const top = view.listedSubjects('problems').slice(0, MAX_NAMED);
  const items = top.map(
    (one) => `${names(view, 'problems', [one])} (${view.format.number(one.mentionCount)})`,
  );
  const chosen = top.map(({ id, mentionCount: count }) => {
    const ids = view.subject('problems', id)?.example_review_ids ?? [];
    return { id, count, of: count, review_ids: ids };
  });
  const told = sentence(facts.problems, view.format.list(items));
  return answerAbout(facts.whichProblems, told, chosen, ({ id }) =>
    view.snapshot.mentioning('problems', id),
  );
}

function answerAbout(
  question: string,
  answer: string,
  chosen: readonly Chosen[],
  positionsOf: (one: Chosen) => Uint32Array,
): Answer[] {
  if (answer === '') return [];
  const reviewIds = [...new Set(chosen.flatMap(({ review_ids: ids }) => ids))];
  const reviewCount = new Set(chosen.flatMap((one) => [...positionsOf(one)])).size;
  return [{ question, answer, reviewIds: reviewIds.slice(0, MOST_REVIEWS), reviewCount }];
}

/** What customers say of each aspect that is mentioned most: how many, and the words of both sides. */
function aspectAnswers(view: View): Answer[] {
  const answers = view.insights('aspects').map(({ id }) => aspectAnswer(view, id));
  return answers.filter((one) => one !== null).slice(0, MAX_ASPECTS);
}

/** What customers say of one aspect; null where few do. */
export function aspectAnswer(view: View, id: string): Answer | null {
  const { facts } = view.strings;
  const aspect = view.subject('aspects', id);
  if (aspect === null) return null;
  const { label, positive_count: good, negative_count: bad } = aspect;
  const opinions = good + bad;
  if (opinions < FEWEST_FOR_ASPECT) return null;
  const sides =
    good >= bad ? (['positive', 'negative'] as const) : (['negative', 'positive'] as const);
  const lead = facts.leads[LEADS_FROM.findIndex((share) => good >= share * opinions)] ?? '';
  const told = facts.agreement(lead, good, bad);
  const own = facts.questions[label];
  // "What do customers say?" is not answered with yes or no.
  const bare = told.slice(lead.length).replace(/^[\s:]+/, '');
  const answer = own === undefined ? bare.charAt(0).toUpperCase() + bare.slice(1) : told;
  const lately = changeOf(view, 'aspects', id) ?? latelyOn(view, id);
  return {
    question: own ?? facts.aboutAspect(view.labelOf(label)),
    answer: lately === null ? answer : `${answer} ${lately}`,
    quotes: sides.flatMap((side) => quotesOf(view, aspect, side).slice(0, 1)),
    reviewIds: aspect.example_review_ids,
    reviewCount: opinions,
  };
}

/** How many of the critical reviews have an answer. */
function repliesAnswer({ snapshot, strings }: View): Answer[] {
  const { matched, positions, critical } = criticalReplied(snapshot);
  if (critical < FEWEST_FOR_ASPECT) return [];
  const ids = Array.from(positions, (position) => snapshot.idAt(position));
  const { doesAnswer: question, answered } = strings.facts;
  const answer = answered(matched, critical);
  return [{ question, answer, reviewIds: ids.slice(0, MOST_REVIEWS), reviewCount: critical }];
}

/** On what more or fewer complain than before. */
function changes(view: View): string[] {
  const { changes: all, episodes: times } = view.insights('temporal');
  return all
    .filter(({ list, id }) => list === 'aspects' && !times.some((one) => one[list].includes(id)))
    .slice(0, MAX_CHANGES)
    .flatMap(({ list, id }) => changeOf(view, list, id, ` (${names(view, list, [{ id }])})`) ?? []);
}

/** A sentence or two on each time of unusual ratings. */
function episodes(view: View): string[] {
  const { facts } = view.strings;
  const causesOf = ({ kind, causes }: Episode) =>
    kind === 'dip' ? causes.map((label) => facts.inSentence(view.labelOf(label))) : [];
  return view.insights('temporal').episodes.map((one) => {
    const { average_before: before, average_after: after } = one;
    const causes = sentence(facts.causes, view.format.list(causesOf(one)));
    const told = facts.episode(one.kind, one.from, one.to, one.average_rating);
    const around = before === null ? '' : facts.around(before, one.is_over ? after : null);
    return [told, causes, around].filter(Boolean).join(' ');
  });
}
