// Answers the questions that buyers of a vertical ask (asked.json), from the mentions whose phrases are about them.

import type { Insights } from '../../model/insights.ts';
import { verticalOf } from '../verticals/verticals.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { agreement, firstOf, inQuotes, isAnswered, quotesInOrder } from './answers.ts';
import asked from './asked.json' with { type: 'json' };
import { type Findings, leaningOf, mentionsOf } from './evidence.ts';
import { customerOf } from './prose.ts';
import type { Quote } from './quoting.ts';
import { isAffirmed, showsAspect, wordsOf } from './shows.ts';

type Answer = Insights['faq'][number];
type Side = 'positive' | 'negative';

interface Question {
  readonly question: string;
  readonly aspects: readonly string[];
  readonly words?: string;
  readonly good?: string;
  readonly bad?: string;
  readonly replaces?: readonly string[];
  readonly leads: readonly string[];
}

const FEWEST_OPINIONS = 5;

/** A quote of a review about an aspect, from the phrases that answer the question. */
export type QuoteAbout = (
  aspect: string,
  sentiment: Side,
  isShown: (phrase: string) => boolean,
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
  const leaning = leaningOf(good.length, bad.length);
  const quoted = (side: Side): Quote[] => {
    const own = side === 'positive' ? question.good : question.bad;
    const pattern = own === undefined ? null : wordsOf(own);
    for (const aspect of question.aspects) {
      const found = quote(
        aspect,
        side,
        // By the words of the question, or else by those of the aspect.
        (phrase) =>
          isAsked(phrase) &&
          (pattern === null ? showsAspect(aspect, side, phrase) : isAffirmed(pattern, phrase)),
      );
      if (found.length > 0) return found;
    }
    return [];
  };
  const praise = good.length > 0 ? quoted('positive') : [];
  const blame = bad.length > 0 ? quoted('negative') : [];
  const quotes = quotesInOrder(leaning, praise, blame);
  if (!isAnswered(leaning, opinions.length, { praise, blame })) return null;
  const vertical = verticalOf(findings.business.vertical).id;
  return {
    question: question.question,
    answer: [
      agreement(question.leads[leaning] ?? '', good.length, bad.length, customerOf(vertical)),
      inQuotes(quotes, leaning),
    ]
      .filter(Boolean)
      .join(' '),
    review_ids: firstOf([
      ...quotes.map(({ reviewId }) => reviewId),
      ...[...good, ...bad].map(({ review }) => review.id),
    ]),
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
