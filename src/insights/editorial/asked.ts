// Answers the questions that buyers of a vertical ask (asked.json), from the mentions whose phrases are about them.

import type { Insights } from '../../model/insights.ts';
import { lineageOf } from '../../model/verticals.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { agreement, firstOf, inQuotes, isAnswered, quotesInOrder } from './answers.ts';
import asked from './asked.json' with { type: 'json' };
import { type Findings, leaningOf, mentionsOf } from './evidence.ts';
import { customerOf } from './prose.ts';
import type { Quote, QuoteRequest } from './quoting.ts';
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
  /** Trades that do not ask it. */
  readonly except?: readonly string[];
  readonly leads: readonly string[];
}

const FEWEST_OPINIONS = 5;

/** A question with the quotes that its answer needs. */
export interface QuotedQuestion {
  readonly quotes: readonly QuoteRequest[];
  /** Null if the quotes do not show enough. */
  readonly answer: (quotes: readonly (Quote | null)[]) => Answer | null;
  /** Aspects whose own questions are left out if it is answered. */
  readonly replaces: readonly string[];
}

/** The questions of the vertical about which enough reviews have an opinion. */
export function askedQuestions(findings: Findings): QuotedQuestion[] {
  const own: Readonly<Record<string, readonly Question[]>> = asked.verticals;
  const lineage = lineageOf(findings.business.vertical);
  return lineage
    .flatMap((id) => own[id] ?? [])
    .filter(({ except = [] }) => !except.some((id) => id === lineage[0]))
    .flatMap((question) => questionOf(findings, question) ?? []);
}

function questionOf(findings: Findings, question: Question): QuotedQuestion | null {
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
  const requestOf = (side: Side): QuoteRequest => {
    const own = side === 'positive' ? question.good : question.bad;
    const pattern = own === undefined ? null : wordsOf(own);
    return {
      list: 'aspects',
      ids: (side === 'positive' ? good : bad).length > 0 ? question.aspects : [],
      sentiment: side,
      // By the words of the question, or else by those of the aspect.
      isShown: (phrase, aspect) =>
        isAsked(phrase) &&
        (pattern === null ? showsAspect(aspect, side, phrase) : isAffirmed(pattern, phrase)),
      isAlone: true,
    };
  };
  return {
    quotes: [requestOf('positive'), requestOf('negative')],
    answer: ([praise = null, blame = null]) => {
      if (!isAnswered(leaning, praise, blame)) return null;
      const quotes = quotesInOrder(leaning, praise, blame);
      return {
        question: question.question,
        answer: [
          agreement(
            question.leads[leaning] ?? '',
            good.length,
            bad.length,
            customerOf(findings.business),
          ),
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
    },
    replaces: question.replaces ?? [],
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
