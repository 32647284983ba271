// Writes the FAQ: questions of buyers, answered from counts and quotes. Questions without enough evidence
// are left out.

import { type Insights, MOST_REVIEWS } from '../../model/insights.ts';
import { GENERAL, verticalIdOf } from '../../model/verticals.ts';
import type { MentionList } from '../aggregate/mentions.ts';
import {
  askedQuestions,
  FEWEST_OPINIONS,
  firstOf,
  questionAbout,
  type QuotedQuestion,
  surest,
} from './asked.ts';
import { describeChange, describeComplaints, describeEpisodes } from './change.ts';
import { type Findings, peopleToAskFor, problemIn, spread, wordingOf } from './evidence.ts';
import { answerPrices } from './prices.ts';
import {
  areAskedFor,
  counted,
  give,
  grouped,
  listed,
  nameOf,
  FEWEST_FOR_MOOD,
  satisfactionOf,
} from './prose.ts';
import { chooseQuotes, type Quote } from './quoting.ts';
import { isSameTrouble } from './troubles.ts';

type Faq = Insights['faq'];
type Answer = Faq[number];
type Aspect = Insights['aspects'][number];
type Entity = Insights['entities']['problems'][number];

/** The least number of mentions to name something. */
const FEWEST_MENTIONS = 3;
/** The least share of reviews that speak of appointments where they are made. */
const APPOINTMENTS = 0.05;
const MOST_ASPECTS = 8;
const MOST_NAMED = 3;
/** The most stars of a critical review, and the share of answered ones that is nearly all. */
const CRITICAL = 2;
const NEARLY_ALL = 0.9;
export function writeFaq(findings: Findings): Faq {
  const asked = askedQuestions(findings);
  const chosen = chooseQuotes(
    findings,
    asked.flatMap(({ quotes }) => quotes),
  );
  const askedAnswers = answersOf(asked, chosen);
  const replaced = new Set(
    asked.flatMap(({ replaces }, at) => (askedAnswers[at] === null ? [] : replaces)),
  );
  const aspects = findings.aspects
    .filter(
      ({ id, positive_count: good, negative_count: bad }) =>
        good + bad >= FEWEST_OPINIONS && !replaced.has(id),
    )
    .slice(0, MOST_ASPECTS);
  const others = [aboutPeople(findings), ...aspects.map((aspect) => aboutAspect(findings, aspect))];
  const requests = others.flatMap(({ quotes }) => quotes);
  const told = chooseQuotes(findings, requests, chosen);
  const complaints = aboutComplaints(findings);
  const [most] = complaints.quotes;
  // What is complained of most is told in its own words, quoted already or not.
  const complained =
    most &&
    [[...chosen, ...told], []].flatMap((before) =>
      chooseQuotes(findings, [most], before).filter((quote) => quote !== null),
    );
  return [
    answerRecommended(findings),
    answerPrices(findings),
    ...askedAnswers,
    ...answersOf(others, told),
    complaints.answer(complained ?? []),
    answerReplies(findings),
    answerChange(findings),
  ].filter((answer) => answer !== null);
}

type Question = Omit<QuotedQuestion, 'replaces'>;

/** The answers of questions by the quotes of all of them, in their order. */
function answersOf(
  questions: readonly Question[],
  quotes: readonly (Quote | null)[],
): (Answer | null)[] {
  let at = 0;
  return questions.map((question) => {
    const own = quotes.slice(at, (at += question.quotes.length));
    return question.answer(own);
  });
}

const NONE: Question = { quotes: [], answer: () => null };

function answerRecommended({ business, reviews }: Findings): Answer | null {
  if (reviews.length < FEWEST_OPINIONS) return null;
  const { good, bad, mood } = satisfactionOf(reviews);
  const leads = {
    'nearly all': 'Nearly all are',
    most: 'Most are',
    divided: 'Opinions are divided',
    few: 'Most are not',
  };
  const lead = reviews.length < FEWEST_FOR_MOOD ? 'Of' : `${leads[mood]}: of`;
  return {
    question: `Are customers satisfied with ${nameOf(business)}?`,
    answer:
      `${lead} ${counted(reviews.length, 'verified review')}, ` +
      `${give(good)} four or five stars and ${give(bad)} one or two.`,
    review_ids: reviews.slice(0, MOST_REVIEWS).map(({ id }) => id),
    review_count: reviews.length,
  };
}

function aboutAspect(findings: Findings, { id, label }: Aspect): Question {
  if (id === 'scheduling' && !takesAppointments(findings)) return NONE;
  const { noun, question, leads } = wordingOf(id, label);
  const words = question.replace('{name}', nameOf(findings.business)).replace('{noun}', noun);
  return questionAbout(findings, { question: words, aspects: [id], leads }) ?? NONE;
}

/** Whether customers make appointments: a business of no certain kind has them if enough reviews say so. */
function takesAppointments({ business, reviews }: Findings): boolean {
  if (verticalIdOf(business.vertical) !== GENERAL) return true;
  const speaking = reviews.filter(({ text }) => /\bappointments?\b/i.test(text ?? ''));
  return speaking.length >= Math.max(FEWEST_OPINIONS, reviews.length * APPOINTMENTS);
}

/** The number of distinct reviews that mention one of the entities. */
function countOf(
  findings: Findings,
  list: MentionList,
  entities: readonly Entity[],
  sentiment?: 'positive',
): number {
  const mentions = entities.flatMap(({ id }) => findings.mentions.of(list, id, sentiment));
  return new Set(mentions.map(({ review }) => review.id)).size;
}

function aboutPeople(findings: Findings): Question {
  const top = peopleToAskFor(findings);
  const [first, ...others] = top;
  if (!first) return NONE;
  const praised = `${first.told}, praised by name in ${counted(first.positive_count, 'review')}`;
  const isAsked = areAskedFor(findings.business);
  const names = others.map(({ told }) => told);
  const rest = isAsked ? `or ${listed(names, 'or')}` : `also ${listed(names)}`;
  return {
    quotes: [{ list: 'technicians', ids: [first.id], sentiment: 'positive' }],
    answer: (chosen) => {
      const quotes = chosen.filter((quote) => quote !== null);
      return {
        question: isAsked ? 'Who should I ask for?' : 'Who is praised by name?',
        answer: [
          others.length > 0 ? `${praised}; ${rest}.` : `${praised}.`,
          ...quotes.map(({ shown }) => `${shown}.`),
        ].join(' '),
        review_ids: firstOf([
          ...quotes.map(({ reviewId }) => reviewId),
          ...spread(findings, 'technicians', top, 'positive'),
        ]),
        review_count: countOf(findings, 'technicians', top, 'positive'),
      };
    },
  };
}

/** What most reviews report: problems as their pages count them, and weak spots that are none of them. */
function aboutComplaints(findings: Findings): Question {
  const { aspects, entities, reviews, selection } = findings;
  const weak = aspects.filter(
    ({ id }) =>
      selection.weak_spots.some((one) => one.id === id) &&
      !entities.problems.some((problem) => isSameTrouble(findings, problem.id, id)),
  );
  const top = [
    ...weak.map(({ id, label, negative_count: count }) => {
      const name = wordingOf(id, label).trouble;
      return { list: 'aspects', id, name, count } as const;
    }),
    ...entities.problems.map((one) => {
      const { id, mention_count: count } = one;
      return { list: 'problems', id, name: problemIn(one), count } as const;
    }),
  ]
    .filter(({ count }) => count >= FEWEST_MENTIONS)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, MOST_NAMED);
  if (top.length === 0) return NONE;
  const items = listed(top.map(({ name, count }) => `${name} (${grouped(count)})`));
  const changed = top.flatMap(({ list, id, name }) => {
    const change = findings.changes.find((one) => one.list === list && one.id === id);
    return change ? [describeComplaints(findings, change, ` about ${name}`)] : [];
  });
  const each = top.map(({ list, id }) => findings.mentions.of(list, id, 'negative'));
  return {
    quotes: top.map(({ list, id }) => ({ list, ids: [id], sentiment: 'negative' })),
    answer: (chosen) => {
      const quotes = chosen.slice(0, 1).filter((quote) => quote !== null);
      return {
        question: 'Which problems do reviews report?',
        answer: [
          `Most often reported: ${items}, in ${counted(reviews.length, 'review')}.`,
          ...quotes.map(({ shown }) => `${shown}.`),
          ...changed,
        ].join(' '),
        review_ids: firstOf([
          ...quotes.map(({ reviewId }) => reviewId),
          ...each.flatMap((own) => surest(own.slice(0, MOST_REVIEWS / top.length))),
        ]),
        review_count: new Set(each.flat().map(({ review }) => review.id)).size,
      };
    },
  };
}

/** Whether critical reviews have an answer. */
function answerReplies({ reviews }: Findings): Answer | null {
  const critical = reviews.filter(({ rating }) => rating <= CRITICAL);
  const answered = critical.filter(({ ownerReply: reply }) => reply !== null);
  if (critical.length < FEWEST_OPINIONS) return null;
  const share = answered.length / critical.length;
  const lead = share >= NEARLY_ALL ? 'Yes' : share >= 0.5 ? 'Mostly, yes' : 'Mostly not';
  const part = answered.length === 0 ? 'none' : grouped(answered.length);
  return {
    question: 'Does the owner answer complaints?',
    answer: `${answered.length === 0 ? 'No' : lead}: ${part} of the ${counted(critical.length, 'review')} with one or two stars ${answered.length <= 1 ? 'has' : 'have'} an answer.`,
    review_ids: (answered.length > 0 ? answered : critical)
      .slice(0, MOST_REVIEWS)
      .map(({ id }) => id),
    review_count: critical.length,
  };
}

function answerChange(findings: Findings): Answer | null {
  const { reviews, episodes, comparison: change } = findings;
  if (change === null) return null;
  const leads = {
    improving: 'Better than before.',
    declining: 'Worse than before.',
    stable: 'About as before.',
  };
  // Months that were unusual and are over explain the means, and are told instead of them.
  const isOver = episodes.some(({ to, is_over: is }) => is && to >= change.since.slice(0, 7));
  const means = [leads[change.trend], describeChange(change, reviews[0]?.date ?? '')];
  return {
    question: 'How are they, and has it changed lately?',
    answer: [...(isOver ? [] : means), ...describeEpisodes(findings).map(({ text }) => text)].join(
      ' ',
    ),
    review_ids: firstOf([
      ...episodes.flatMap(({ example_review_ids: ids }) => ids),
      ...reviews.slice(0, MOST_REVIEWS).map(({ id }) => id),
    ]),
    review_count: reviews.length,
  };
}
