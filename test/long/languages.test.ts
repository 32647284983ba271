// Every kind of page in every language, in light and dark, on a phone and on a desktop: axe, no horizontal
// scroll, no layout shift. On the example, on a business with three reviews, and on one with none.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../src/strings/regions.ts';
import { openBrowser, openPage, violationsOf } from '../support/browser.ts';
import { Workplace } from '../support/process.ts';

const SETTINGS = [
  { viewport: { width: 360, height: 800 }, colorScheme: 'dark' },
  { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
] as const;
const PATHS = [
  '/',
  '/reviews',
  '/reviews?words=the',
  '/reviews?rating=9',
  '/technicians',
  '/services',
  '/areas',
  '/topics',
  '/aspects',
  '/aspects/pricing',
  '/aspects/pricing?sentiment=negative',
  '/problems',
  '/faq',
  '/summary',
  '/verification',
  '/transparency',
  '/not/there',
];
const THREE = [5, 4, 1].map((rating, index) => ({
  author: `Reviewer ${index}`,
  rating,
  date: `2026-01-0${index + 1}`,
  text: ['Mike fixed the boiler. Great price!', null, 'They came late and left a mess.'][index],
  source: 'google',
  verified: true,
}));

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test.each(
  LANGUAGE_CODES.flatMap((language) => [
    [language, 'the example', null] as const,
    [language, 'three reviews', THREE] as const,
    [language, 'no reviews', []] as const,
  ]),
)('pages in %s with %s pass', async (language, _what, reviews) => {
  const place = await Workplace.open();
  try {
    if (reviews !== null) {
      const business = await place.write('business.json', { id: 'b', name: 'Harbor Heating' });
      await place.importHere(await place.write('reviews.json', { reviews }), { business });
    }
    const { url } = await place.serveHere(
      { SITE_LANGUAGE: language },
      { example: reviews === null },
    );
    for (const settings of SETTINGS) {
      const { page } = await openPage(browser, settings);
      for (const path of PATHS) {
        await page.goto(url + path);
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect([path, settings.viewport.width, excess]).toEqual([path, settings.viewport.width, 0]);
        expect([path, await violationsOf(page)]).toEqual([path, []]);
      }
      await page.context().close();
    }
  } finally {
    await place.close();
  }
});
