import { describe, expect, test } from 'vitest';
import {
  ANY_DATE,
  datesUntilTomorrow,
  parseRecord,
  type RecordOptions,
} from '../../src/intake/record.ts';
import { isUlid } from '../../src/model/ulid.ts';
import type { ImportedReview } from '../../src/store/reviews/review-rows.ts';
import { ID_KEY } from '../support/store.ts';

const NOTHING_SAID: RecordOptions = { source: null, verifiedBy: null, dates: ANY_DATE };
const RECORD = {
  author: 'Karen W.',
  rating: 5,
  date: '2024-05-17',
  text: 'Good',
  source: 'google',
};
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

function parse(values: object, defaults = NOTHING_SAID): ImportedReview {
  const parsed = parseRecord({ ...RECORD, ...values }, defaults, ID_KEY);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.value;
}

const messagesOf = (record: unknown, defaults = NOTHING_SAID) => {
  const parsed = parseRecord(record, defaults, ID_KEY);
  return parsed.ok ? [] : parsed.issues.map(({ path, message }) => [path.join('.'), message]);
};

describe('a record', () => {
  test('becomes a review for the store, with null for absent keys', () => {
    expect(parse({})).toEqual({
      id: '01HY1XJC005Q01SM0HVF21BMD1',
      identity: 'content:qU1OWQ0A1JYBV2-0yElXTosDeJF2scKpQPRpMsPcLVI',
      source: 'google',
      author: 'Karen W.',
      author_avatar_url: null,
      rating: 5,
      date: '2024-05-17',
      title: null,
      text: 'Good',
      source_url: null,
      owner_reply_text: null,
      owner_reply_date: null,
      verified: null,
      verified_by: null,
      verified_level: null,
      verified_at: null,
      location: null,
      attributes: null,
      ratings: null,
      unplaced: null,
    });
  });

  test('may have null or an empty value for an optional key', () => {
    const empty = {
      id: '',
      source_id: '',
      author_avatar_url: '',
      source_url: '',
      owner_reply: null,
      verified: null,
      verified_by: '',
    };
    expect(parse(empty)).toEqual(parse({}));
    expect(parse({ text: ' ' }).text).toBe(null);
  });

  test('may have unknown keys', () => {
    expect(parse({ likes: 3 })).toEqual(parse({}));
  });

  const integer = 'expected an integer from 1 to 5';
  const url = 'expected an http or https URL';
  const exists = 'expected a date that exists, written YYYY-MM-DD';
  const name = "expected the reviewer's name";
  const ofAttributes =
    'expected attributes as { name: text of at most 300 characters }, such as { "route": "London to Rome" }';
  const ratings = 'expected part scores as { name: number from 1 to 5 }, such as { "seat": 4 }';
  test.each([
    ['author', undefined, `${name}, got nothing`],
    ['author', ' \0\n', `${name}, got " \\u0000\\n"`],
    ['author', 5, `${name}, got 5`],
    ['rating', undefined, `${integer}, got nothing`],
    ['rating', '5', `${integer}, got "5"`],
    ['rating', 0, `${integer}, got 0`],
    ['rating', 6, `${integer}, got 6`],
    ['rating', 4.5, `${integer}, got 4.5`],
    ['rating', Infinity, `${integer}, got Infinity`],
    ['rating', null, `${integer}, got null`],
    ['date', undefined, 'expected a date such as "2026-01-31", got nothing'],
    ['date', '2025-02-30', `${exists}, got "2025-02-30"`],
    ['date', '17/05/2024', `${exists}, got "17/05/2024"`],
    ['text', 5, 'expected the words of the review, or null, got 5'],
    ['source', 5, 'expected where the review was written, such as "google", got 5'],
    ['id', 1.5, 'expected an id, got 1.5'],
    ['source_id', {}, 'expected an id, got {}'],
    ['source_url', 'nowhere', `${url}, got "nowhere"`],
    ['source_url', 'javascript:alert(1)', `${url}, got "javascript:alert(1)"`],
    ['source_url', 'https:', `${url}, got "https:"`],
    ['source_url', 'https://x/\u0000', `${url}, got "https://x/\\u0000"`],
    ['source_url', 'https://x/\ud800', `${url}, got "https://x/\\ud800"`],
    ['source_url', 'https://x/a b', `${url}, got "https://x/a b"`],
    ['author_avatar_url', 5, `${url}, got 5`],
    ['owner_reply', 'Thanks', 'expected a reply as { text, date }, or null, got "Thanks"'],
    ['owner_reply.text', '', 'expected the words of the reply, got ""'],
    ['owner_reply.date', '', `${exists}, got ""`],
    ['verified', 'yes', 'expected true or false, got "yes"'],
    ['location', {}, 'expected the branch, by its id or its name, got {}'],
    ['attributes.!', 'x', 'expected a name of at most 40 letters and digits, got "!"'],
    ['attributes.route', {}, `${ofAttributes}, got {}`],
    ['ratings.seat', 5.5, `${ratings}, got 5.5`],
    ['ratings.seat', '4', `${ratings}, got "4"`],
    ['ratings', [4], `${ratings}, got [4]`],
    ['verified_by', true, 'expected how it was verified, got true'],
  ])('with %s %j is refused with what was expected and what was given', (path, value, message) => {
    const [key = '', inner] = path.split('.');
    const reply = key === 'owner_reply' ? { text: 'Thanks', date: '2024-05-18' } : {};
    const values = inner === undefined ? { [key]: value } : { [key]: { ...reply, [inner]: value } };
    expect(messagesOf({ ...RECORD, ...values })).toEqual([[path, message]]);
  });

  test.each([5, 'review', null, true])('that is %j is refused', (record) => {
    expect(messagesOf(record)).toEqual([
      ['', `expected a review as an object, got ${JSON.stringify(record)}`],
    ]);
  });

  describe('with bounds for dates', () => {
    const nowMs = Date.parse('2026-11-22T23:59:59.999Z');
    const options = { ...NOTHING_SAID, dates: datesUntilTomorrow('1995-01-01', nowMs) };
    const early = 'expected a date not before 1995-01-01 (REVIEW_DATE_EARLIEST)';
    const late = 'expected a date not after tomorrow, 2026-11-23';

    test.each(['1995-01-01', '2026-11-22', '2026-11-23'])('may be of %s', (date) => {
      const owner_reply = { text: 'Thanks', date };
      expect(parse({ date, owner_reply }, options)).toMatchObject({
        date,
        owner_reply_date: date,
      });
    });

    test.each([
      ['0001-01-01', early],
      ['1994-12-31', early],
      ['2026-11-24', late],
      ['9999-12-31', late],
    ])('is refused with %s, as its date or that of the reply', (date, message) => {
      const said = `${message}, got "${date}"`;
      expect(messagesOf({ ...RECORD, date }, options)).toEqual([['date', said]]);
      const owner_reply = { text: 'Thanks', date };
      expect(messagesOf({ ...RECORD, owner_reply }, options)).toEqual([['owner_reply.date', said]]);
    });

    test('reports a date out of bounds beside other issues', () => {
      const record = { ...RECORD, rating: 9, date: '9999-12-31', owner_reply: { date: 5 } };
      expect(messagesOf(record, options).map(([path]) => path)).toEqual([
        'rating',
        'owner_reply.text',
        'owner_reply.date',
        'date',
      ]);
    });

    test('starts the new day at midnight UTC', () => {
      expect(datesUntilTomorrow('1995-01-01', nowMs + 1).latest).toBe('2026-11-24');
    });
  });

  test('has attributes and part scores by folded names, in their order', () => {
    const given = JSON.parse(
      '{"Seat Comfort":4.26,"cabin crew":1,"food":null,"__proto__":5,"constructor":3}',
    ) as object;
    const { attributes, ratings: scores } = parse({
      attributes: { Größe: 42, route: ' London\n to Rome ', gift: '' },
      ratings: given,
    });
    expect(scores).toBe('{"cabin_crew":1,"constructor":3,"seat_comfort":4.3}');
    expect(attributes).toBe('{"grosse":"42","route":"London to Rome"}');
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, 'x']));
    expect(messagesOf({ ...RECORD, attributes: many })).toEqual([
      ['attributes', 'expected at most 50 names, got 51'],
    ]);
  });

  test('of another branch is another review, and of none it is the one that it was', () => {
    const bare = parse({});
    const [here, there] = ['Portland', 'Bath'].map((location) => parse({ location }));
    const ids = [bare, here!, there!].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect([here!.unplaced, there!.unplaced]).toEqual([bare.identity, bare.identity]);
    expect(parse({ location: 'PORTLAND' }).identity).toBe(here!.identity);
    const known = { source_id: 'g1' };
    expect(parse({ ...known, location: 'Bath' })).toMatchObject({
      id: parse(known).id,
      identity: parse(known).identity,
      unplaced: null,
    });
  });

  test('reports all its issues at once', () => {
    const record = { author: '', rating: 9, date: 'x', source_url: 'x', owner_reply: {} };
    expect(messagesOf(record).map(([path]) => path)).toEqual([
      'author',
      'rating',
      'date',
      'source_url',
      'owner_reply.text',
    ]);
  });

  test('needs a source, its own or that of the option', () => {
    expect(messagesOf({ ...RECORD, source: ' ' })).toEqual([
      [
        'source',
        'expected where the review was written, such as "google"; --source sets it for all rows',
      ],
    ]);
    const defaults = { ...NOTHING_SAID, source: 'direct' };
    expect(parse({ source: undefined }, defaults).source).toBe('direct');
    expect(parse({}, defaults).source).toBe('google');
  });

  test('is stored as plain text', () => {
    const text = ' one\r\ntwo\rthree\0 \ud800 four\t\n';
    const review = parse({ author: ' Karen\0 ', text, owner_reply: { text, date: '2024-05-18' } });
    expect(review.author).toBe('Karen');
    expect(review.text).toBe('one\ntwo\nthree  four');
    expect(review.owner_reply_text).toBe('one\ntwo\nthree  four');
  });
});

describe('the identity of a review', () => {
  test('is short enough for the index of any database, even if the id of its source is long', () => {
    const long = 'x'.repeat(100_000);
    const { identity } = parse({ source_id: long });
    expect(identity).toMatch(/^digest:[\w-]{43}$/);
    expect(parse({ source_id: long }).identity).toBe(identity);
    expect(parse({ source_id: `${long}x` }).identity).not.toBe(identity);
  });

  test('is its ULID', () => {
    expect(parse({ id: ULID, source_id: 'g-1' })).toMatchObject({
      id: ULID,
      identity: `id:${ULID}`,
    });
  });

  test.each([
    ['a source_id', { source_id: 'g-1' }],
    ['an id that is no ULID', { id: 'g-1' }],
  ])("is the source's id where it has %s", (_, ids) => {
    const review = parse(ids);
    expect(review).toMatchObject({ identity: 'source:["google","g-1"]' });
    expect(parse({ ...ids, author: 'K.', text: 'Edited' })).toMatchObject({
      id: review.id,
      identity: review.identity,
    });
    expect(parse({ ...ids, source: 'yelp' }).identity).not.toBe(review.identity);
  });

  test('is the same for an id as a number and as text', () => {
    expect(parse({ id: 17 }).identity).toBe('source:["google","17"]');
    expect(parse({ id: '17' }).identity).toBe('source:["google","17"]');
    // In lower case it is no ULID of ours.
    expect(parse({ id: ULID.toLowerCase() }).identity).toBe(
      `source:["google","${ULID.toLowerCase()}"]`,
    );
  });

  test.each([
    ['source', 'yelp'],
    ['author', 'K.'],
    ['date', '2024-05-18'],
    ['text', 'Bad'],
    ['text', null],
  ])('without ids differs with the %s %j', (key, value) => {
    expect(parse({ [key]: value }).identity).not.toBe(parse({}).identity);
    expect(parse({ [key]: value }).id).not.toBe(parse({}).id);
  });

  test('without ids does not depend on rating, links, replies or white space', () => {
    const other = {
      rating: 1,
      author: ' Karen W.\r\n',
      source_url: 'https://reviews.example/1',
      owner_reply: { text: 'Thanks', date: '2024-05-18' },
      verified: true,
    };
    expect(parse(other)).toMatchObject({ id: parse({}).id, identity: parse({}).identity });
  });

  test('without ids does not depend on the key of the store, but the id does', () => {
    const parsed = parseRecord(RECORD, NOTHING_SAID, 'another key');
    expect(parsed).toMatchObject({ ok: true, value: { identity: parse({}).identity } });
    expect(parsed).not.toMatchObject({ value: { id: parse({}).id } });
  });

  test('cannot be forged by moving text from one field to the next', () => {
    expect(parse({ author: 'A","B', text: 'C' }).identity).not.toBe(
      parse({ author: 'A', text: 'B","C' }).identity,
    );
  });

  test('results in a ULID that sorts by date, also before 1970', () => {
    const ids = ['1969-12-31', '1970-01-02', '2024-05-17', '9999-12-31'].map(
      (date) => parse({ date }).id,
    );
    expect(ids.every(isUlid)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
  });
});

test('URLs are serialized as in the URL standard, without characters that end an attribute', () => {
  const url = 'https://E.example/"onclick=x//<b>?q="<\'';
  expect(parse({ source_url: url, author_avatar_url: 'https://e.example' })).toMatchObject({
    source_url: 'https://e.example/%22onclick=x//%3Cb%3E?q=%22%3C%27',
    author_avatar_url: 'https://e.example/',
  });
});

describe('verified', () => {
  test.each([
    ['nothing is said', {}, null, null, null],
    ['the file says true', { verified: true }, null, 1, null],
    ['the file says how', { verified_by: 'receipt' }, null, 1, 'receipt'],
    ['the file says true and how', { verified: true, verified_by: 'receipt' }, null, 1, 'receipt'],
    ['the option says how', {}, 'phone', 1, 'phone'],
    ['the file says true, the option how', { verified: true }, 'phone', 1, 'phone'],
    ['both say how', { verified_by: 'receipt' }, 'phone', 1, 'receipt'],
    ['the file says false', { verified: false }, null, 0, null],
    ['the file says false, the option how', { verified: false }, 'phone', 0, null],
    ['the file says false and how', { verified: false, verified_by: 'receipt' }, 'phone', 0, null],
    ['the file says an empty how', { verified_by: ' ' }, null, null, null],
  ])('if %s', (_, values, verifiedBy, verified, how) => {
    expect(parse(values, { ...NOTHING_SAID, verifiedBy })).toMatchObject({
      verified,
      verified_by: how,
    });
  });
});
