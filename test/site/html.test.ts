// Every kind of page is valid HTML.

import { beforeAll, describe, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import type { Business } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { drawPictures } from '../../src/site/pictures/pictures.ts';
import { MISSING, PAGES, Site, STATIC_PAGES } from '../../src/site/site.ts';
import { htmlErrorsIn } from '../support/html.ts';
import { BRANCHED, BUSINESS, review, ulidOf, withParts } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const { urls } = buildAssets('#1f5c4d');
const HOSTILE = '</p></article><img src=x onerror=1>"\'&amp;<!-- ]]> \u0001';
const TEXTS = [
  'Mike fixed the boiler. Great price!',
  'Zoë left a mess, and the price was terrible.',
  'Mike was rude. They never called back about the drain in Bath.',
  'The boiler works again, Mike and Zoë were friendly and on time.',
  `The boiler works. ${HOSTILE}`,
  'word '.repeat(400),
  'שירות מצוין, הגיעו בזמן',
  null,
];
const REVIEWS = Array.from({ length: 90 }, (_, index) =>
  review({
    id: ulidOf(index + 1),
    date: `202${index % 5}-0${1 + (index % 9)}-15`,
    rating: 1 + (index % 5),
    author: index % 9 === 0 ? HOSTILE : `Reviewer ${index}`,
    text: TEXTS[index % TEXTS.length] ?? null,
    sourceUrl: index % 2 === 0 ? 'https://example.com/r?a=1&b=2' : null,
    ownerReply: index % 3 === 0 ? { text: `Thanks.\n\n${HOSTILE}`, date: '2025-01-01' } : null,
  }),
);

async function siteOf(
  reviews: readonly Review[],
  { business = BUSINESS, isStatic = false }: { business?: Business; isStatic?: boolean } = {},
): Promise<Site> {
  const insights = deriveInsights(reviews, business);
  const languages = new Map([[ulidOf(7), 'he']]);
  const pictures = drawPictures(insights, (_chart, error) => {
    throw error;
  });
  const snapshot = await snapshotOf(reviews, { business, insights, languages, pictures });
  return new Site(snapshot, urls, { isStatic });
}

/** The errors of the first pages of each route. */
async function invalidPages(site: Site, routes: readonly string[]): Promise<string[]> {
  const invalid: string[] = [];
  for (const route of routes) {
    for (const path of [...site.pathsOf(route)].slice(0, 4)) {
      const [, , id = '', page] = path.split('/').map(decodeURIComponent);
      const request = { id, parameters: {}, ...(page === undefined ? {} : { page }) };
      const { status, content: html } = site.render(route, request);
      expect({ path, status }).toEqual({ path, status: 200 });
      invalid.push(...(await htmlErrorsIn(html)).map((fault) => `${path} ${fault}`));
    }
  }
  return invalid;
}

const ROUTES = Object.keys(PAGES);

describe('pages', () => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOf(withParts(REVIEWS), { business: BRANCHED });
  });

  test.each(ROUTES)('at %s are valid', async (route) => {
    expect([...site.pathsOf(route)].length).toBeGreaterThan(0);
    expect(await invalidPages(site, [route])).toEqual([]);
  });

  test.each([
    ['of a search', '/reviews', { query: 'boiler', rating: '5', source: 'google' }],
    ['of a search without matches', '/reviews', { query: `nothing "${HOSTILE}` }],
    ['of invalid filters', '/reviews', { rating: '9', since: 'x' }],
    ['of one sentiment', '/aspects/:id', { sentiment: 'negative' }],
    ['for unknown paths', MISSING, {}],
  ])('%s are valid', async (_what, route, parameters) => {
    const { content: html } = site.render(route, { id: 'pricing', parameters });
    expect(await htmlErrorsIn(html)).toEqual([]);
  });
});

test('pages of a static export are valid', async () => {
  const site = await siteOf(REVIEWS, { isStatic: true });
  expect(await invalidPages(site, Object.keys(STATIC_PAGES))).toEqual([]);
  expect(site.render('/developers', { id: '', parameters: {} }).content).not.toContain(
    '{id}/proof',
  );
});

test('pages of a business without reviews, or with hostile texts, are valid', async () => {
  expect(await invalidPages(await siteOf([]), ROUTES)).toEqual([]);
  const business = {
    ...BUSINESS,
    name: HOSTILE,
    logo_url: 'https://harbor.example/"a b".png?a&b',
  };
  expect(await invalidPages(await siteOf(REVIEWS.slice(0, 20), { business }), ROUTES)).toEqual([]);
});

test.each([
  ['a block in a paragraph', '<p><span><div>a</div></span></p>'],
  ['a wrong child of a list', '<ul><p>a</p></ul>'],
  ['a link in a link', '<a href="/a"><span><a href="/b">b</a></span></a>'],
  ['details after a caption', '<figure><figcaption>a</figcaption><details></details></figure>'],
  ['an id twice', '<p id="a">a</p><p id="a">b</p>'],
  ['an unknown value', '<input type="nothing">'],
  ['an obsolete element', '<center>a</center>'],
  ['an attribute of SVG', '<svg><g font-variant="tabular-nums"></g></svg>'],
])('the validator finds %s', async (_what, body) => {
  const page = (inner: string) =>
    `<!doctype html><html lang="en"><head><title>a</title></head><body>${inner}</body></html>`;
  expect(await htmlErrorsIn(page('<p>a</p>'))).toEqual([]);
  expect(await htmlErrorsIn(page(body))).not.toEqual([]);
});
