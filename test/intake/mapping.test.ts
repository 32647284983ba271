import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readTable, withReplies } from '../../src/intake/formats/rows.ts';
import { itemMapper, openMapped } from '../../src/intake/mapping/mapped-row.ts';
import { type Mapping, mappingSchema, parseMapping } from '../../src/intake/mapping/mapping.ts';
import type { Row } from '../../src/intake/record.ts';

const NO_STARS = 'add the stars that the customer gave, or leave the row out: never make them up';
const NO_DATE = 'write it into the row, or leave the row out';

/** Maps a row of a file that has these columns. */
function map(mapping: Partial<Mapping>, row: Readonly<Record<string, string>>): Row {
  const parsed = mappingSchema.parse(mapping);
  return { line: 7, ...openMapped(parsed)('file', Object.keys(row))(Object.values(row)) };
}

const ROW = { author: 'A', rating: '5', date: '2024-01-02' };

describe('a mapping file', () => {
  test('without keys expects columns with the names of the fields, ISO dates and stars', () => {
    expect(parseMapping('m.json', '{}')).toEqual({
      attributes: {},
      ratings: {},
      constants: {},
      only: {},
      hidden: {},
      date_format: 'yyyy-MM-dd',
      rating_scale: { min: 1, max: 5 },
      ratings_scale: { min: 1, max: 5 },
      rating_values: {},
      decimal: '.',
      rating_scales: {},
      agreed: {},
      private_replies: {},
      reply_rows: {},
      nameless: {},
      verified_values: ['true', 'yes', '1'],
      verified_levels: [],
    });
  });

  const dateFormat = 'expected a format with day, month and year such as "dd/MM/yyyy"';
  const delimiter = 'expected one character that is neither a quote nor a line end';
  test.each([
    ['an unknown key', { colums: {} }, 'Unrecognized key: "colums"'],
    ['an unknown field', { columns: { autor: 'x' } }, 'columns: Unrecognized key: "autor"'],
    ['an unknown constant', { constants: { rating: 5 } }, 'constants: Unrecognized key: "rating"'],
    [
      'the days of a year',
      { date_format: 'DD/MM/YYYY' },
      `date_format: ${dateFormat}, got "DD/MM/YYYY"`,
    ],
    ['an unknown token', { date_format: 'n' }, `date_format: ${dateFormat}, got "n"`],
    [
      'a date without a day',
      { date_format: 'MM/yyyy' },
      `date_format: ${dateFormat}, got "MM/yyyy"`,
    ],
    [
      'a date format with two days',
      { date_format: 'd dd MM yyyy' },
      `date_format: ${dateFormat}, got "d dd MM yyyy"`,
    ],
    ['an empty date format', { date_format: '' }, `date_format: ${dateFormat}, got ""`],
    [
      'a scale of one rating',
      { rating_scale: { min: 5, max: 5 } },
      'rating_scale: expected min and max to differ',
    ],
    ['a delimiter of two', { delimiter: ';;' }, `delimiter: ${delimiter}`],
    ['a quote for a delimiter', { delimiter: '"' }, `delimiter: ${delimiter}`],
  ])('with %s is refused', (_, mapping, message) => {
    expect(() => parseMapping('m.json', JSON.stringify(mapping))).toThrow(`m.json: ${message}`);
  });

  test('is refused with all its issues and its name', () => {
    const text = JSON.stringify({ colums: {}, date_format: '', delimiter: '' });
    expect(() => parseMapping('m.json', text)).toThrow(
      `m.json: date_format: ${dateFormat}, got ""\nm.json: delimiter: ${delimiter}\n` +
        'm.json: Unrecognized key: "colums"',
    );
    expect(() => parseMapping('m.json', '{')).toThrow('m.json: expected a mapping file in JSON');
  });
});

describe('columns', () => {
  test('that are mapped must all exist', () => {
    const columns = { author: 'Name', rating: 'Stars', date: 'When', text: 'Words' };
    const mapping = mappingSchema.parse({ columns });
    expect(() => openMapped(mapping)('file', ['Name', 'Stars', 'rating'])).toThrow(
      'file:1: expected the columns "When", "Words", got "Name", "Stars", "rating"',
    );
  });

  test('must be mapped for author, rating and date', () => {
    const mapping = mappingSchema.parse({ columns: { author: 'Name' } });
    expect(() => openMapped(mapping)('file', ['Name', 'rating', 'date'])).toThrow(
      'file:1: expected the columns "rating", "date", got "Name", "rating", "date"',
    );
  });

  test('without a mapped field are not read', () => {
    const columns = { author: 'Name', rating: 'rating', date: 'date' };
    expect(map({ columns }, { Name: 'N', ...ROW, text: 'hi' })).toMatchObject({
      record: { author: 'N', text: null },
    });
  });
});

describe('a date of a CSV file', () => {
  test.each([
    ['do MMMM yyyy', '19th November 2023', '2023-11-19'],
    ['do MMMM yyyy', '1st May 2023', '2023-05-01'],
    ['do MMMM yyyy', '29th february 2024', '2024-02-29'],
    ['dd/MM/yyyy', '03/02/2024', '2024-02-03'],
    ['MM/dd/yyyy', '03/02/2024', '2024-03-02'],
    ['MMM d, yyyy', 'Jan 5, 2024', '2024-01-05'],
    ['dd.MM.yy', '19.11.23', '2023-11-19'],
    ['dd.MM.yy', '19.11.99', '1999-11-19'],
    ['yyyy-MM-dd', '0001-01-01', '0001-01-01'],
    ["yyyy-MM-dd'T'HH:mm:ss", '2024-01-01T23:59:59', '2024-01-01'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2024-01-01T23:30:00Z', '2024-01-01'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2024-01-01T00:30:00+02:00', '2023-12-31'],
    ['d MMM yyyy', '5 Sept 2023', '2023-09-05'],
    ['M/d/yyyy h:mm a', '1/31/2024 12:05 AM', '2024-01-31'],
    ["d 'o''clock' MM yyyy", "1 o'clock 02 2024", '2024-02-01'],
    ['t', '1704063600', '2023-12-31'],
    ['T', '1704067200000', '2024-01-01'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSxx", '2024-01-01T23:30:00.123-0130', '2024-01-02'],
    ["EEEE, d MMMM yyyy 'at' HH:mm", 'Monday, 1 January 2024 at 09:30', '2024-01-01'],
  ])('written %s, %s, is %s on every machine', (format, text, date) => {
    const zone = process.env['TZ'];
    for (const other of ['UTC', 'Pacific/Auckland', 'America/Los_Angeles']) {
      process.env['TZ'] = other;
      expect(map({ date_format: format }, { ...ROW, date: text })).toMatchObject({
        record: { date },
      });
    }
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });

  test('counts back from the day of the export, in words of many languages', () => {
    const dateOf = (text: string, day = '2025-03-31') => {
      const row = map({ date_format: 'relative', relative_to: day }, { ...ROW, date: text });
      return 'record' in row ? (row.record as { date: string }).date : null;
    };
    const known = {
      'Edited 3 weeks ago': '2025-03-10',
      yesterday: '2025-03-30',
      'an hour ago': '2025-03-31',
      'vor einem Monat': '2025-02-28',
      'hace 2 años': '2023-03-31',
      'il y a 4 jours': '2025-03-27',
      '2 か月前': '2025-01-31',
      'um mês atrás': '2025-02-28',
      'last year': '2024-03-31',
      'recently ago': null,
      '2025-03-01': null,
    };
    expect(Object.fromEntries(Object.keys(known).map((text) => [text, dateOf(text)]))).toEqual(
      known,
    );
    const columns = { author: 'author', rating: 'rating', date: 'date' };
    const inRow = { columns, date_format: 'relative', relative_to: 'read' };
    expect(map(inRow, { ...ROW, date: '2 days ago', read: '2024-03-01T10:00:00Z' })).toMatchObject({
      record: { date: '2024-02-28' },
    });
  });

  test.each([
    ['do MMMM yyyy', '31st February 2023'],
    ['do MMMM yyyy', '2023-11-19'],
    ['yyyy-MM-dd', '2025-02-30'],
    ['yyyy-MM-dd', '2024-01-02 and more'],
    ['dd.MM.yyyy', '05.13.2024'],
    ['do MMMM yyyy', '19 November 2023'],
    ['yyyy-MM-dd HH:mm', '2024-01-02 24:00'],
    ['yyyy-MM-dd h:mm a', '2024-01-02 13:00 pm'],
  ])('written %s is not %s', (format, text) => {
    expect(map({ date_format: format }, { ...ROW, date: text })).toEqual({
      line: 7,
      refusal: `date: expected a date that exists, written ${format}, got "${text}"; ${NO_DATE}`,
    });
  });
});

describe('a rating of a CSV file', () => {
  const starsOf = (rating: string, scale: Mapping['rating_scale']) => {
    const row = map({ rating_scale: scale }, { ...ROW, rating });
    if ('record' in row) return (row.record as { rating: number }).rating;
    return 'refusal' in row ? row.refusal : row.leftOut;
  };

  test('from 1 to 10 becomes two ratings a star', () => {
    const ratings = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
    expect(ratings.map((rating) => starsOf(rating, { min: 1, max: 10 }))).toEqual([
      1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]);
  });

  test('from 0 to 100 becomes its twentieth', () => {
    const ratings = ['0', '20', '29', '50', '89', '90', '100'];
    expect(ratings.map((rating) => starsOf(rating, { min: 0, max: 100 }))).toEqual([
      1, 1, 1, 3, 4, 5, 5,
    ]);
  });

  test('of German grades, 1 is the best', () => {
    const ratings = ['1', '1.5', '2', '3.5', '6', '7'];
    const refused = `rating: expected a number from 6 to 1, got "7"; ${NO_STARS}`;
    expect(ratings.map((rating) => starsOf(rating, { min: 6, max: 1 }))).toEqual([
      5,
      5,
      4,
      3,
      1,
      refused,
    ]);
  });

  test('in our own column is unchanged, halves included, which the record refuses', () => {
    expect(starsOf('4', { min: 1, max: 5 })).toBe(4);
    expect(starsOf('4.5', { min: 1, max: 5 })).toBe(4.5);
  });

  test.each(['0', '11', 'ten', '4/5', '4,5', '0x5', '5e0', 'NaN', 'Infinity'])(
    'is not %s of 1 to 10',
    (text) => {
      expect(starsOf(text, { min: 1, max: 10 })).toBe(
        `rating: expected a number from 1 to 10, got "${text}"; ${NO_STARS}`,
      );
    },
  );
});

describe('the column that says verified', () => {
  test.each([
    ['TRUE', true],
    ['Yes', true],
    ['1', true],
    [' true ', true],
    ['false', false],
    ['unknown', false],
    ['', null],
  ])('means with %j %j', (text, verified) => {
    expect(map({}, { ...ROW, verified: text })).toMatchObject({ record: { verified } });
  });

  test('can have other values, which the mapping names', () => {
    const mapping = { verified_values: ['Vérifié'] };
    expect(map(mapping, { ...ROW, verified: 'VERIFIE' })).toMatchObject({
      record: { verified: true },
    });
    expect(map(mapping, { ...ROW, verified: 'true' })).toMatchObject({
      record: { verified: false },
    });
  });

  test('can have levels, which say neither that a row is verified nor that it is not', () => {
    const mapping = {
      columns: { author: 'author', rating: 'rating', date: 'date', verified: 'verified' },
      verified_levels: ['verified_reviewer'],
      constants: { verified_by: 'receipt' },
    };
    expect(map(mapping, { ...ROW, verified: 'Verified_Reviewer' })).toMatchObject({
      record: { verified: null, verified_by: 'receipt', verified_level: 'Verified_Reviewer' },
    });
    expect(map(mapping, { ...ROW, verified: 'unverified' })).toMatchObject({
      record: { verified: false, verified_level: null },
    });
  });

  test('leaves a row with an empty value without the constant `verified_by`', () => {
    const mapping = { constants: { verified_by: 'the site' } };
    expect(map(mapping, { ...ROW, verified: '' })).toMatchObject({
      record: { verified: null, verified_by: null },
    });
    expect(map(mapping, { ...ROW, verified: 'true' })).toMatchObject({
      record: { verified: true, verified_by: 'the site' },
    });
  });
});

test('constants apply to rows without a value of their own', () => {
  const mapping = { constants: { source: 'site', verified_by: 'the site' } };
  expect(map(mapping, { ...ROW, source: '', verified_by: '' })).toMatchObject({
    record: { source: 'site', verified_by: 'the site' },
  });
  expect(map(mapping, { ...ROW, source: 'yelp', verified_by: 'yelp' })).toMatchObject({
    record: { source: 'yelp', verified_by: 'yelp' },
  });
});

test('a reply has a text and a date; without a text there is none', () => {
  const columns = { owner_reply_text: 'Thanks', owner_reply_date: '2024-01-05' };
  expect(map({}, { ...ROW, ...columns })).toMatchObject({
    record: { owner_reply: { text: 'Thanks', date: '2024-01-05' } },
  });
  expect(map({}, { ...ROW, ...columns, owner_reply_text: '' })).toMatchObject({
    record: { owner_reply: null },
  });
});

test('a reply without a date stays', () => {
  const columns = { author: 'author', rating: 'rating', date: 'date', owner_reply_text: 'reply' };
  const row = { author: 'A', rating: '5', date: '2024-01-05', reply: 'Thanks' };
  expect(map({ columns }, row)).toMatchObject({
    record: { author: 'A', owner_reply: { text: 'Thanks', date: null } },
  });
});

test('attributes and part scores come from columns by name, and what is not on the scale is left out', () => {
  const mapping = {
    columns: { author: 'author', rating: 'rating', date: 'date', location: 'Branch' },
    attributes: { route: 'Route', cabin: 'Seat type' },
    ratings: { seat: 'Seat', food: 'Food', wifi: 'Wifi' },
    ratings_scale: { min: 1, max: 10 },
  };
  const row = {
    author: 'A',
    rating: '5',
    date: '2024-01-05',
    Branch: ' Portland ',
    Route: 'London to\n New York',
    'Seat type': '',
    Seat: '5.5',
    Food: '0',
    Wifi: '',
  };
  expect(map(mapping, row)).toMatchObject({
    record: {
      location: 'Portland',
      attributes: { route: 'London to New York' },
      ratings: { seat: 2.8 },
    },
    notes: ['part score food left out: expected 1 to 10'],
  });
  expect(() => map(mapping, { author: 'A' })).toThrow(/"Branch", "Route", "Seat type", "Seat"/);
});

test.each(['__proto__', '!', 'x'.repeat(41)])('%s is no name of an attribute', (name) => {
  const text = `{"attributes":{${JSON.stringify(name)}:"Column"}}`;
  if (name === '__proto__') expect(parseMapping('m.json', text).attributes).toEqual({});
  else expect(() => parseMapping('m.json', text)).toThrow('expected a name such as "seat_comfort"');
});

test('private replies and names are left out, entities decoded, and of names the first that is one is taken', () => {
  const columns = {
    author_avatar_url: 'avatar',
    author: [['nick'], ['first', 'last']],
    rating: 'rating',
    date: 'date',
    text: ['original', 'text'],
    owner_reply_text: 'reply',
  };
  const mapping = {
    columns,
    private_replies: { private: ['yes'] },
    nameless: { shown: ['no', ''] },
    hidden: { note: ['keep this to us'] },
    constants: { author: 'A guest' },
  };
  const row = {
    ...ROW,
    nick: '',
    first: 'Ada',
    last: 'Lang',
    avatar: 'https://a.example/b.png',
    shown: 'yes',
    original: '',
    text: 'A &lt;b> &amp; c',
  };
  expect(map(mapping, { ...row, reply: '', private: '', note: 'Keep this to us' })).toMatchObject({
    leftOut: 'note is "Keep this to us"',
  });
  expect(
    map(mapping, { ...row, reply: 'Offer her money', private: 'Yes', note: '' }),
  ).toMatchObject({
    record: { author: 'Ada Lang', text: 'A <b> & c', owner_reply: null },
    notes: ['private reply left out'],
  });
  const named = {
    ...row,
    nick: 'Al (al@b.example)',
    original: 'Gut',
    reply: 'Hi',
    private: 'no',
    note: '',
  };
  expect(map(mapping, named)).toMatchObject({
    record: { author: 'Al', text: 'Gut', owner_reply: { text: 'Hi' } },
  });
  expect(map(mapping, { ...named, shown: '' })).toMatchObject({
    record: { author: 'A guest', author_avatar_url: null },
  });
  expect(() => map(mapping, row)).toThrow(/"reply", "note", "private"/);
});

test('a row that is a reply belongs to the review above it, and what a comma splits is refused', async () => {
  const content = `author,rating,date,text
Ada,5,2024-03-25,"Warm, quiet"
The inn,,2024-03-26,Thank you Ada
The inn,,,And come back
Bo,2,2024-03-24,Cold soup, cold room
Cy,6,2024-03-24,Out of the scale
The inn,,,Not of a review
`;
  const mapping = mappingSchema.parse({
    columns: { author: 'author', rating: 'rating', date: 'date', text: 'text' },
    reply_rows: { author: ['The inn'] },
  });
  const source = { name: 'x', chunks: Readable.from([Buffer.from(content)]) };
  const rows = withReplies(readTable(source, ',', openMapped(mapping)));
  expect(await Array.fromAsync(rows)).toMatchObject([
    {
      record: {
        author: 'Ada',
        owner_reply: { text: 'Thank you Ada\n\nAnd come back', date: '2024-03-26' },
      },
    },
    {
      line: 5,
      refusal:
        'expected words in quotes, as they have a "," before " cold room"; put quotes around them, and import it again',
    },
    { line: 6, refusal: expect.stringContaining('got "6"') },
    { line: 7, leftOut: 'a reply to a row that is not read' },
  ]);
});

test('an empty value of the verified column proves nothing', () => {
  const columns = { author: 'author', rating: 'rating', date: 'date', verified: 'verified' };
  const mapping = { columns, constants: { verified_by: 'invoice' } };
  const unproven = { record: { verified: false, verified_by: 'invoice' } };
  expect(map(mapping, { ...ROW, verified: '' })).toMatchObject({ record: { verified: false } });
  expect(map(mapping, { ...ROW, verified: 'no' })).toMatchObject(unproven);
});

test('broken encodings, scraped words and names that are none are mended', () => {
  const columns = {
    author: 'author',
    rating: 'rating',
    date: 'date',
    text: 'text',
    title: 'title',
  };
  const broken = {
    ...ROW,
    author: 'J\u00c3\u00b6rg',
    text: 'Gro\u00c3\u0178 \u00e2\u20ac\u201c gut\nRead more',
  };
  expect(map({ columns }, { ...broken, title: '5.0 out of 5 stars Gut' })).toMatchObject({
    record: { author: 'Jörg', text: 'Groß – gut', title: 'Gut' },
  });
  const plain = { ...ROW, author: '(No name)', text: '«CAFÉ» IRMÃ…', title: '' };
  expect(map({ columns, constants: { author: 'A guest' } }, plain)).toMatchObject({
    record: { author: 'A guest', text: '«CAFÉ» IRMÃ…' },
  });
});

test('each survey has its scale, "9/10" has its own, and a list is read whole', () => {
  const mapping = {
    columns: { author: 'a', rating: 'r', date: 'd', text: 'said.*.text' },
    ratings: { food: 'parts.[category=FOOD].rating' },
    rating_scales: { kind: { NPS: { min: 0, max: 10 }, CES: { min: 1, max: 7 } } },
  };
  const read = itemMapper(mappingSchema.parse(mapping));
  const item = { a: 'A', d: '2024-01-02', said: [{ text: 'One' }, { text: 'Two' }] };
  const parts = [
    { category: 'X', rating: 1 },
    { category: 'FOOD', rating: 4 },
  ];
  const stars = [
    [5, 'NPS'],
    [7, 'CES'],
    [4, 'CSAT'],
    ['9/10', 'CSAT'],
  ].map(([r, kind]) => read({ ...item, r, kind, parts }));
  expect(stars).toMatchObject(
    [3, 5, 4, 5].map((rating) => ({
      record: { rating, text: 'One\n\nTwo', ratings: { food: 4 } },
    })),
  );
});

test('entries of a list that are not read are counted', () => {
  const mapping = { columns: { author: 'a', rating: 'r', date: 'd', text: 'all.0.text' } };
  const all = [{ text: 'One' }, { text: 'Two' }];
  const read = itemMapper(mappingSchema.parse(mapping));
  expect(read({ a: 'A', r: 5, d: '2024-01-02', all })).toMatchObject({
    record: { text: 'One' },
    notes: ['all: 1 of 2 entries not read'],
  });
});

test('a reply with a date that cannot be read stays, without it', () => {
  const row = {
    author: 'A',
    rating: '5',
    date: '2024-01-02',
    owner_reply_text: 'a',
    owner_reply_date: 'b',
  };
  expect(map({}, row)).toMatchObject({
    record: { owner_reply: { text: 'a', date: null } },
    notes: ['owner_reply_date left out: expected a date that exists, written yyyy-MM-dd'],
  });
});

test('of several formats the first that fits is read, and "plain" reads dates that can be read in one way', () => {
  const date = (text: string) => {
    const row = map(
      { date_format: ['d/M/yyyy', 'plain'] },
      { author: 'A', rating: '5', date: text },
    );
    return 'record' in row ? (row.record as { date: string }).date : null;
  };
  expect(date('03/04/2024')).toBe('2024-04-03');
  expect(date('2024-04-15T10:00:00Z')).toBe('2024-04-15');
  expect(date('1.4.2024')).toBe('2024-04-01');
  expect(date('Reviewed in the United States on May 3, 2024')).toBe('2024-05-03');
  expect(date('le 3 août 2024')).toBe('2024-08-03');
  expect(date('04/28/2024')).toBeNull();
  expect(date('31 February 2024')).toBeNull();
});

test('a row that cannot be parsed reports all its issues', () => {
  const row = { author: ' ', rating: 'x', date: '', owner_reply_text: 'a', owner_reply_date: 'b' };
  const iso = 'expected a date that exists, written yyyy-MM-dd';
  expect(map({ constants: { source: 'g' } }, row)).toEqual({
    line: 7,
    refusal: `rating: expected a number from 1 to 5, got "x"; ${NO_STARS}; date: ${iso}, got nothing; ${NO_DATE}`,
  });
});

test('rows without a rating are left out, sources have one spelling, and rounding is counted', () => {
  const mapping = mappingSchema.parse({
    columns: { rating: 'n', text: 'w', source: 's', author: 'who' },
    rating_scale: { min: 1, max: 10 },
    constants: { author: 'A guest', date: '2024-03-25' },
  });
  const read = openMapped(mapping)('file', ['n', 'w', 's', 'who']);
  expect(read(['0', 'Cancelled by the host', ''])).toMatchObject({
    isNamed: true,
  });
  expect(read(['', '', 'Google'])).toEqual({ leftOut: 'neither stars nor words' });
  expect(read(['9', 'Test review, please ignore', ''])).toEqual({
    leftOut: 'the text is "Test review, please ignore"',
  });
  for (const text of ['test submission pls ignore', 'Please ignore this form', 'This is a test'])
    expect(read(['9', text, ''])).toEqual({ leftOut: `the text is "${text}"` });
  for (const who of ['Test Contact', 'test', 'Test User 2'])
    expect(read(['9', 'Warm and quick', '', who])).toEqual({
      leftOut: `the author is "${who}"`,
      isNamed: true,
    });
  for (const who of ['Testa', 'Ann Test', 'Test Rossa'])
    expect(read(['9', 'This is the one', '', who])).toHaveProperty('record');
  for (const text of ['The pregnancy test was quick', 'Please ignore the dust', 'The one review'])
    expect(read(['9', text, ''])).toHaveProperty('record');
  for (const call of [
    'Please call me: 07700 900 188',
    'Bitte um Rückruf: 0171 555 01 23, Danke, Carl',
    '07700 900 188',
    'Please take me off your list. My number is 07700 900733.',
  ])
    expect(read(['2', call, ''])).toMatchObject({
      leftOut: expect.stringMatching(
        /^the text only asks for a call; .*take the number out of it$/,
      ),
      isNamed: true,
    });
  for (const words of [
    'Mould in the pellets. Called 1-800-555-0199, on hold 40 min.',
    'Rang 07700 900 188 to say that the repair failed, please call me back',
  ])
    expect(read(['2', words, ''])).toMatchObject({ record: { text: words } });
  expect(read(['9', '[[VIDEOID:4b1f]] See video', ''])).toMatchObject({
    record: { text: 'See video' },
  });
  expect(read(['', 'I lost a sock', ''])).toMatchObject({
    refusal: expect.stringContaining(NO_STARS),
  });
  expect(read(['7', 'Warm', 'Google'])).toMatchObject({
    record: { rating: 4, date: '2024-03-25', source: 'Google' },
    notes: ['rating 7 of 10 rounded to 4 stars'],
  });
  expect(read(['10', 'Hot', 'google'])).toMatchObject({ record: { source: 'Google' } });
});
