// What pages say of change, and of people whose praise and stars disagree.

import { createDocument } from '@mixmark-io/domino';
import { beforeAll, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import { DEFAULT_PEOPLE } from '../../src/model/people.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { Site } from '../../src/site/site.ts';
import { languageOf } from '../../src/strings/language.ts';
import { LANGUAGE_CODES } from '../../src/strings/regions.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { businessSchema } from '../../src/model/business.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const { urls } = buildAssets('#1f5c4d');
const [mike, ...others] = BUSINESS.technicians;
const business = businessSchema.parse({
  ...BUSINESS,
  technicians: [mike, ...others.map((one) => ({ ...one, active: false }))],
});

let snapshot: Snapshot;

beforeAll(async () => {
  const written = (count: number, date: string, rating: number, text: string) =>
    Array.from({ length: count }, () => ({ date, rating, text }));
  const reviews = [
    ...written(12, '2024-05-01', 1, 'Mike was friendly. The technician came three hours late.'),
    ...written(12, '2024-05-01', 5, 'They came right on time.'),
    ...written(12, '2023-03-01', 5, 'They came right on time. Zoë was friendly.'),
    ...written(12, '2023-02-01', 5, 'They came right on time. Zoë was friendly.'),
  ].map((one, at) => review({ ...one, id: ulidOf(at + 1) }));
  const insights = deriveInsights(reviews, business, DEFAULT_PEOPLE);
  expect(insights.temporal.comparison).toMatchObject({ trend: 'declining' });
  snapshot = await snapshotOf(reviews, { business, insights });
});

function textOf(code: string, route: string, id = ''): string {
  const site = new Site(snapshot, urls, { language: languageOf(code) });
  const document = createDocument(site.render(route, { id, parameters: {} }).content);
  return (document.querySelector('main')?.textContent ?? '').replaceAll(/\s+/g, ' ');
}

test.each(LANGUAGE_CODES)(
  'the first page tells the stars of the last twelve months in %s',
  (code) => {
    const { home } = languageOf(code).strings;
    expect(textOf(code, '/')).toContain(home.lately(3, 24, '2024-05').replaceAll(/\s/g, ' '));
  },
);

test('the average stars of reviews that praise a person, and are bad for other reasons, are not shown', () => {
  const score = snapshot.insights.part('entities').technicians.find(({ id }) => id === mike!.id);
  expect(score).toMatchObject({ average_rating: 1, score: 1 });
  expect(textOf('en', '/technicians/:id', mike!.id)).not.toContain('stars on average');
});

test('who has left is not praised by name on pages in other languages either', () => {
  const { summary } = languageOf('de').strings;
  const text = textOf('de', '/summary');
  expect(text).toContain(summary.heading);
  expect(text).toContain('Mike Alvarez');
  expect(text).not.toContain('Zoë Lefèvre');
});

test('three reviews of three months have no trend, and nobody is said to be happy by and large', async () => {
  const reviews = [5, 5, 4].map((rating, at) =>
    review({ id: ulidOf(at + 1), rating, date: `2024-0${at + 1}-01`, text: 'They came on time.' }),
  );
  const insights = deriveInsights(reviews, business, DEFAULT_PEOPLE);
  expect(insights.summary).toContain('three give four or five stars, and none gives one or two');
  const tiny = await snapshotOf(reviews, { business, insights });
  const site = new Site(tiny, urls, { language: languageOf('en') });
  const { content: html } = site.render('/', { id: '', parameters: {} });
  expect(html).not.toContain(languageOf('en').strings.trend.title);
  const german = new Site(tiny, urls, { language: languageOf('de') });
  const faq = german.render('/faq', { id: '', parameters: {} }).content;
  const { isImproving } = languageOf('de').strings.facts;
  expect([faq.includes('Ist das Team pünktlich?'), faq.includes(isImproving)]).toEqual([
    true,
    false,
  ]);
  expect(textOf('en', '/')).toContain(languageOf('en').strings.trend.title);
});

test('the first page tells a strength, complaints and what has changed, each in a sentence', () => {
  expect(textOf('en', '/')).toMatch(
    /In short They come on time, though about one in four who mention it complains\. Some customers complain about late arrivals\. Ask for Mike Alvarez \(friendly\)\. From February 2023 .* since then ratings have been at 3\.0\. See/,
  );
});
