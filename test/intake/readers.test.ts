// Each platform's export, with its oddities: what is kept, what is refused, what is left out.

import { describe, expect, test } from 'vitest';
import { pageOf, restOf } from '../../src/intake/formats/page.ts';
import { openPlatform, readPlatform } from '../../src/intake/formats/rows.ts';
import { facebook } from '../../src/intake/readers/facebook.ts';
import { googleBusiness } from '../../src/intake/readers/google-business.ts';
import type { CsvReader } from '../../src/intake/readers/reader.ts';
import { READERS } from '../../src/intake/readers/readers.ts';
import { ANY_DATE, parseRecord } from '../../src/intake/record.ts';
import { FIXTURES, FORMAT_FIXTURES, jsonReader, readFormat } from '../support/formats.ts';

const NO_STARS = 'add the stars that the customer gave, or leave the row out: never make them up';
const AGAIN = 'export the file again, or leave the row out';

/** Of each row its line, and what it becomes. */
const read = async (name: string) => (await readFormat(FIXTURES + name)).rows;

test('an id with half a character does not end the import', () => {
  const item = {
    id: '5f\ud800',
    consumer: { displayName: 'Per' },
    stars: 1,
    createdAt: '2024-01-15T12:00:00Z',
  };
  expect(readPlatform(jsonReader('trustpilot'), item)).toMatchObject({
    record: { source_url: 'https://www.trustpilot.com/reviews/5f%EF%BF%BD' },
  });
});

test('platforms hand over the branch, part scores and what was reviewed', () => {
  const dated = { createTime: '2024-01-15T12:00:00Z', starRating: 'FIVE', reviewer: {} };
  const name = 'accounts/1/locations/33/reviews/r';
  expect(readPlatform(googleBusiness, { ...dated, name })).toMatchObject({
    record: { source_id: 'r', location: '33' },
  });
  const reviewReply = {
    comment: 'Soon',
    updateTime: dated.createTime,
    reviewReplyState: 'PENDING',
  };
  expect(readPlatform(googleBusiness, { ...dated, name, reviewReply })).toMatchObject({
    record: { owner_reply: null },
    notes: ['reply left out: its state is "PENDING"'],
  });
  expect(googleBusiness.recognise({ name: 'accounts/1', review: { ...dated, name } })).toBe(true);
  expect(googleBusiness.split?.({ review: { name } })).toEqual([{ name }]);
  const visit = {
    id: 7,
    published_date: '2024-01-15T12:00:00Z',
    user: { username: 'Kim' },
    rating: 4,
    location_id: '55',
    trip_type: 'Couples',
    travel_date: '2024-01',
    subratings: { 0: { name: 'rate_value', value: 4.5 }, 1: { name: 'rate_x', value: '0' }, 2: 3 },
  };
  expect(readPlatform(jsonReader('tripadvisor'), visit)).toMatchObject({
    record: {
      location: '55',
      attributes: { trip_type: 'Couples', travel_date: '2024-01' },
      ratings: { value: 4.5 },
    },
  });
});

test('an order at Feefo is a review of the service and of each product', () => {
  const part = { created_at: '2024-04-13T10:00:00Z', rating: { rating: 5 } };
  const order = {
    merchant: { identifier: 'x' },
    customer: { display_name: 'Mary' },
    service: {
      ...part,
      id: 's',
      review: 'Quick',
      thread: [
        { author: 'consumer', comment: 'Still waiting' },
        { type: 'consumer', text: 'And still' },
        { type: 'merchant', text: 'Thanks', date: part.created_at },
      ],
    },
    products: [1, 2].map((id) => ({
      ...part,
      id,
      product: { title: `Kettle ${id}` },
      attributes: [{ name: 'Quality', rating: { rating: id } }],
    })),
  };
  const feefo = jsonReader('feefo');
  expect(feefo.recognise(order)).toBe(true);
  expect(feefo.split?.(order).map((one) => readPlatform(feefo, one))).toMatchObject([
    {
      record: {
        author: 'Mary',
        text: 'Quick',
        owner_reply: { text: 'Thanks', date: '2024-04-13' },
      },
    },
    { record: { author: 'Mary', attributes: { product: 'Kettle 1' }, ratings: { Quality: 1 } } },
    { record: { attributes: { product: 'Kettle 2' }, ratings: { Quality: 2 } } },
  ]);
});

test('a download of Facebook has the page as who is named in the titles', () => {
  const item = (author: string, comment: string, review: object) => ({
    timestamp: 1_781_697_600,
    title: `${author} recommends Rose Inn.`,
    author,
    data: [{ review }],
    comments: [{ author: comment, comment: 'Thanks', timestamp: 1_781_704_800 }],
  });
  const items = [
    item('Ann', 'Rose Inn', { recommendation_type: 'POSITIVE', text: 'Fr\u00c3\u00bch' }),
    item('Bo', 'Tom', { rating: { value: 4, rating_scale: 5 } }),
  ];
  const rows = facebook.join?.(items).map((one) => readPlatform(facebook, one ?? {}));
  expect(items.every((one) => facebook.recognise(one))).toBe(true);
  expect(rows).toMatchObject([
    { record: { author: 'Ann', rating: 5, text: 'Früh', owner_reply: { text: 'Thanks' } } },
    { record: { author: 'Bo', rating: 4, owner_reply: null } },
  ]);
});

describe('Google', () => {
  test('Takeout: words for stars, translations, times in UTC, replies', async () => {
    expect(await read('google-takeout.json')).toMatchObject([
      {
        line: 3,
        record: {
          source: 'google',
          source_id: 'AbFvOqk1',
          author: 'Marta Oliveira',
          rating: 5,
          date: '2024-03-02',
          text: 'Vieram em menos de uma hora e deixaram a cozinha impecável.',
          owner_reply: { text: 'Obrigado, Marta!', date: '2024-03-03' },
        },
        notes: ['translation by Google left out'],
      },
      {
        line: 12,
        record: { author: 'A Google User', rating: 1, date: '2023-12-31', text: undefined },
      },
      {
        record: {
          text: 'War okay.',
          date: '2024-02-28',
          author_avatar_url: 'https://lh3.example/p.jpg',
          owner_reply: null,
        },
      },
      {
        leftOut: 'neither stars nor words',
      },
    ]);
  });

  test('Places API, new and legacy', async () => {
    expect(await read('google-places.json')).toMatchObject([
      {
        record: {
          source: 'google',
          source_id: 'ChZDSUhN1',
          author: 'Luc Bernard',
          author_avatar_url: 'https://lh3.example/luc.jpg',
          rating: 4,
          date: '2024-05-01',
          text: 'Rapide et soigné.',
          source_url: 'https://www.google.com/maps/reviews/data=1',
        },
        notes: ['translation by Google left out'],
      },
      { refusal: `publishTime: expected a date or time of ISO 8601, got "yesterday"; ${AGAIN}` },
    ]);
    expect(await read('google-places-legacy.json')).toMatchObject([
      {
        record: { author: 'Pia', date: '2022-05-31', attributes: { translation: 'by Google' } },
        notes: [
          expect.stringMatching(/^Pia: only the translation .*reviews_no_translations=true$/),
        ],
      },
      { refusal: `rating: expected a rating from 1 to 5, got 6; ${NO_STARS}` },
    ]);
  });
});

test('Facebook: a recommendation is 5 stars, none is 1, and stars of earlier years stay', async () => {
  expect(await read('facebook.json')).toMatchObject([
    {
      record: {
        source: 'facebook',
        source_id: '777',
        author: 'Anke Vogel',
        rating: 5,
        date: '2023-11-05',
        text: 'Sehr zu empfehlen 👍',
        owner_reply: { text: 'Danke, Anke!', date: '2023-11-06' },
      },
      notes: ['recommended: published as 5 stars'],
    },
    {
      record: {
        source_id: '2023-10-01T00:00:00+0000',
        author: 'A Facebook user',
        rating: 1,
        attributes: { recommended: 'no' },
      },
      notes: ['not recommended: published as 1 star'],
    },
    {
      record: {
        author: 'Tom',
        rating: 3,
        date: '2017-04-01',
        owner_reply: { text: 'Sorry, Tom.', date: null },
      },
    },
    { refusal: `recommendation_type: expected a rating from 1 to 5, got "neutral"; ${NO_STARS}` },
  ]);
});

test('Yelp: excerpts are reported, and impossible dates refused', async () => {
  expect(await read('yelp.json')).toMatchObject([
    {
      record: {
        source: 'yelp',
        source_id: 'xAG4O7l-t1ubbwVAlPnDKg',
        author: 'Ella A.',
        rating: 5,
        date: '2016-08-29',
        source_url: 'https://www.yelp.com/biz/harbor?hrid=xAG4O7l-t1ubbwVAlPnDKg',
        attributes: { excerpt: 'yes' },
      },
      notes: ['text is the excerpt that the API of Yelp gives'],
    },
    {
      refusal: `time_created: expected a date or time of ISO 8601, got "2016-02-30 00:00:00"; ${AGAIN}`,
    },
  ]);
});

describe('Trustpilot', () => {
  test('API: levels of verification, replies, only active reviews', async () => {
    const rows = await read('trustpilot.json');
    expect(rows).toMatchObject([
      {
        record: {
          source: 'trustpilot',
          source_id: '5f1a',
          author: 'Sofie',
          rating: 5,
          date: '2024-01-31',
          title: 'Best plumber in town',
          text: 'Came the same day.\nPrice as agreed.',
          source_url: 'https://www.trustpilot.com/reviews/5f1a',
          owner_reply: { text: 'Thank you, Sofie!', date: '2024-02-01' },
          verified_by: 'Trustpilot: verified',
          verified_level: 'verified',
        },
      },
      { record: { author: 'Per', verified: false, verified_level: 'notVerified' } },
      { leftOut: 'status is "reported"' },
      { refusal: `stars: expected a rating from 1 to 5, got 0; ${NO_STARS}` },
    ]);
    const hidden = {
      id: '5f1e',
      consumer: { displayName: 'Una' },
      stars: 1,
      text: 'He lives at 14 Abbey Row',
      createdAt: '2024-01-15T12:00:00Z',
      reportData: { reviewVisibility: 'hidden' },
    };
    expect(readPlatform(jsonReader('trustpilot'), hidden)).toEqual({
      leftOut: 'reviewVisibility is "hidden"',
    });
  });

  test('CSV of the business portal, with semicolons and a byte order mark', async () => {
    const { rows, remark } = await readFormat(`${FIXTURES}trustpilot.csv`);
    expect(remark).toBe(
      `${FIXTURES}trustpilot.csv: read as the CSV export of Trustpilot Business (trustpilot-csv), ` +
        'separated by semicolons; not read: "Webshop Name"',
    );
    expect(rows).toMatchObject([
      {
        line: 2,
        record: {
          source_id: '60aa',
          author: 'Hanne Ø.',
          rating: 4,
          date: '2022-07-01',
          text: 'Quick; clean, "perfect"',
          owner_reply: { text: 'Thanks!', date: '2022-07-02' },
          verified_by: 'Trustpilot: Automatic invitation',
        },
      },
      {
        line: 3,
        record: {
          author: 'Bo',
          text: 'Two\nlines',
          owner_reply: { text: 'Sorry', date: null },
          verified_level: 'Organic',
        },
      },
      {
        line: 5,
        refusal: `Review Created (UTC): expected a date or time of ISO 8601, got "03/07/2022"; ${AGAIN}`,
      },
    ]);
    expect(rows[1]).not.toHaveProperty('record.verified_by');
  });
});

test('Tripadvisor: reply of the management, names, refused stars', async () => {
  expect(await read('tripadvisor.json')).toMatchObject([
    {
      record: {
        source: 'tripadvisor',
        source_id: 912345678,
        author: 'wanderer42',
        rating: 4,
        date: '2023-06-11',
        title: 'Great stay',
        text: 'Lovely harbour view.',
        owner_reply: { text: 'Do come back!', date: '2023-06-12' },
      },
    },
    { refusal: `rating: expected a rating from 1 to 5, got "five"; ${NO_STARS}` },
  ]);
});

describe('app stores', () => {
  test('App Store Connect, and the public feed as JSON', async () => {
    expect(await read('app-store.json')).toMatchObject([
      {
        record: {
          source: 'app-store',
          source_id: '00000024-5c7e',
          author: 'kestrel_9',
          rating: 5,
          date: '2024-04-02',
          title: 'Does what it says',
          text: 'No crash in a year.',
          owner_reply: { text: 'Thank you.', date: null },
        },
      },
      {
        record: { author: 'A customer', owner_reply: null },
        notes: ['reply left out: its state is PENDING_PUBLISH'],
      },
    ]);
    expect(await read('app-store-feed.json')).toMatchObject([
      { leftOut: 'neither stars nor words' },
      {
        record: {
          source: 'app-store',
          source_id: '11022',
          author: 'Miro',
          rating: 2,
          date: '2024-03-09',
          title: 'Slow',
          text: 'Takes ages to start.',
        },
      },
    ]);
  });

  test('Google Play: the API, and the monthly report in UTF-16', async () => {
    expect(await read('google-play.json')).toMatchObject([
      {
        record: {
          source: 'google-play',
          source_id: 'gp:AOqpTOF',
          author: 'Sana',
          rating: 5,
          date: '2023-12-31',
          title: 'Superb',
          text: 'Works offline too',
          owner_reply: { text: 'Thanks', date: '2024-01-01' },
        },
      },
      {
        refusal: `comments.0.userComment.lastModified.seconds: expected a time since 1970, got "soon"; ${AGAIN}`,
      },
    ]);
    const { rows, remark } = await readFormat(`${FIXTURES}google-play.csv`);
    expect(remark).toMatch(
      /Google Play Console \(google-play-csv\); not read: "Device", UTF-16 \(little endian\)$/,
    );
    expect(rows).toMatchObject([
      {
        record: {
          source_id: 'gp:AOqpTOE',
          author: 'A Google Play user',
          date: '2023-12-31',
          title: '좋아요',
          text: '빠르고, 편합니다.',
          owner_reply: { text: '감사합니다', date: '2024-01-02' },
        },
      },
      { record: { rating: 1, text: null, source_id: 'com.harbor.app:1704063599000' } },
      {
        refusal: `Review Submit Millis Since Epoch: expected a time since 1970, got "later"; ${AGAIN}`,
      },
    ]);
  });
});

test('a spreadsheet has rounded times, and the business knows of a report', () => {
  const csvRow = (name: string, values: Readonly<Record<string, string>>) => {
    const reader = READERS.find((one) => one.name === name) as CsvReader;
    const header = Object.keys(values).map((field) => reader.columns[field]?.[0] ?? field);
    return openPlatform(reader)('x', header)(Object.values(values));
  };
  const play = { date: '1,75734E+12', date_text: '2025-09-08T14:02:11Z', rating: '5' };
  expect(csvRow('google-play-csv', play)).toMatchObject({ record: { date: '2025-09-08' } });
  const review = { source_id: '1', date: '2025-09-08', author: 'Ada', rating: '3' };
  expect(csvRow('trustpilot-csv', { ...review, status: 'archived' })).toEqual({
    leftOut: 'status is "archived"',
  });
  expect(csvRow('trustpilot-csv', { ...review, status: 'Reported' })).toMatchObject({
    record: { rating: 3 },
    notes: [expect.stringContaining('reported')],
  });
});

describe('shops', () => {
  test('Judge.me: only curated reviews', async () => {
    expect(await read('judgeme.csv')).toMatchObject([
      {
        record: {
          source: 'judge.me',
          author: 'Camille Rousseau',
          rating: 5,
          date: '2025-03-02',
          title: 'Top',
          owner_reply: { text: 'Merci !', date: '2025-03-03' },
        },
      },
      { leftOut: 'curated is "spam"' },
      { leftOut: 'curated is "not-yet"' },
      {
        record: { text: 'Bof', title: null, owner_reply: { text: 'Désolé', date: null } },
      },
      { refusal: `rating: expected a rating from 1 to 5, got "22"; ${NO_STARS}` },
    ]);
  });

  test('Yotpo: Windows-1252, semicolons, verified buyers, only published reviews', async () => {
    const { rows, remark } = await readFormat(`${FIXTURES}yotpo.csv`);
    expect(remark).toMatch(/\(yotpo\), separated by semicolons, Windows-1252$/);
    expect(rows).toMatchObject([
      {
        record: {
          source_id: '501',
          author: 'Jürgen Müller',
          text: 'Für 20 € sehr gut; schnelle Lieferung',
          verified_by: 'Yotpo: verified buyer',
          verified_level: 'verified_buyer',
          owner_reply: { text: 'Danke!', date: '2023-02-02' },
        },
      },
      { leftOut: 'status is "Rejected"' },
      { record: { author: 'Käthe', verified_level: 'anonymous_user' } },
      {
        refusal: `Review Creation Date: expected a date or time of ISO 8601, got "2023-13-04"; ${AGAIN}`,
      },
    ]);
    expect(rows[2]).not.toHaveProperty('record.verified_by');
  });

  test('WooCommerce: HTML to text, verified owners, neither spam nor replies', async () => {
    expect(await read('woocommerce.json')).toMatchObject([
      {
        record: {
          source_id: 22,
          author: 'Ada Kim',
          date: '2018-10-18',
          text: 'Nice album!\n\nTom & I play it daily.',
          verified_by: 'WooCommerce: bought in the shop',
        },
      },
      { leftOut: 'status is "spam"' },
      { leftOut: 'status is "hold"' },
      // Whom the shop knows not to have bought is not published, whatever else is said of the file.
      { record: { author: 'Guest', text: 'ok', verified: false } },
    ]);
    const tried = { reviewer: 'admin', rating: 5, date_created_gmt: '2024-01-15T12:00:00' };
    expect(
      readPlatform(jsonReader('woocommerce'), {
        ...tried,
        review: '<p>test review please ignore</p>',
      }),
    ).toEqual({ leftOut: 'the text is "test review please ignore"' });
    const bare = { ...tried, rating: 0, review: '<p>My third</p>' };
    expect(readPlatform(jsonReader('woocommerce'), bare)).toEqual({
      leftOut: `words of admin (2024-01-15T12:00:00) with 0 stars, of which a review needs 1 at least: "My third"; ${NO_STARS}`,
      isNamed: true,
    });
    const rows = await read('woocommerce.csv');
    expect(rows).toMatchObject([
      { record: { source_id: '22', text: 'Nice album!\nTom & I', date: '2018-10-18' } },
      { leftOut: 'comment_parent is "22"' },
      { leftOut: 'comment_approved is "spam"' },
      { record: { rating: 3 }, notes: ['rating 2.5 rounded to 3 stars'] },
      { record: { date: null } },
    ]);
  });
});

describe('web pages', () => {
  test('JSON-LD at any depth, other scales, replies of its data', async () => {
    expect(await read('json-ld.html')).toMatchObject([
      {
        line: 8,
        record: {
          source: null,
          source_id: 'https://harbor.example/#r1',
          author: 'Ruth',
          rating: 5,
          date: '2024-02-04',
          title: 'Warm welcome',
          text: 'They fixed it & left it clean.',
        },
        notes: ['rating 9 of 10 rounded to 5 stars'],
      },
      {
        record: {
          author: 'Hal',
          rating: 5,
          // Of the data of the page.
          owner_reply: { text: 'Thank you Hal', date: '2024-02-03' },
        },
        notes: ['rating 4.5 rounded to 5 stars'],
      },
      { refusal: `reviewRating: expected a rating from 1 to 5, got "great"; ${NO_STARS}` },
    ]);
  });
});

test('every format has rows that are valid reviews', async () => {
  const options = { source: 'website', verifiedBy: null, dates: ANY_DATE };
  for (const [format, name] of FORMAT_FIXTURES) {
    const { format: found, rows } = await readFormat(FIXTURES + name);
    const valid = rows.filter((row) => 'record' in row && parseRecord(row.record, options, '').ok);
    expect([name, found, valid.length > 0]).toEqual([name, format, true]);
  }
});

test('an answer of an API says how much of it a file has', () => {
  const rest = (value: object, limit?: string) => {
    const page = pageOf(JSON.stringify(value), limit);
    return page && restOf(page, 2);
  };
  const more = 'fetch the other pages and import them too';
  const reviews = [{ total: 900, next: 'Now' }, {}];
  expect(rest({ reviews, totalReviewCount: 187 })).toBe(
    `the file has 2 of 187 reviews ("totalReviewCount"); ${more}`,
  );
  expect(rest({ result: { reviews, user_ratings_total: 61 } }, 'the API gives 5 at most')).toBe(
    'the file has 2 of 61 reviews ("user_ratings_total"); the API gives 5 at most',
  );
  expect(rest({ reviews, links: { next: { href: '/2' } } })).toContain(
    'one page of several ("next")',
  );
  const feed = (page: number) => {
    const href = `https://itunes.apple.com/gb/rss/customerreviews/page=${page}/id=1/xml`;
    return [{ rel: 'self' }, { rel: 'last', href }];
  };
  for (const link of [feed(10), feed(10).map((attributes) => ({ attributes }))])
    expect(rest({ feed: { entry: reviews, link } })).toContain('one page of several ("link")');
  expect(rest({ feed: { entry: reviews, link: feed(1) } })).toBeNull();
  const summary = { meta: { count: 2, pages: 1 }, products: { count: 511 } };
  expect(rest({ summary, reviews })).toBeNull();
  for (const whole of [{ reviews }, { reviews, total: 2, nextPageToken: '' }]) {
    expect(rest(whole)).toBeNull();
  }
});

test('a review of Takeout and of the API is the same', async () => {
  const options = { source: null, verifiedBy: null, dates: ANY_DATE };
  const [row] = await read('google-takeout.json');
  const { record } = row as { record: Record<string, unknown> };
  const api = { ...record, source_id: 'AbFvOqk1', text: 'edited since' };
  const [one, other] = [record, api].map((value) => parseRecord(value, options, ''));
  expect(one).toMatchObject({ ok: true, value: { identity: 'source:["google","AbFvOqk1"]' } });
  expect(other).toMatchObject({ ok: true, value: { identity: 'source:["google","AbFvOqk1"]' } });
});
