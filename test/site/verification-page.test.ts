// The page that tells customers how reviews are verified, and the links to it.

import { expect, test } from 'vitest';
import { Site } from '../../src/site/site.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { pageOf } from '../support/site.ts';
import { snapshotOf } from '../support/snapshot.ts';

const REVIEWS = [
  review({ id: ulidOf(1), source: 'google' }),
  review({ id: ulidOf(2), source: 'yelp', rating: 1 }),
];

test('the page counts reviews by source, and names the rules of law', async () => {
  const snapshot = await snapshotOf(REVIEWS);
  const page = pageOf(new Site(snapshot, buildAssets('#1f5c4d').urls), '/verification');
  expect(page).toContain('<th scope="row">Google</th><td class="number">1</td>');
  for (const rule of ['16 CFR 465.7', 'Article 7(6)', 'Annex I, 23b', 'Annex I, 23c']) {
    expect(page).toContain(rule);
  }
});

test('every "Verified" and every score lead to it', async () => {
  const site = new Site(await snapshotOf(REVIEWS), buildAssets('#1f5c4d').urls);
  const link = 'href="/verification"';
  const main = (page: string) => page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  expect(main(pageOf(site, '/'))).toContain(`${link}>How we verify</a>`);
  expect(main(pageOf(site, '/reviews'))).toContain(`${link}>How we verify</a>`);
  const own = main(pageOf(site, '/reviews/:id', ulidOf(1)));
  expect(own).toMatch(/href="\/verification" title="[^"]*"\s*>Verified<\/a>/);
});
