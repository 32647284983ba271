// Findings for the tests of editorial text: reviews and their mentions by hand.

import { askedWhere } from '../../../src/insights/editorial/asked.ts';
import type { Findings } from '../../../src/insights/editorial/evidence.ts';
import { compareWithPast } from '../../../src/insights/aggregate/temporal.ts';
import { select } from '../../../src/insights/editorial/selection.ts';
import { withTraits } from '../../../src/insights/aggregate/traits.ts';
import { MentionIndex, type MentionList } from '../../../src/insights/aggregate/mentions.ts';
import { tallyMentions } from '../../../src/insights/aggregate/tally.ts';
import { withoutWeakScores } from '../../../src/insights/people.ts';
import type { Business } from '../../../src/model/business.ts';
import type { Mention, ReviewInsights, Sentiment } from '../../../src/model/insights.ts';
import { EVERYONE } from '../../../src/model/people.ts';
import { compareNewestFirst, type Review } from '../../../src/model/review.ts';
import { BUSINESS, review, ulidOf } from '../../support/reviews.ts';

/** A review's stars, date and mentions; a phrase is also its text. The number says how clearly it shows the claim. */
export interface IndexedMention {
  readonly rating?: number;
  readonly date?: string;
  readonly mentions?: readonly (readonly [
    MentionList,
    string,
    Sentiment,
    (string | undefined)?,
    number?,
  ])[];
}

const NAMES: Readonly<Record<string, string>> = {
  'mike-alvarez': 'Mike Alvarez',
  'zoe-lefevre': 'Zoë Lefèvre',
  'boiler-repair': 'Boiler repair',
  'late-arrival': 'Late arrivals',
};

/** Phrases that show praise of an aspect and a complaint about it. */
const SHOWING: Readonly<Record<string, Partial<Record<Sentiment, string>>>> = {
  cleanliness: { positive: 'They swept the floor', negative: 'They left a mess' },
  friendliness: { positive: 'They were kind to us', negative: 'They were rude to us' },
  punctuality: { positive: 'They came on time', negative: 'They came late' },
  pricing: { positive: 'The price was fair', negative: 'The price was too high' },
  safety: { positive: 'They worked safely', negative: 'The wiring was dangerous' },
  'mike-alvarez': { positive: 'Mike was patient with us' },
};

export function findingsOf(
  indexed: readonly IndexedMention[],
  business: Business = BUSINESS,
): Findings {
  const perReview = new Map<string, ReviewInsights>();
  const scores = new Map<
    string,
    Record<'aspects' | 'problems', { readonly phraseScore: number }[]>
  >();
  const reviews: Review[] = indexed.map(
    ({ rating = 5, date = '2024-05-17', mentions = [] }, at) => {
      const phraseOf = ([, name, sentiment, phrase]: (typeof mentions)[number]) =>
        phrase ?? `${SHOWING[name]?.[sentiment] ?? 'This is the phrase'} with number ${at}.`;
      const text = mentions.map(phraseOf).join(' ') || null;
      const id = ulidOf(1000 - at);
      const of = (list: MentionList): Mention[] =>
        mentions
          .filter(([own]) => own === list)
          .map((one) => ({ id: one[1], sentiment: one[2], phrase: phraseOf(one) }));
      const scoresOf = (list: MentionList) =>
        mentions
          .filter(([own]) => own === list)
          .map(([, , , , phraseScore = 1]) => ({ phraseScore }));
      scores.set(id, { aspects: scoresOf('aspects'), problems: scoresOf('problems') });
      perReview.set(id, {
        score: 0,
        sentiment: 'neutral',
        aspects: of('aspects'),
        technicians: of('technicians'),
        services: of('services'),
        problems: of('problems'),
        service_areas: of('service_areas'),
        topics: [],
      });
      return review({ id, rating, date, text });
    },
  );
  const sorted = reviews.toSorted(compareNewestFirst);
  const asked = askedWhere(business.vertical);
  const index = new MentionIndex(
    sorted.map((one) => {
      const entry = perReview.get(one.id) as ReviewInsights;
      const answers = asked.flatMap(({ question, aspects, words }) =>
        entry.aspects
          .filter(({ id, phrase }) => aspects.includes(id) && words.test(phrase))
          .map((mention) => ({ ...mention, id: question })),
      );
      return { review: one, entry, scores: scores.get(one.id)!, answers };
    }),
  );
  const tally = (list: MentionList) => {
    const ids = new Set([...perReview.values()].flatMap((one) => one[list].map(({ id }) => id)));
    const entries = [...ids].map((id) => ({ id, name: NAMES[id] ?? id }));
    return tallyMentions(index, list, entries);
  };
  const aspects = tally('aspects');
  const problems = tally('problems');
  const technicians = withTraits(
    withoutWeakScores(tally('technicians'), business, EVERYONE),
    index,
  );
  const found = {
    business,
    reviews: sorted,
    mentions: index,
    aspects: aspects.map((one) => ({ ...one, label: one.name })),
    entities: {
      technicians,
      services: tally('services').map((one) => ({ ...one, label: one.name })),
      problems,
      service_areas: tally('service_areas'),
    },
    episodes: [],
    changes: [],
    comparison: compareWithPast(sorted),
    topics: [],
    prices: { mentions: [], medians: [] },
    unanalysedIds: [],
    unquotedIds: new Set<string>(),
  };
  return { ...found, selection: select(found) };
}

export const times = (count: number, indexed: IndexedMention): IndexedMention[] =>
  Array.from({ length: count }, () => indexed);

export function withEpisodes(findings: Findings, episodes: Findings['episodes']): Findings {
  const found = { ...findings, episodes };
  return { ...found, selection: select(found) };
}
