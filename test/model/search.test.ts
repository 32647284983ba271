import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cursor, cursorSchema, cursorTextSchema } from '../../src/model/cursor.ts';
import { parseSearchParameters } from '../../src/model/search.ts';
import { growth, LINEAR } from '../support/growth.ts';
import { anyReview, ulidOf } from '../support/reviews.ts';

const CURSOR = `2024-05-17.${ulidOf(1)}`;

describe('search parameters', () => {
  test('that are absent do not filter; the limit is 20', () => {
    expect(parseSearchParameters({})).toEqual({ ok: true, value: { limit: 20 } });
  });

  test('are all parsed', () => {
    const parameters = {
      rating: '5',
      min_rating: '4.5',
      since: '2024-01-01',
      until: '2024-02-29',
      query: ' Leak ',
      mentions_technician: 'Mike',
      mentions_service: 'boiler-repair',
      source: 'google',
      limit: '100',
      cursor: CURSOR,
    };
    expect(parseSearchParameters(parameters)).toEqual({
      ok: true,
      value: {
        ...parameters,
        rating: 5,
        min_rating: 4.5,
        limit: 100,
        cursor: new Cursor('2024-05-17', ulidOf(1)),
      },
    });
  });

  test.each([
    ['rating', '1', 1],
    ['rating', '5', 5],
    ['rating', '4.0', 4],
    ['min_rating', '1', 1],
    ['min_rating', '5', 5],
    ['min_rating', '3.25', 3.25],
    ['limit', '1', 1],
    ['limit', '100', 100],
  ])('accept %s=%s', (name, text, value) => {
    expect(parseSearchParameters({ [name]: text })).toMatchObject({ value: { [name]: value } });
  });

  const integer = (high: number) => `an integer from 1 to ${high}`;
  const number = 'a number from 1 to 5';
  const date = 'a date that exists, written YYYY-MM-DD';
  const cursor = 'a next_cursor of an earlier answer';
  test.each([
    ['rating', '0', integer(5), '0'],
    ['rating', '6', integer(5), '6'],
    ['rating', '-1', integer(5), '-1'],
    ['rating', '4.5', integer(5), '4.5'],
    ['rating', '', integer(5), '""'],
    ['rating', 'five', integer(5), '"five"'],
    ['rating', ' 5', integer(5), '" 5"'],
    ['rating', '5e0', integer(5), '"5e0"'],
    ['rating', '0x5', integer(5), '"0x5"'],
    ['rating', 'NaN', integer(5), '"NaN"'],
    ['min_rating', '0.9', number, '0.9'],
    ['min_rating', '5.1', number, '5.1'],
    ['min_rating', '', number, '""'],
    ['min_rating', '4,5', number, '"4,5"'],
    ['min_rating', 'Infinity', number, '"Infinity"'],
    ['limit', '0', integer(100), '0'],
    ['limit', '101', integer(100), '101'],
    ['limit', '99999999999999999999', integer(100), '100000000000000000000'],
    ['limit', '10.5', integer(100), '10.5'],
    ['limit', '', integer(100), '""'],
    ['since', '2025-02-30', date, '"2025-02-30"'],
    ['since', '', date, '""'],
    ['since', 'yesterday', date, '"yesterday"'],
    ['until', '2024-1-1', date, '"2024-1-1"'],
    ['until', '', date, '""'],
    ['cursor', '', cursor, '""'],
    ['cursor', 'x', cursor, '"x"'],
    ['cursor', `2025-02-30.${ulidOf(1)}`, cursor, `"2025-02-30.${ulidOf(1)}"`],
    ['cursor', '2024-05-17.x', cursor, '"2024-05-17.x"'],
    ['cursor', `${CURSOR}.x`, cursor, `"${CURSOR}.x"`],
  ])('reject %s=%s', (name, text, what, got) => {
    expect(parseSearchParameters({ [name]: text })).toEqual({
      ok: false,
      issues: [{ code: expect.any(String), path: [name], message: `expected ${what}, got ${got}` }],
    });
  });

  const TEXTS = ['words', 'aspect', 'problem', 'service_area', 'topic', 'language', 'facets'];
  test.each(TEXTS)('reject a %s of more than 1,000 characters before it is folded', (name) => {
    const issue = { code: 'too_big', path: [name] };
    const long = '\ufdfa'.repeat(1_001);
    const result = parseSearchParameters({ [name]: long });
    expect(result).toMatchObject({ ok: false, issues: [issue] });
    // No other check, which would have folded it, has failed too.
    expect(result.ok ? [] : result.issues).toEqual([
      { ...issue, message: expect.stringMatching(/^expected at most 1000 characters, got "ﷺ/) },
    ]);
    const longest = name === 'facets' ? ','.repeat(1_000) : 'a'.repeat(1_000);
    expect(parseSearchParameters({ [name]: longest }).ok).toBe(true);
  });

  test('refuse a list of facets in linear time', () => {
    const listOf = (length: number) => `${', '.repeat(length)}x`;
    const parse = (facets: string) => parseSearchParameters({ facets });
    expect(growth(3, listOf, parse)).toBeLessThan(LINEAR);
    expect(parse(listOf(400)).ok).toBe(false);
    expect(parse(' rating ,month,, , source ').ok).toBe(true);
    expect(parse('rating month').ok).toBe(false);
  });

  test.each(['query', 'mentions_technician', 'mentions_service', 'source'])(
    'take a %s of any length',
    (name) => {
      expect(parseSearchParameters({ [name]: 'x'.repeat(10_000) }).ok).toBe(true);
    },
  );

  test.each(['query', 'mentions_technician', 'mentions_service', 'source'])(
    'with an empty %s do not filter by it',
    (name) => {
      expect(parseSearchParameters({ [name]: '' })).toEqual({ ok: true, value: { limit: 20 } });
    },
  );

  test.each([
    'min_rating',
    'since',
    'until',
    'query',
    'mentions_technician',
    'mentions_service',
    'words',
    'sort',
    'limit',
    'cursor',
  ])('reject a repeated %s, even if empty', (name) => {
    expect(parseSearchParameters({ [name]: ['5', '', '5'] })).toEqual({
      ok: false,
      issues: [
        { code: 'repeated', path: [name], message: `expected ${name} once, got it 3 times` },
      ],
    });
  });

  test('report all issues at once', () => {
    const result = parseSearchParameters({
      rating: '9',
      min_rating: '',
      since: '2025-02-30',
      until: 'x',
      query: ['a', 'b'],
      limit: '0',
      cursor: 'x',
    });
    expect(result.ok ? [] : result.issues.map(({ path }) => path[0])).toEqual([
      'query',
      'rating',
      'min_rating',
      'since',
      'until',
      'limit',
      'cursor',
    ]);
  });

  test('that are unknown are ignored and named', () => {
    expect(parseSearchParameters({ page: '2', RATING: 'x', constructor: 'y' })).toEqual({
      ok: true,
      value: { limit: 20, ignored: ['page', 'RATING', 'constructor'] },
    });
  });

  test('that contradict each other are a filter that matches nothing', () => {
    const { ok } = parseSearchParameters({
      rating: '2',
      min_rating: '4',
      since: '2024-02-01',
      until: '2024-01-01',
    });
    expect(ok).toBe(true);
  });
});

test('parsing the text of a cursor returns the cursor, as text and as JSON', () => {
  fc.assert(
    fc.property(anyReview, ({ id, date }) => {
      const cursor = new Cursor(date, id);
      expect(cursorSchema.parse(String(cursor))).toEqual(cursor);
      expect(cursorSchema.parse(JSON.parse(JSON.stringify(cursor)))).toEqual(cursor);
    }),
  );
});

test('cursors are described as they are parsed', () => {
  const { pattern } = cursorTextSchema.meta() as { pattern: string };
  const ranks = ['', '0.', '7.', '123456789.', '00.', '01.', '1234567890.', '-1.', '1.5.', '.'];
  const orders = ['', 'newest.', 'oldest.', 'highest.', 'lowest.', 'relevance.', 'x.'];
  const parsed = orders.flatMap((order) =>
    ranks.flatMap((rank) => {
      const text = order + rank + CURSOR;
      const isParsed = cursorSchema.safeParse(text).success;
      expect([text, new RegExp(pattern, 'u').test(text)]).toEqual([text, isParsed]);
      return isParsed ? [order + rank] : [];
    }),
  );
  expect(parsed).toEqual([
    '',
    'oldest.',
    ...['highest', 'lowest', 'relevance'].flatMap((sort) =>
      ['0', '7', '123456789'].map((rank) => `${sort}.${rank}.`),
    ),
  ]);
});

test('two spellings of the name of an attribute are one, with the values of both', () => {
  const result = parseSearchParameters({ 'attribute.Route': 'a', 'attribute.route': ['b', 'c'] });
  expect(result).toMatchObject({ ok: true, value: { attributes: { route: ['a', 'b', 'c'] } } });
});
