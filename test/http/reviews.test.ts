// Search, since and a single review over HTTP.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const [EARLY, MIDDLE, LATE] = [ulidOf(1), ulidOf(2), ulidOf(3)];
let server: TestServer;
beforeAll(async () => {
  const reviews = [
    review({ id: EARLY, date: '2024-01-10', rating: 2, text: 'A leak — “again”', source: 'yelp' }),
    review({ id: MIDDLE, date: '2024-01-20', rating: 4, text: 'Mike Alvarez fixed the boiler.' }),
    review({ id: LATE, date: '2024-01-30', rating: 5, text: null }),
  ];
  server = await TestServer.open(await snapshotOf(reviews));
});
afterAll(() => server.close());

const search = (query: string) => server.json(`/api/reviews/search${query}`);
const idsOf = ({ reviews }: { reviews: { id: string }[] }) => reviews.map(({ id }) => id);

describe('GET /api/reviews/search', () => {
  test.each([
    ['', [LATE, MIDDLE, EARLY]],
    ['?rating=2', [EARLY]],
    ['?rating=2.0', [EARLY]],
    ['?min_rating=3.5', [LATE, MIDDLE]],
    ['?min_rating=4', [LATE, MIDDLE]],
    ['?since=2024-01-20', [LATE, MIDDLE]],
    ['?until=2024-01-20', [MIDDLE, EARLY]],
    ['?since=2024-01-20&until=2024-01-20', [MIDDLE]],
    ['?query=LEAK', [EARLY]],
    ['?query=leak+-+%22again%22', [EARLY]],
    ['?query=leak%20%E2%80%94%20%E2%80%9Cagain%E2%80%9D', [EARLY]],
    ['?mentions_technician=mike', [MIDDLE]],
    ['?mentions_technician=MIKE%20ALVAREZ', [MIDDLE]],
    ['?mentions_technician=mike-alvarez', [MIDDLE]],
    ['?mentions_technician=zoe', []],
    ['?mentions_technician=nobody', []],
    ['?mentions_service=boiler-repair', [MIDDLE]],
    ['?mentions_service=Boiler+Repair', [MIDDLE]],
    ['?mentions_service=nothing', []],
    ['?source=yelp', [EARLY]],
    ['?source=nowhere', []],
    ['?rating=2&min_rating=4', []],
    ['?since=2024-02-01&until=2024-01-01', []],
    ['?query=&mentions_technician=&mentions_service=&source=', [LATE, MIDDLE, EARLY]],
    ['?unknown=1&unknown=2', [LATE, MIDDLE, EARLY]],
  ])('%s finds %j', async (query, ids) => {
    const answer = await search(query);
    expect(idsOf(answer)).toEqual(ids);
    expect(answer).toMatchObject({
      matched: ids.length,
      returned: ids.length,
      next_cursor: null,
    });
  });

  test('answers with these members, and repeats the filters that were applied', async () => {
    expect(await search('?min_rating=4&query=fixed&unknown=x&source=&limit=5')).toEqual({
      matched: 1,
      returned: 1,
      filters: { min_rating: 4, query: 'fixed', limit: 5, ignored: ['unknown'] },
      next_cursor: null,
      reviews: [
        {
          id: MIDDLE,
          author: 'Karen W.',
          author_avatar_url: null,
          rating: 4,
          date: '2024-01-20',
          text: 'Mike Alvarez fixed the boiler.',
          source: 'google',
          source_url: null,
          owner_reply: null,
          verified: true,
        },
      ],
    });
    expect((await search('')).filters).toEqual({ limit: 20 });
  });

  test('walks its pages by next_cursor', async () => {
    const first = await search('?limit=2');
    expect(first).toMatchObject({ matched: 3, returned: 2, next_cursor: `2024-01-20.${MIDDLE}` });
    const second = await search(`?limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ matched: 3, returned: 1, next_cursor: null });
    expect([...idsOf(first), ...idsOf(second)]).toEqual([LATE, MIDDLE, EARLY]);
  });

  test.each([
    ['rating=0', 'rating', 'expected an integer from 1 to 5, got 0'],
    ['rating=6', 'rating', 'expected an integer from 1 to 5, got 6'],
    ['rating=4.5', 'rating', 'expected an integer from 1 to 5, got 4.5'],
    ['rating=', 'rating', 'expected an integer from 1 to 5, got ""'],
    ['rating=five', 'rating', 'expected an integer from 1 to 5, got "five"'],
    ['rating=5e0', 'rating', 'expected an integer from 1 to 5, got "5e0"'],
    ['rating=0x5', 'rating', 'expected an integer from 1 to 5, got "0x5"'],
    ['rating=+5', 'rating', 'expected an integer from 1 to 5, got " 5"'],
    ['rating=%zz', 'rating', 'expected an integer from 1 to 5, got "%zz"'],
    ['rating=4&rating=9', 'rating', 'expected an integer from 1 to 5, got 9'],
    ['rating=4&rating=', 'rating', 'expected an integer from 1 to 5, got ""'],
    ['rating', 'rating', 'expected an integer from 1 to 5, got ""'],
    ['min_rating=0.9', 'min_rating', 'expected a number from 1 to 5, got 0.9'],
    ['min_rating=5.1', 'min_rating', 'expected a number from 1 to 5, got 5.1'],
    ['min_rating=NaN', 'min_rating', 'expected a number from 1 to 5, got "NaN"'],
    ['min_rating=', 'min_rating', 'expected a number from 1 to 5, got ""'],
    ['limit=0', 'limit', 'expected an integer from 1 to 100, got 0'],
    ['limit=101', 'limit', 'expected an integer from 1 to 100, got 101'],
    ['limit=-1', 'limit', 'expected an integer from 1 to 100, got -1'],
    ['limit=', 'limit', 'expected an integer from 1 to 100, got ""'],
    [
      'since=2025-02-30',
      'since',
      'expected a date that exists, written YYYY-MM-DD, got "2025-02-30"',
    ],
    ['since=', 'since', 'expected a date that exists, written YYYY-MM-DD, got ""'],
    ['until=01-02-2024', 'until', expect.stringContaining('got "01-02-2024"')],
    ['until=2024-1-2', 'until', expect.stringContaining('got "2024-1-2"')],
    ['until=2024-01-02T00:00', 'until', expect.stringContaining('got "2024-01-02T00:00"')],
    ['query=a&query=b&query=c', 'query', 'expected query once, got it 3 times'],
    ['sort=&sort=', 'sort', 'expected sort once, got it 2 times'],
    ['has_reply=yes', 'has_reply', 'expected true or false, got "yes"'],
    ['sentiment=bad', 'sentiment', 'expected positive, neutral or negative, got "bad"'],
    ['cursor=', 'cursor', 'expected a next_cursor of an earlier answer, got ""'],
    ['cursor=1', 'cursor', 'expected a next_cursor of an earlier answer, got "1"'],
    [
      `cursor=2025-02-30.${EARLY}`,
      'cursor',
      `expected a next_cursor of an earlier answer, got "2025-02-30.${EARLY}"`,
    ],
  ])('?%s is invalid', async (query, name, message) => {
    const answer = await server.ask(`/api/reviews/search?${query}`);
    expect(answer.status).toBe(400);
    const { issues } = JSON.parse(answer.text);
    expect(issues).toEqual([{ code: expect.any(String), path: [name], message }]);
  });

  test('names all problems of a request at once', async () => {
    const query = '?rating=9&min_rating=x&since=2025-02-30&until=&limit=0&cursor=x&query=a&query=b';
    const { issues } = await search(query);
    expect(issues.map(({ path }: { path: string[] }) => path[0]).toSorted()).toEqual([
      'cursor',
      'limit',
      'min_rating',
      'query',
      'rating',
      'since',
      'until',
    ]);
  });
});

describe('GET /api/reviews/since/{date}', () => {
  test.each([
    ['0001-01-01', [LATE, MIDDLE, EARLY]],
    ['2024-01-10', [LATE, MIDDLE, EARLY]],
    ['2024-01-11', [LATE, MIDDLE]],
    ['2024-01-30', [LATE]],
    ['2024-01-31', []],
    ['2024%2D01-30', [LATE]],
  ])('%s has %j', async (date, ids) => {
    const answer = await server.json(`/api/reviews/since/${date}`);
    expect(Object.keys(answer)).toEqual(['since', 'matched', 'returned', 'reviews']);
    expect(answer.since).toBe(date.replace('%2D', '-'));
    expect([answer.matched, answer.returned, idsOf(answer)]).toEqual([ids.length, ids.length, ids]);
  });

  test('ignores a query behind it', async () => {
    expect(idsOf(await server.json('/api/reviews/since/2024-01-30?limit=0'))).toEqual([LATE]);
  });

  test.each(['2025-02-30', '2024-1-1', '2024-01-01T00:00:00Z', 'today', '', '2024%2F01%2F01'])(
    'of the date %j is 400 with the issue',
    async (date) => {
      const answer = await server.ask(`/api/reviews/since/${date}`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text).issues).toEqual([
        {
          code: 'invalid_date',
          path: ['date'],
          message:
            'expected a date that exists, written YYYY-MM-DD, ' +
            `got ${JSON.stringify(decodeURIComponent(date))}`,
        },
      ]);
    },
  );
});

describe('GET /api/reviews/{id}', () => {
  test('is the review', async () => {
    expect(await server.json(`/api/reviews/${LATE}`)).toEqual({
      id: LATE,
      author: 'Karen W.',
      author_avatar_url: null,
      rating: 5,
      date: '2024-01-30',
      text: null,
      source: 'google',
      source_url: null,
      owner_reply: null,
      verified: true,
    });
  });

  test.each([ulidOf(4), LATE.toLowerCase(), '%20', 'x', 'since', ''])(
    'of the unknown id %j is 404',
    async (id) => {
      expect(await server.json(`/api/reviews/${id}`)).toEqual({
        type: 'about:blank',
        title: 'Not Found',
        status: 404,
        detail: ['since', ''].includes(id)
          ? 'There is nothing at this path. All paths: /openapi.json; documentation: /developers.'
          : 'No published review has this id.',
      });
    },
  );
});

test('an empty set answers every read', async () => {
  const empty = await TestServer.open(await snapshotOf([]));
  expect(await empty.json('/api/reviews/search')).toEqual({
    matched: 0,
    returned: 0,
    filters: { limit: 20 },
    next_cursor: null,
    reviews: [],
  });
  expect(await empty.json('/api/reviews/since/2024-01-01')).toEqual({
    since: '2024-01-01',
    matched: 0,
    returned: 0,
    reviews: [],
  });
  expect((await empty.ask(`/api/reviews/${LATE}`)).status).toBe(404);
  for (const path of ['/reviews.json', '/insights.json', '/api/feed.json', '/feed.xml']) {
    expect((await empty.ask(path)).status).toBe(200);
  }
  await empty.close();
});
