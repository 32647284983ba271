// Answers the questions that buyers of a vertical ask (asked.json), from the mentions whose phrases are about them.

import type { Insights } from '../../model/insights.ts';
import { lineageOf } from '../../model/verticals.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { answerOf, firstOf, isAnswered, quotesInOrder, surest } from './answers.ts';
import asked from './asked.json' with { type: 'json' };
import { type Findings, leaningOf, mentionsOf } from './evidence.ts';
import { customerOf } from './prose.ts';
import type { Quote, QuoteRequest } from './quoting.ts';

type Answer = Insights['faq'][number];
type Side = 'positive' | 'negative';

/** A question about aspects, or about what some of their phrases speak of. */
interface Question {
  readonly question: string;
  readonly aspects: readonly string[];
  readonly words?: string;
  readonly replaces?: readonly string[];
  /** Trades that do not ask it. */
  readonly except?: readonly string[];
  readonly leads: readonly string[];
}

/** The least number of opinions for an answer. */
export const FEWEST_OPINIONS = 5;
/** The least opinions of a side that is quoted, as a share of the other. */
const DISPUTED = 0.1;

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
    .flatMap((question) => questionAbout(findings, question) ?? []);
}

/** Null if too few reviews have an opinion. */
export function questionAbout(findings: Findings, question: Question): QuotedQuestion | null {
  const words = question.words === undefined ? null : new RegExp(question.words, 'iu');
  const isAsked = ({ mention }: IndexedMention) => words === null || words.test(mention.phrase);
  const opinions = question.aspects.flatMap((id) =>
    mentionsOf(findings, 'aspects', id).filter(
      (one) => one.mention.sentiment !== 'neutral' && isAsked(one),
    ),
  );
  const { good, bad } = sidesOf(opinions);
  if (good.length + bad.length < FEWEST_OPINIONS) return null;
  const leaning = leaningOf(good.length, bad.length);
  const requestOf = (side: Side): QuoteRequest => {
    const [own, other] = side === 'positive' ? [good, bad] : [bad, good];
    // Fewer than that may be misread.
    const isQuoted = own.length > 0 && own.length >= DISPUTED * other.length;
    return {
      list: 'aspects',
      ids: isQuoted ? question.aspects : [],
      sentiment: side,
      ...(words ? { isAsked } : { mustAnswer: own.length < other.length }),
      isAlone: true,
    };
  };
  return {
    quotes: [requestOf('positive'), requestOf('negative')],
    answer: ([praise = null, blame = null]) => {
      const found = { good: good.length, bad: bad.length, leaning, praise, blame };
      if (!isAnswered(found)) return null;
      const lead = question.leads[leaning] ?? '';
      return {
        question: question.question,
        answer: answerOf(lead, found, customerOf(findings.business)),
        review_ids: firstOf([
          ...quotesInOrder(found).map(({ reviewId }) => reviewId),
          ...surest([...good, ...bad]),
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
