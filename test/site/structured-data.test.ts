// JSON-LD: valid for schema.org and for search engines, and limited to what the page shows.

import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';
import { beforeAll, describe, expect, test } from 'vitest';
import { businessSchema } from '../../src/model/business.ts';
import type { Site } from '../../src/site/site.ts';
import { BRANCHED, BUSINESS, review, withParts } from '../support/reviews.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';
import { pageOf, jsonLdOf, siteOf } from '../support/site.ts';
import { readVocabulary } from '../support/vocabulary.ts';

const business = businessSchema.parse({
  ...BUSINESS,
  legal_name: 'Harbor Heating, LLC',
  description: 'Heat for the coast.',
  url: 'https://harbor.example',
  telephone: '+1-207-555-0142',
  email: 'office@harbor.example',
  address: {
    street: '18 Ropewalk Lane',
    city: 'Bath',
    region: 'ME',
    postal_code: '04530',
    country: 'US',
  },
  geo: { latitude: 43.9, longitude: -69.8 },
  hours: [
    { days: ['Monday', 'tue'], opens: '07:00', closes: '18:00' },
    { days: ['by appointment'], opens: '08:00', closes: '12:00' },
  ],
  same_as: ['https://www.facebook.com/harbor'],
  logo_url: 'https://harbor.example/logo.png',
});
const HOSTILE = '</script><!--<script>\u2028 "\\ \ud800 & <b>boiler</b>';
const reviews = [
  review({ text: HOSTILE, author: HOSTILE, date: '2024-06-01', rating: 2 }),
  review({ text: null, date: '2024-05-02', rating: 4, sourceUrl: 'javascript:alert(1)' }),
  ...Array.from({ length: 30 }, (_, day) =>
    review({
      date: `2024-04-${String(day + 1).padStart(2, '0')}`,
      text: 'Mike fixed the boiler. Fair price and on time, would call again.',
    }),
  ),
];
const newest = reviews[0]!;

let site: Site;
beforeAll(async () => {
  site = siteOf(await snapshotOf(reviews, { business }));
});

/** Issues of a page's JSON-LD, by the schema.org vocabulary and Google's rules for rich results. */
async function problemsIn(html: string): Promise<object[]> {
  const extracted = new WebAutoExtractor({ addLocation: true, embedSource: [] }).parse(html);
  expect(extracted.errors ?? []).toEqual([]);
  return new Validator(readVocabulary()).validate(extracted);
}

const PAGES: readonly (readonly [route: string, id: string, types: readonly string[]])[] = [
  ['/', '', ['HomeAndConstructionBusiness']],
  ['/reviews', '', ['HomeAndConstructionBusiness']],
  ['/reviews/:id', newest.id, ['Review', 'BreadcrumbList']],
  ['/reviews/:id', reviews[1]!.id, ['Review', 'BreadcrumbList']],
  ['/aspects', '', ['BreadcrumbList']],
  ['/technicians/:id', 'mike-alvarez', ['BreadcrumbList']],
];

describe.each(PAGES)('the page %s %s', (route, id, types) => {
  test('has these objects, and the validator reports no errors', async () => {
    const html = pageOf(site, route, id);
    expect(jsonLdOf(html).map((record) => record['@type'])).toEqual(types);
    const severe = (await problemsIn(html)).filter((issue: any) => issue.severity !== 'WARNING');
    expect(severe).toEqual([]);
  });
});

test('the validator finds a property that is not in the vocabulary', async () => {
  const html = pageOf(site, '/').replace('"aggregateRating"', '"agregateRating"');
  expect(JSON.stringify(await problemsIn(html))).toContain('agregateRating');
});

test('the FAQ is a FAQPage with the questions and answers of the page', () => {
  const html = pageOf(site, '/faq');
  for (const record of jsonLdOf(html)) {
    expect(record['@type']).toBe('FAQPage');
    for (const question of record.mainEntity) {
      expect(question).toMatchObject({
        '@type': 'Question',
        acceptedAnswer: { '@type': 'Answer' },
      });
      expect(html.split('<main')[1]).toContain(
        question.name.replaceAll("'", '&#39;').split(' ')[0],
      );
    }
  }
});

test('the business has all known members and omits the others', async () => {
  const [record] = jsonLdOf(pageOf(site, '/'));
  expect(record).toMatchObject({
    '@id': `${ORIGIN}/#business`,
    name: 'Harbor Heating',
    url: 'https://harbor.example',
    legalName: 'Harbor Heating, LLC',
    address: { '@type': 'PostalAddress', addressLocality: 'Bath', addressCountry: 'US' },
    geo: { '@type': 'GeoCoordinates', latitude: 43.9, longitude: -69.8 },
    openingHoursSpecification: [
      { dayOfWeek: ['Monday', 'Tuesday'], opens: '07:00', closes: '18:00' },
    ],
    aggregateRating: { ratingValue: 4.88, reviewCount: 32, bestRating: 5, worstRating: 1 },
  });
  expect(record.image).toMatch(/^https:\/\/reviews\.example\/og\.png\?v=[\w-]{12}$/);
  const [bare] = jsonLdOf(pageOf(siteOf(await snapshotOf([])), '/'));
  for (const key of ['aggregateRating', 'review', 'address', 'telephone', 'sameAs', 'logo']) {
    expect(bare).not.toHaveProperty(key);
  }
});

test('an unmapped vertical is a LocalBusiness', async () => {
  const doubtful = { ...business, vertical: 'hospitality_and_travel' };
  const [record] = jsonLdOf(pageOf(siteOf(await snapshotOf(reviews, { business: doubtful })), '/'));
  expect(record['@type']).toBe('LocalBusiness');
});

test('the reviews of the business are exactly those that the page shows', () => {
  for (const [route, count] of [
    ['/', 3],
    ['/reviews', 20],
  ] as const) {
    const html = pageOf(site, route);
    const shown = [...html.matchAll(/id="review-(\w+)"/g)].map(
      ([, id]) => `${ORIGIN}/reviews/${id}`,
    );
    const [record] = jsonLdOf(html);
    expect(record.review.map((one: any) => one['@id'])).toEqual(shown);
    expect(shown).toHaveLength(count);
  }
});

test('a filtered search has no JSON-LD, because its reviews are a selection', () => {
  const { content: html } = site.render('/reviews', { id: '', parameters: { rating: '2' } });
  expect(jsonLdOf(html)).toEqual([]);
});

test('hostile texts are escaped', () => {
  // The page of a review has the script that checks its proof, too.
  for (const [route, id, ownScripts] of [
    ['/reviews', '', 1],
    ['/reviews/:id', newest.id, 2],
  ] as const) {
    const html = pageOf(site, route, id);
    const records = jsonLdOf(html);
    const text = HOSTILE.toWellFormed();
    const found = records.flatMap((record) => record.review ?? [record]);
    expect(found.find((one) => one.reviewBody === text)?.author.name).toBe(text);
    expect(html).not.toContain('<b>boiler');
    const scripts = html.match(/<script/g)!;
    expect(scripts).toHaveLength(ownScripts + records.length);
  }
  const [record] = jsonLdOf(pageOf(site, '/reviews/:id', reviews[1]!.id));
  expect(record).not.toHaveProperty('isBasedOn');
  expect(record).not.toHaveProperty('reviewBody');
});

test('every page has Open Graph tags with the picture', () => {
  for (const [route, id] of [...PAGES, ['*', ''] as const]) {
    const html = pageOf(site, route, id);
    const isOwn = route.includes(':');
    const tags = new Map(
      [...html.matchAll(/<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"/g)].map(
        ([, name, content]) => [name, content],
      ),
    );
    expect(tags.get('og:type')).toBe('website');
    expect(tags.get('og:site_name')).toBe('Harbor Heating');
    expect(tags.get('og:title')).not.toBe('');
    expect(tags.get('og:description')).not.toBe('');
    const image = tags.get('og:image')?.replace(`${ORIGIN}/`, '');
    expect(image).toMatch(isOwn ? /^og\/\w+\/[\w-]+\.png\?v=/ : /^og\.png\?v=/);
    if (!isOwn) {
      expect(tags.get('og:image:alt')).toBe(
        'Harbor Heating: 4.9 out of 5 stars in 32 verified reviews',
      );
    }
    expect(tags.get('twitter:card')).toBe('summary_large_image');
    // Pages of people are not for search engines.
    expect(tags.has('og:url')).toBe(route !== '*' && route !== '/technicians/:id');
  }
});

describe('branches and part scores', () => {
  let branched: Site;
  beforeAll(async () => {
    branched = siteOf(
      await snapshotOf(withParts(reviews), { business: { ...BRANCHED, url: business.url } }),
    );
  });

  test.each([
    ['/', ''],
    ['/locations/:id', 'bath'],
    ['/locations/:id', 'rockport'],
    ['/reviews/:id', newest.id],
  ])('the page %s %s has no errors', async (route, id) => {
    const severe = (await problemsIn(pageOf(branched, route, id))).filter(
      (issue: any) => issue.severity !== 'WARNING',
    );
    expect(severe).toEqual([]);
  });

  test('a branch is a department with its own rating, and a part score rates an aspect', () => {
    const [home] = jsonLdOf(pageOf(branched, '/'));
    expect(home.department).toMatchObject([
      { telephone: '+1-207-555-0142', aggregateRating: { reviewCount: 16 } },
      { name: 'Harbor Heating, Rockport' },
    ]);
    expect(home.department[1]).not.toHaveProperty('aggregateRating');
    const [one] = jsonLdOf(pageOf(branched, '/reviews/:id', newest.id));
    expect(one.reviewRating).toMatchObject([
      { ratingValue: 2 },
      { ratingValue: 1, reviewAspect: 'Value' },
      { ratingValue: 3.5, reviewAspect: 'Tidy work' },
    ]);
  });
});
