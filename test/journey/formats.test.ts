// Exports of all platforms in one import, up to what is published of them.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FIXTURES, FORMAT_FIXTURES } from '../support/formats.ts';
import { Workplace } from '../support/process.ts';

/** What a person decides, with the format as the yes. */
const DECIDED = ['facebook', 'yelp'];
const FILES = FORMAT_FIXTURES.flatMap(([format, name]) =>
  DECIDED.includes(format) ? [] : FIXTURES + name,
);
const FLAGS = { source: 'website', verifiedBy: 'customer list' };

async function importAll(): Promise<string[]> {
  const outputs = [(await place.importHere(FILES, FLAGS)).stdout];
  for (const format of DECIDED) {
    const file = `${FIXTURES}${format}.json`;
    outputs.push((await place.importHere(file, { ...FLAGS, format })).stdout);
  }
  return outputs;
}

let place: Workplace;
let report: string;
beforeAll(async () => {
  place = await Workplace.open();
  report = (await importAll()).join('').replaceAll(FIXTURES, '');
});
afterAll(() => place.close());

test('the report says what each file was taken for, and what was left out or changed', () => {
  for (const line of [
    'google-takeout.json: read as reviews of a Google Business Profile (google-business)',
    'yotpo.csv: read as the CSV export of Yotpo (yotpo), separated by semicolons, Windows-1252',
    'json-ld.html: read as a web page with reviews in schema.org markup, which has neither other pages nor most replies (web-page)',
    'translation by Google left out (3)',
    'recommended: published as 5 stars (1)',
    'rating 4.5 rounded to 5 stars (1)',
    'left out: curated is "spam" (1)',
    'left out: comment_approved is "spam" (1)',
    'trustpilot.json:60: refused: stars: expected a rating from 1 to 5, got 0; add the stars that the customer gave, or leave the row out: never make them up',
    'correct what the refused rows lack, and import the file again: what is stored is not added twice',
  ]) {
    expect(report).toContain(`${line}\n`);
  }
});

test('each review is published with its words, stars, date, reply and link', async () => {
  const server = await place.serveHere({ BASE_URL: 'https://reviews.example' });
  const { reviews } = await server.json('/reviews.json');
  const published = (reviews as Record<string, unknown>[]).map(
    ({ id: _id, author_avatar_url: _avatar, verified: _verified, ...review }) => review,
  );
  for (const review of [
    {
      author: 'Marta Oliveira',
      rating: 5,
      date: '2024-03-02',
      text: 'Vieram em menos de uma hora e deixaram a cozinha impecável.',
      source: 'google',
      source_url: null,
      owner_reply: { text: 'Obrigado, Marta!', date: '2024-03-03' },
    },
    {
      author: 'Sofie',
      rating: 5,
      date: '2024-01-31',
      text: 'Best plumber in town\n\nCame the same day.\nPrice as agreed.',
      source: 'trustpilot',
      source_url: 'https://www.trustpilot.com/reviews/5f1a',
      owner_reply: { text: 'Thank you, Sofie!', date: '2024-02-01' },
    },
    {
      author: 'A Facebook user',
      rating: 1,
      date: '2023-10-01',
      text: null,
      source: 'facebook',
      source_url: null,
      owner_reply: null,
      attributes: { recommended: 'no' },
    },
    {
      author: 'Ada Kim',
      rating: 5,
      date: '2018-10-18',
      text: 'Nice album!\nTom & I',
      source: 'woocommerce',
      source_url: null,
      owner_reply: null,
    },
  ]) {
    expect(published).toContainEqual(review);
  }
  const texts = published.map(({ text }) => text).join('\n');
  expect(texts).not.toMatch(/watches|Pills|Buy followers|alert\(1\)/);
  const sources = new Set(published.map(({ source }) => source));
  expect([...sources].toSorted()).toEqual([
    'app-store',
    'facebook',
    'google',
    'google-play',
    'judge.me',
    'tripadvisor',
    'trustpilot',
    'website',
    'woocommerce',
    'yelp',
    'yotpo',
  ]);
});

test('importing the same files again changes nothing', async () => {
  for (const stdout of await importAll()) {
    expect(stdout).toMatch(/^added {6}0$/m);
    expect(stdout).toMatch(/^updated {4}0$/m);
  }
});

test.each([
  ['facebook', '"recommended" would be published as 5 stars, "not recommended" as 1'],
  ['yelp', 'only the page of each review on Yelp has the whole text'],
])('%s is told what a person decides before anything is imported', async (format, why) => {
  const other = await Workplace.open();
  onTestFinished(() => other.close());
  const file = `${FIXTURES}${format}.json`;
  const { code, stdout, stderr } = await other.run('import', file, '--verified-by', 'list');
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(why);
  expect(stderr).toContain('Nothing was imported.\nnext: ');
  expect(stderr).toContain(` import ${file} --format ${format} --verified-by list\n`);
});
