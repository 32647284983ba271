// Derives the insights of all reviews from their analyses. The steps before are listed in analyse.ts:
//
//  1. entities/*/confirm.ts and topics/phrases.ts decide which candidates are technicians, problems and topics
//  2. insightsOf() makes the entry of each review in per_review
//  3. aggregate/ indexes and counts the mentions, and compares months
//  4. editorial/ writes FAQ, summary and pull quote

import type { Business } from '../model/business.ts';
import {
  aspectSchema,
  type Insights,
  type Mention,
  type ReviewInsights,
} from '../model/insights.ts';
import type { PeopleSettings } from '../model/people.ts';
import { isRead } from '../model/read-languages.ts';
import { mean } from '../model/rating.ts';
import { compareNewestFirst, type Review } from '../model/review.ts';
import type { Analysis } from './analyse.ts';
import type { FoundMention } from './entities/merging.ts';
import type { Findings } from './editorial/evidence.ts';
import { writeFaq } from './editorial/faq.ts';
import { withCauses } from './editorial/causes.ts';
import { select } from './editorial/selection.ts';
import { writeSummary } from './editorial/summary.ts';
import { catalogueOf } from './entities/entities.ts';
import { type CachedResults, MentionIndex, type MentionList } from './aggregate/mentions.ts';
import { ResultCache } from './aggregate/result-cache.ts';
import { confirmNames } from './entities/names/confirm.ts';
import { keysOfNames, standoutPhrases, wordsOfNames } from './topics/phrases.ts';
import { labelOfProblem } from './entities/problems/named.ts';
import { pullQuoteOf, quotesAbout, quotesOnTopic } from './editorial/quoting.ts';
import { choosePeople, withoutWeakScores } from './people.ts';
import { ANALYSER } from './reuse.ts';
import { tallyPrices } from './aggregate/prices.ts';
import {
  EXAMPLES,
  percentages,
  tallyMentions,
  tallyTopics,
  withTopAspects,
} from './aggregate/tally.ts';
import { withTraits } from './aggregate/traits.ts';
import { findEpisodes } from './aggregate/episodes.ts';
import { tallyParts } from './aggregate/parts.ts';
import { changesIn, compareWithPast, monthlyFigures } from './aggregate/temporal.ts';
import { verticalOf } from './verticals/verticals.ts';

/** Version of the aspect taxonomy. */
const VERSION = 2;
/** The least characters of a key that exclude collisions. */
const VERSION_LENGTH = 22;

export interface AnalysedReview {
  readonly review: Review;
  readonly analysis: Analysis;
  /** Equal keys mean equal analyses (reuse.ts); absent if that is not known. */
  readonly key?: string | undefined;
}

/**
 * Derives the insights of reviews that are already analysed.
 *
 * @param siteLanguage ISO 639-1 code; only reviews in it and in English are quoted
 * @param cache results of earlier calls, of the same version of the program
 */
export function deriveFromAnalyses(
  analysed: readonly AnalysedReview[],
  business: Business,
  people: PeopleSettings,
  siteLanguage = 'en',
  cache = new ResultCache(),
): Insights {
  const sorted = analysed.toSorted((a, b) => compareNewestFirst(a.review, b.review));
  const reviews = sorted.map(({ review }) => review);
  const confirmed = confirmAll(sorted, business, people);
  const perReview = new Map(
    sorted.map((one) => [one.review.id, insightsOf(one, confirmed)] as const),
  );
  const basis = [ANALYSER, business, people, siteLanguage, confirmed.basis];
  const mentions = indexMentions(sorted, perReview, { cache, basis });
  const catalogue = catalogueOf(business);
  const vertical = verticalOf(business.vertical);
  const tally = (
    list: 'technicians' | 'services' | 'problems' | 'service_areas',
    entries: readonly { readonly id: string; readonly name: string }[],
  ) => withTopAspects(tallyMentions(mentions, list, entries), mentions, list);
  const aspects = tallyMentions(
    mentions,
    'aspects',
    vertical.aspects.map(({ id, label }) => ({ id, name: label })),
  );
  const monthly = monthlyFigures(reviews, perReview);
  const problems = tally('problems', confirmed.problems);
  const named = tally('technicians', [...catalogue.technicians, ...confirmed.people.discovered]);
  const technicians = withTraits(withoutWeakScores(named, business, people), mentions);
  const found = {
    business,
    reviews,
    mentions,
    aspects: aspects.map((one) => aspectSchema.strip().parse({ ...one, label: one.name })),
    episodes: findEpisodes(reviews, monthly, mentions, { aspects, problems }),
    changes: changesIn(reviews, mentions, { aspects, problems }),
    comparison: compareWithPast(reviews),
    entities: {
      technicians,
      services: tally('services', catalogue.services).map((entity) => ({
        ...entity,
        label: entity.name,
      })),
      problems,
      service_areas: tally('service_areas', catalogue.serviceAreas),
    },
    topics: tallyTopics(reviews, perReview, [...vertical.topics, ...confirmed.phrases.topics]),
    prices: tallyPrices(sorted, business.address?.country ?? null, catalogue.services),
    unanalysedIds: idsOf(sorted, (language) => !isRead(language)),
    unquotedIds: new Set(idsOf(sorted, (own) => !['en', siteLanguage].includes(own ?? 'en'))),
  };
  const findings: Findings = { ...found, episodes: withCauses(found), selection: select(found) };
  const pullQuote = pullQuoteOf(findings, perReview);
  return {
    version: VERSION,
    model: ANALYSER,
    review_count: reviews.length,
    date_range: { earliest: reviews.at(-1)?.date ?? null, latest: reviews[0]?.date ?? null },
    overall_sentiment: overallSentiment(perReview),
    ...withQuotes(findings),
    temporal: {
      monthly,
      trend: findings.comparison?.trend ?? 'stable',
      episodes: findings.episodes,
      changes: findings.changes,
      comparison: findings.comparison,
    },
    selection: findings.selection,
    prices: findings.prices,
    ...tallyParts(reviews, business),
    per_review: Object.fromEntries(perReview),
    faq: writeFaq(findings),
    ...writeSummary(findings),
    pull_quote: pullQuote?.text ?? null,
    pull_quote_review_id: pullQuote?.reviewId ?? null,
  };
}

/** The subjects with the sentences that are quoted on them. */
function withQuotes(findings: Findings): Pick<Insights, 'aspects' | 'entities' | 'topics'> {
  const { technicians, services, problems, service_areas: areas } = findings.entities;
  const quoted = <Subject extends Omit<Insights['aspects'][number], 'label'>>(
    list: MentionList,
    subjects: readonly Subject[],
  ) =>
    subjects.map((one) => {
      const quotes = quotesAbout(findings, list, one.id);
      const usual = one.positive_count >= one.negative_count ? 'positive' : 'negative';
      const top = quotes.filter(({ sentiment }) => sentiment === usual);
      const ids = new Set([...top.map(({ review_id: id }) => id), ...one.example_review_ids]);
      return {
        ...one,
        quotes,
        top_phrases: top.map(({ text }) => text),
        example_review_ids: [...ids].slice(0, EXAMPLES),
      };
    });
  return {
    aspects: quoted('aspects', findings.aspects),
    entities: {
      technicians: quoted('technicians', technicians),
      services: quoted('services', services),
      problems: quoted('problems', problems),
      service_areas: quoted('service_areas', areas),
    },
    topics: findings.topics.map((topic) => ({ ...topic, quotes: quotesOnTopic(findings, topic) })),
  };
}

function indexMentions(
  sorted: readonly AnalysedReview[],
  perReview: ReadonlyMap<string, ReviewInsights>,
  cached: CachedResults,
): MentionIndex {
  return new MentionIndex(
    sorted.map(({ review, analysis, key }) => ({
      review,
      entry: perReview.get(review.id) as ReviewInsights,
      scores: { aspects: analysis.aspects, problems: analysis.problems },
      isForeign: (analysis.language ?? 'en') !== 'en',
      answers: shownIn(review, analysis.answers),
      version:
        key === undefined ? undefined : `${key.slice(0, VERSION_LENGTH)}${review.id}${review.date}`,
    })),
    cached,
  );
}

/** The reviews in languages that match, newest first. */
function idsOf(
  analysed: readonly AnalysedReview[],
  isMatch: (language: AnalysedReview['analysis']['language']) => boolean,
): string[] {
  return analysed
    .filter(({ analysis }) => isMatch(analysis.language))
    .map(({ review }) => review.id);
}

type Confirmed = ReturnType<typeof confirmAll>;

/** Decides on the candidates of all reviews: which names are technicians, which complaints are problems,
 * and which phrases are topics. */
function confirmAll(
  analysed: readonly AnalysedReview[],
  business: Business,
  settings: PeopleSettings,
) {
  const analyses = analysed.map(({ analysis }) => analysis);
  const vertical = verticalOf(business.vertical);
  const { technicians, services, serviceAreas } = catalogueOf(business);
  const taken = new Set(technicians.map(({ id }) => id));
  const names = confirmNames(analyses, taken);
  const known = keysOfNames([
    ...[...services, ...serviceAreas].flatMap((entry) => entry.names),
    ...vertical.topics.flatMap(({ keywords }) => keywords),
  ]);
  const phrases = standoutPhrases(
    analysed.map(({ review, analysis }) => ({
      text: review.text ?? '',
      phrases: analysis.phrases,
    })),
    known,
    new Set(vertical.topics.map(({ id }) => id)),
    wordsOfNames([
      business.name,
      ...technicians.flatMap((entry) => entry.names),
      ...names.technicians.map(({ name }) => name),
      ...names.fullNames,
    ]),
  );
  const people = choosePeople(names, analyses, business, settings);
  const reported = new Set(analyses.flatMap((one) => one.problems.map(({ id }) => id)));
  const problems = [...reported].flatMap((id) => {
    const name = labelOfProblem(id, vertical.id);
    return name === null ? [] : [{ id, name }];
  });
  // With an analysis it decides what the entry of a review says.
  const basis = [names.basis, people.discovered, phrases.topics.map(({ id }) => id)];
  return { people, problems, phrases, basis };
}

function insightsOf(
  { review, analysis }: AnalysedReview,
  { people, phrases }: Confirmed,
): ReviewInsights {
  const shown = (mentions: readonly FoundMention[]) => shownIn(review, mentions);
  return {
    score: analysis.score,
    sentiment: analysis.sentiment,
    aspects: shown(analysis.aspects),
    technicians: shown(people.mentionsOf(analysis, review.rating)),
    services: shown(analysis.services),
    problems: shown(analysis.problems),
    service_areas: shown(analysis.serviceAreas),
    topics: [...analysis.topics, ...phrases.topicsOf(analysis.phrases)],
  };
}

/** Mentions with the words that they stand for. */
function shownIn({ text }: Review, mentions: readonly FoundMention[]): Mention[] {
  return mentions.map(({ id, sentiment, start, end, confidence }) => ({
    id,
    sentiment,
    phrase: text?.slice(start, end) ?? '',
    ...(confidence !== undefined && { confidence }),
  }));
}

function overallSentiment(
  perReview: ReadonlyMap<string, ReviewInsights>,
): Insights['overall_sentiment'] {
  const counts = { positive: 0, neutral: 0, negative: 0 };
  let sum = 0;
  for (const { score, sentiment } of perReview.values()) {
    counts[sentiment] += 1;
    sum += score;
  }
  const [positive = null, neutral = null, negative = null] = percentages([
    counts.positive,
    counts.neutral,
    counts.negative,
  ]);
  return {
    score: mean(sum, perReview.size),
    positive_pct: positive,
    neutral_pct: neutral,
    negative_pct: negative,
  };
}
