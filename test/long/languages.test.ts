// Every kind of page in every language, for four businesses: axe, valid HTML, no horizontal scroll, no layout
// shift, less than 100 KiB. A setting is scripts on or off, a phone or a desktop, light or dark. Each page has another
// setting in each language, so that all pairs of page, business, language and setting occur but few; the pages that
// most people see have all settings in two languages.

import type { APIResponse, Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../src/strings/regions.ts';
import { AIRLINE, airlineReviews } from '../support/airline.ts';
import { layoutShiftOf, openBrowser, openPage, violationsOf } from '../support/browser.ts';
import { htmlErrorsIn } from '../support/html.ts';
import { Workplace } from '../support/process.ts';

const KIB = 1024;
const MAX_BYTES = 100 * KIB;
/** The server closes idle connections, perhaps while a request is on its way. */
const MAX_RETRIES = 3;
/** Browsers report shifts of parts of a pixel; scores are given with three decimals. */
const MIN_SHIFT = 0.0005;
/** Three screens, before the link to all reviews. */
const MAX_HEIGHT = 3 * 800;

interface Setting {
  readonly hasScripts: boolean;
  readonly width: number;
  readonly colorScheme: 'dark' | 'light';
}

const SETTINGS: readonly Setting[] = [true, false].flatMap((hasScripts) =>
  [360, 1280].flatMap((width) =>
    (['dark', 'light'] as const).map((colorScheme) => ({ hasScripts, width, colorScheme })),
  ),
);
const PATHS = [
  '/',
  '/reviews',
  '/reviews?words=the',
  '/reviews?words=xyzzy',
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
  '/developers',
  '/developers/embed',
  '/developers/reference',
  '/not/there',
];
/** What most people see. The first is the first page. */
const MAIN_PATHS = ['/', '/reviews', 'a review'];
const MAIN_LANGUAGES = ['en', 'de'];

const THREE = [5, 4, 1].map((rating, index) => ({
  author: `Reviewer ${index}`,
  rating,
  date: `2026-01-0${index + 1}`,
  text: ['Mike fixed the boiler. Great price!', null, 'They came late and left a mess.'][index],
  source: 'google',
  verified: true,
}));
const HARBOR = { id: 'b', name: 'Harbor Heating' };

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

test.each([
  ['the example', null, HARBOR],
  ['an airline', airlineReviews(), AIRLINE],
  ['three reviews', THREE, HARBOR],
  ['no reviews', [], HARBOR],
] as const)('pages of %s pass in every language', async (_what, reviews, record) => {
  const place = await Workplace.open();
  const faults: string[] = [];
  try {
    if (reviews !== null) {
      const business = await place.write('business.json', record);
      await place.importHere(await place.write('reviews.json', { reviews }), { business });
    }
    for (const [at, language] of LANGUAGE_CODES.entries()) {
      const environment = { SITE_LANGUAGE: language };
      const server = await place.serveHere(environment, { example: reviews === null });
      const walk = await Walk.open(server.url, language);
      for (const [index, path] of walk.paths.entries()) {
        const isMain = reviews === null && MAIN_LANGUAGES.includes(language);
        const all = isMain && (MAIN_PATHS.includes(path) || path === walk.reviewPath);
        const chosen = all ? SETTINGS : [SETTINGS[(at + index) % SETTINGS.length] as Setting];
        faults.push(...(await walk.check(path, chosen)));
      }
      await walk.close();
      await server.close();
    }
  } finally {
    await place.close();
  }
  expect(faults).toEqual([]);
});

/** A walk through the pages of one site. */
class Walk {
  readonly paths: readonly string[];
  /** Null without reviews. */
  readonly reviewPath: string | null;
  readonly #url: string;
  readonly #language: string;
  readonly #assetBytes = new Map<string, number>();
  readonly #page: Page;
  readonly #browser: CDPSession;

  private constructor(
    { page, session }: { readonly page: Page; readonly session: CDPSession },
    url: string,
    language: string,
    reviewPath: string | null,
  ) {
    this.#page = page;
    this.#browser = session;
    this.#url = url;
    this.#language = language;
    this.reviewPath = reviewPath;
    this.paths = [...PATHS, ...(reviewPath === null ? [] : [reviewPath])];
  }

  static async open(url: string, language: string): Promise<Walk> {
    const { page } = await openPage(browser);
    const search = `${url}/api/reviews/search?has_text=true&limit=1`;
    const answer = await page.request.get(search, { maxRetries: MAX_RETRIES });
    const { reviews } = (await answer.json()) as { reviews: readonly { id: string }[] };
    const session = await page.context().newCDPSession(page);
    const reviewPath = reviews[0] === undefined ? null : `/reviews/${reviews[0].id}`;
    return new Walk({ page, session }, url, language, reviewPath);
  }

  async close(): Promise<void> {
    await this.#page.context().close();
  }

  /** Every fault of a page, in these settings. */
  async check(path: string, settings: readonly Setting[]): Promise<string[]> {
    const html = await (await this.#get(path)).text();
    const faults = await htmlErrorsIn(html);
    const bytes = await this.#bytesOf(path, html);
    if (bytes > MAX_BYTES) faults.push(`${Math.ceil(bytes / KIB)} KiB`);
    const named = faults.map((fault) => `${this.#language} ${path}: ${fault}`);
    for (const setting of settings) {
      const found = await this.#checkIn(setting, path);
      const { colorScheme, width, hasScripts } = setting;
      const name = `${width} ${colorScheme}${hasScripts ? '' : ' without scripts'}`;
      named.push(...found.map((fault) => `${this.#language} ${path} (${name}): ${fault}`));
    }
    return named;
  }

  async #checkIn({ hasScripts, width, colorScheme }: Setting, path: string): Promise<string[]> {
    const page = this.#page;
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await this.#allowScripts(hasScripts);
    await page.goto(this.#url + path);
    const faults: string[] = [];
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (excess > 0) faults.push(`wider than the screen by ${excess}`);
    // The page loaded without scripts; the checks need them.
    await this.#allowScripts(true);
    // Without scripts nothing moves; that the checks turn them on may show buttons.
    const shift = hasScripts ? await layoutShiftOf(page) : 0;
    if (shift >= MIN_SHIFT) faults.push(`layout shift of ${shift}`);
    if (path === '/' && width === 1280) {
      const height = await heightBeforeReviews(page);
      if (height > MAX_HEIGHT) faults.push(`${Math.round(height)} pixels before all reviews`);
    }
    return [...faults, ...(await violationsOf(page))];
  }

  async #allowScripts(areAllowed: boolean): Promise<void> {
    await this.#browser.send('Emulation.setScriptExecutionDisabled', { value: !areAllowed });
  }

  /** Compressed, with style sheet and scripts. */
  async #bytesOf(path: string, html: string): Promise<number> {
    const files = [...html.matchAll(/(?:<script[^>]* src|rel="stylesheet" href)="(\/[^"]+)"/g)];
    let sum = await this.#transferred(path);
    for (const [, file = ''] of files) {
      const known = this.#assetBytes.get(file) ?? (await this.#transferred(file));
      this.#assetBytes.set(file, known);
      sum += known;
    }
    return sum;
  }

  async #transferred(path: string): Promise<number> {
    return Number((await this.#get(path)).headers()['content-length']);
  }

  #get(path: string): Promise<APIResponse> {
    const headers = { Accept: 'text/html', 'Accept-Encoding': 'br' };
    return this.#page.request.get(this.#url + path, { headers, maxRetries: MAX_RETRIES });
  }
}

/** The lower edge of the link to all reviews; 0 without reviews. */
function heightBeforeReviews(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document.querySelector('main a.button[href="/reviews"]')?.getBoundingClientRect().bottom ?? 0,
  );
}
