// Search against a naive loop over all reviews, written from the words of the contract.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { dateOfDay, dayNumber } from '../../src/model/date.ts';
import { fold } from '../../src/model/fold.ts';
import type { Insights } from '../../src/model/insights.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { cases } from '../support/cases.ts';
import { anyReview, anyText, BUSINESS, review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

/** All filters given must hold. */
function naiveSearch(
  reviews: readonly Review[],
  insights: Insights,
  filter: SearchFilter,
): string[] {
  return reviews
    .toSorted(compareNewestFirst)
    .filter((one) => matches(one, filter, insights))
    .map(({ id }) => id);
}

function matches(one: Review, filter: SearchFilter, insights: Insights): boolean {
  const { rating, min_rating: minRating, since, until, query, source } = filter;
  const { mentions_technician: technician, mentions_service: service } = filter;
  if (rating !== undefined && one.rating !== rating) return false;
  if (minRating !== undefined && one.rating < minRating) return false;
  if (filter.max_rating !== undefined && one.rating > filter.max_rating) return false;
  if (filter.author !== undefined && !fold(one.author).includes(fold(filter.author).trim())) {
    return false;
  }
  if (since !== undefined && one.date < since) return false;
  if (until !== undefined && one.date > until) return false;
  if (source !== undefined && one.source !== source) return false;
  if (query !== undefined) {
    // A rating without text never matches a query, nor does a review without a reply in replies.
    const texts = { text: [one.text], reply: [one.ownerReply?.text ?? null] };
    const searched =
      filter.in === 'all' ? [...texts.text, ...texts.reply] : texts[filter.in ?? 'text'];
    if (!searched.some((text) => text !== null && fold(text).includes(fold(query)))) return false;
  }
  const found = insights.per_review[one.id]!;
  if (technician !== undefined) {
    // A technician's name, alias or id; one whom the business did not name has no alias.
    const known = [
      ...BUSINESS.technicians,
      ...insights.entities.technicians.map((entity) => ({ ...entity, aliases: [] })),
    ];
    const ids = known
      .filter(({ id, name, aliases }) =>
        [id, name, ...aliases].some((each) => fold(each) === fold(technician)),
      )
      .map(({ id }) => id);
    if (!found.technicians.some(({ id }) => ids.includes(id))) return false;
  }
  if (service !== undefined) {
    // An id or a label, or else an alias.
    const having = (namesOf: (known: (typeof BUSINESS)['services'][number]) => readonly string[]) =>
      BUSINESS.services
        .filter((known) => namesOf(known).some((name) => fold(name) === fold(service)))
        .map(({ id }) => id);
    const own = having(({ id, label }) => [id, label]);
    const ids = own.length > 0 ? own : having(({ aliases }) => aliases);
    if (!found.services.some(({ id }) => ids.includes(id))) return false;
  }
  return true;
}

const NAMING = fc
  .array(
    fc.oneof(
      fc.constantFrom('Mike', 'Mikey', 'Mike Alvarez', 'Zoë', 'Zoe\u0308', 'the boiler', 'drain'),
      anyText,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(' '));

const REVIEWS = fc.uniqueArray(
  fc
    .tuple(anyReview, fc.option(NAMING, { freq: 2 }))
    .map(([one, text]) => (text === null ? one : { ...one, text })),
  { maxLength: 40, selector: ({ id }) => id },
);

const FIRST_DAY = dayNumber('2023-12-20');
const DATE = fc.oneof(
  fc.integer({ min: -3, max: 33 }).map((day) => dateOfDay(FIRST_DAY + day)),
  fc.constantFrom('0001-01-01', '1969-12-31', '9999-12-31'),
);

/** Where to cut a query out of the texts; beyond their ends it is short or empty. */
const CUT = fc.record({
  in: fc.constantFrom('text', 'author', 'reply'),
  of: fc.nat(39),
  from: fc.nat(30),
  length: fc.integer({ min: 0, max: 12 }),
});

const FILTER = fc.record(
  {
    rating: fc.integer({ min: 1, max: 5 }),
    min_rating: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1.5, 3.9, 4.0001)),
    max_rating: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(1.5, 3.9, 4.0001)),
    author: fc.oneof({ weight: 4, arbitrary: CUT }, { weight: 1, arbitrary: anyText }),
    in: fc.constantFrom('text', 'reply', 'all'),
    since: DATE,
    until: DATE,
    query: fc.oneof({ weight: 4, arbitrary: CUT }, { weight: 1, arbitrary: anyText }),
    mentions_technician: fc.constantFrom(
      'Mike',
      'MIKE',
      'mikey',
      'mike-alvarez',
      'Mike\u00a0Alvarez',
      'Zoe',
      'zoe lefevre',
      'zoe-lefevre',
      'Mik',
      'nobody',
      '__proto__',
    ),
    mentions_service: fc.constantFrom(
      'boiler-repair',
      'BOILER REPAIR',
      'Drain cleaning',
      'boiler',
      'CLOGGED  sink',
      'nothing',
      'constructor',
    ),
    source: fc.constantFrom('google', 'yelp', 'direct', 'Google', 'nowhere'),
    limit: fc.integer({ min: 1, max: 100 }),
  },
  { requiredKeys: [] },
);

function toFilter(
  { query, author, ...given }: typeof FILTER extends fc.Arbitrary<infer T> ? T : never,
  reviews: readonly Review[],
): SearchFilter {
  const cutFrom = (cut: string | NonNullable<typeof query>): string => {
    if (typeof cut === 'string') return cut;
    const one = reviews[cut.of % Math.max(1, reviews.length)];
    const text = { ...one, reply: one?.ownerReply?.text }[cut.in] ?? 'leak';
    return text
      .slice(cut.from % (text.length + 1))
      .slice(0, cut.length)
      .toWellFormed();
  };
  return {
    limit: 20,
    ...given,
    ...(query !== undefined && { query: cutFrom(query) }),
    ...(author !== undefined && { author: cutFrom(author) }),
  };
}

describe('search', () => {
  test('finds what a naive loop finds, on random filters and texts', async () => {
    await fc.assert(
      fc.asyncProperty(
        REVIEWS,
        fc.array(FILTER, { minLength: 30, maxLength: 30 }),
        async (reviews, wanted) => {
          const insights = deriveInsights(reviews, BUSINESS);
          const snapshot = await snapshotOf(reviews, { insights });
          for (const filter of wanted.map((given) => toFilter(given, reviews))) {
            const { matched, positions, more } = snapshot.search(filter);
            const expected = naiveSearch(reviews, insights, filter);
            const shown = { filter, matched, ids: positions.map((at) => snapshot.idAt(at)), more };
            expect(shown).toEqual({
              filter,
              matched: expected.length,
              ids: expected.slice(0, filter.limit),
              more: expected.length > filter.limit,
            });
          }
        },
      ),
      { numRuns: cases(20) },
    );
  });

  test('of a contradiction matches nothing', async () => {
    const snapshot = await snapshotOf([review({ rating: 2 }), review({ rating: 4 })]);
    const nothing = { matched: 0, positions: [], more: false, nextCursor: null };
    expect(snapshot.search({ limit: 20, rating: 2, min_rating: 4 })).toMatchObject(nothing);
    expect(snapshot.search({ limit: 20, since: '2024-06-01', until: '2024-05-01' })).toMatchObject(
      nothing,
    );
    expect(
      snapshot.search({ limit: 20, since: '2024-06-01', until: '2024-05-01', query: 'boiler' }),
    ).toMatchObject(nothing);
  });

  test('of any query, including one that folds to nothing, excludes ratings without text', async () => {
    const snapshot = await snapshotOf([
      review({ id: '01HN00000000000000000000AA', text: null }),
      review({ id: '01HN00000000000000000000BB', text: '\u0301' }),
      review({ id: '01HN00000000000000000000CC', text: 'Mike was great' }),
    ]);
    expect(snapshot.search({ limit: 20 }).matched).toBe(3);
    expect(snapshot.search({ limit: 20, query: '\u0301' }).matched).toBe(2);
    expect(snapshot.search({ limit: 20, query: 'i' }).matched).toBe(1);
    expect(
      snapshot.search({ limit: 20, query: '\u0301', mentions_technician: 'Mike' }).matched,
    ).toBe(1);
  });

  test('never finds words that span two reviews', async () => {
    const snapshot = await snapshotOf([review({ text: 'red' }), review({ text: 'blue' })]);
    for (const query of ['redblue', 'bluered', 'red blue', 'db', 'er']) {
      expect(snapshot.search({ limit: 20, query }).matched).toBe(0);
    }
  });

  test.each([
    ['case', 'GREAT Boiler', 'great bOILER'],
    ['accents', 'Zoë était là', 'zoe etait la'],
    ['compatibility forms', 'ﬁxed № 5', 'fixed no 5'],
    ['sharp s', 'Große Straße', 'GROSSE STRASSE'],
    ['final sigma', 'ΣΊΣΥΦΟΣ', 'σισυφος'],
    ['typographic quotes', 'don’t say “never”', 'don\'t say "never"'],
    ['dashes', 'on—time', 'on-time'],
    ['runs of white space', 'came \n\t on\u00a0\u2003time', 'came on time'],
  ])('folds %s on both sides', async (_what, text, query) => {
    const snapshot = await snapshotOf([review({ text }), review({ text: 'nothing of it' })]);
    const there = await snapshotOf([review({ text: query }), review({ text: 'nothing of it' })]);
    expect(snapshot.search({ limit: 20, query }).matched).toBe(1);
    expect(there.search({ limit: 20, query: text }).matched).toBe(1);
  });

  test('of no reviews finds nothing', async () => {
    const snapshot = await snapshotOf([]);
    for (const filter of [{}, { query: 'a' }, { query: '\u0301' }, { since: '2024-01-01' }]) {
      expect(snapshot.search({ limit: 20, ...filter })).toMatchObject({
        matched: 0,
        positions: [],
        more: false,
        nextCursor: null,
      });
    }
  });

  test('of one review finds it and has no next page', async () => {
    const snapshot = await snapshotOf([review({ date: '2024-05-17' })]);
    const found = { matched: 1, positions: [0], more: false, nextCursor: null };
    expect(snapshot.search({ limit: 1 })).toMatchObject(found);
    expect(snapshot.search({ limit: 1, since: '2024-05-17', until: '2024-05-17' })).toMatchObject(
      found,
    );
    expect(snapshot.search({ limit: 1, since: '2024-05-18' }).matched).toBe(0);
    expect(snapshot.search({ limit: 1, until: '2024-05-16' }).matched).toBe(0);
  });
});
