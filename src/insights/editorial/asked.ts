// Answers the questions that buyers of a vertical ask (asked.json), from the mentions whose phrases are about them.

import type { Insights } from '../../model/insights.ts';
import { verticalOf } from '../verticals/verticals.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import asked from './asked.json' with { type: 'json' };
import { consensusOf, type Findings, mentionsOf, type Quote } from './evidence.ts';
import { capitalised, counted, inWords } from './prose.ts';

type Answer = Insights['faq'][number];

interface Question {
  readonly question: string;
  readonly aspects: readonly string[];
  readonly words?: string;
  readonly replaces?: readonly string[];
  readonly leads: readonly string[];
}

const FEWEST_OPINIONS = 5;
const MOST_REVIEWS = 20;

/** A quote of a review about an aspect, from the phrases that are about the question. */
export type QuoteAbout = (
  aspect: string,
  sentiment: 'positive' | 'negative',
  isAsked: (phrase: string) => boolean,
) => Quote[];

export interface Asked {
  readonly answers: readonly Answer[];
  /** Aspects that the answers make their own questions superfluous of. */
  readonly replaced: ReadonlySet<string>;
}

/** The questions of the vertical that enough reviews answer. */
export function answerAsked(findings: Findings, quote: QuoteAbout): Asked {
  const own: Readonly<Record<string, readonly Question[]>> = asked.verticals;
  const questions = own[verticalOf(findings.business.vertical).id] ?? [];
  const answers: Answer[] = [];
  const replaced = new Set<string>();
  for (const question of questions) {
    const answer = answerOf(findings, question, quote);
    if (answer === null) continue;
    answers.push(answer);
    for (const aspect of question.replaces ?? []) replaced.add(aspect);
  }
  return { answers, replaced };
}

function answerOf(findings: Findings, question: Question, quote: QuoteAbout): Answer | null {
  const words = question.words === undefined ? null : new RegExp(question.words, 'iu');
  const isAsked = (phrase: string) => words === null || words.test(phrase);
  const opinions = question.aspects.flatMap((id) =>
    mentionsOf(findings, 'aspects', id).filter(
      ({ mention }) => mention.sentiment !== 'neutral' && isAsked(mention.phrase),
    ),
  );
  const { good, bad } = sidesOf(opinions);
  if (good.length + bad.length < FEWEST_OPINIONS) return null;
  const consensus = consensusOf(good.length, bad.length);
  const quoted = (sentiment: 'positive' | 'negative') => {
    for (const aspect of question.aspects) {
      const found = quote(aspect, sentiment, isAsked);
      if (found.length > 0) return found;
    }
    return [];
  };
  const praise = good.length > 0 ? quoted('positive') : [];
  const blame = bad.length > 0 ? quoted('negative') : [];
  const [first, second] = consensus > 2 ? [...blame, ...praise] : [...praise, ...blame];
  const content = `${capitalised(inWords(good.length))} of ${counted(good.length + bad.length, 'review')} that speak of it`;
  const verb = good.length === 1 ? 'is' : 'are';
  const told =
    bad.length === 0
      ? `All ${counted(good.length, 'review')} that speak of it are content.`
      : good.length === 0
        ? `None of ${counted(bad.length, 'review')} that speak of it is content.`
        : `${content} ${verb} content.`;
  return {
    question: question.question,
    answer: [
      question.leads[consensus],
      told,
      first ? `${first.shown}.` : '',
      second ? `Another view: ${second.shown}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
    review_ids: [
      ...new Set([
        ...[first, second].flatMap((one) => (one ? [one.reviewId] : [])),
        ...[...good, ...bad].map(({ review }) => review.id),
      ]),
    ].slice(0, MOST_REVIEWS),
    review_count: good.length + bad.length,
  };
}

/** The reviews on either side, each once; a review with both is on neither. */
function sidesOf(opinions: readonly IndexedMention[]) {
  const sides = new Map<string, { one: IndexedMention; isMixed: boolean }>();
  for (const one of opinions) {
    const known = sides.get(one.review.id);
    if (known === undefined) sides.set(one.review.id, { one, isMixed: false });
    else if (known.one.mention.sentiment !== one.mention.sentiment) known.isMixed = true;
  }
  const clear = [...sides.values()].filter(({ isMixed }) => !isMixed).map(({ one }) => one);
  return {
    good: clear.filter(({ mention }) => mention.sentiment === 'positive'),
    bad: clear.filter(({ mention }) => mention.sentiment === 'negative'),
  };
}
