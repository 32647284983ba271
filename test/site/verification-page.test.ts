// The page that tells customers how reviews are verified, and the links to it.

import { expect, test } from 'vitest';
import { Site } from '../../src/site/site.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { languageOf } from '../../src/strings/language.ts';
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
  for (const rule of ['16 CFR 465.7', 'Article 7(6)', 'Annex I, 23b', 'Annex I, 23c', 'Act 2024']) {
    expect(page).toContain(rule);
  }
  // No method has the word.
  expect(page).not.toContain('Matched');
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

test.each([
  ['en', '3 of 3 reviews with one or two stars are not published, and 0 of 30 with four or five.'],
  ['de', 'Nicht veröffentlicht sind 3 von 3 Bewertungen mit einem oder zwei Sternen und 0 von 30'],
])('that reviews with few stars are missing more often is said in %s', async (code, expected) => {
  // Three withheld reviews have two stars.
  const published = Array.from({ length: 30 }, (_, at) =>
    review({ id: ulidOf(at + 1), rating: 5 }),
  );
  const language = languageOf(code);
  const site = new Site(await snapshotOf(published), buildAssets('#1f5c4d').urls, { language });
  const page = pageOf(site, '/verification').replaceAll(/\s/g, ' ');
  expect(page).toContain(expected);
  expect(page).not.toContain(language.strings.verification.leftOutAlike);
  expect(page).not.toContain(language.strings.verification.leftOutAgree);
});

test('that they are not is said only if it is so, not where it may be chance', async () => {
  const published = Array.from({ length: 40 }, (_, at) =>
    review({ id: ulidOf(at + 1), rating: at < 37 ? 1 : 5 }),
  );
  const snapshot = await snapshotOf(published);
  const show = () => pageOf(new Site(snapshot, buildAssets('#1f5c4d').urls), '/verification');
  expect(show()).toContain('3 of 40 reviews with one or two stars are not published, and 0 of 3');
  const { publication } = snapshot.log!.manifest;
  Object.assign(publication, { withheld: publication.published });
  expect(show()).toContain('not left out more often than those with four or five');
});
