// The pages in a real browser.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { layoutShiftOf, violationsOf, openBrowser, openPage } from '../support/browser.ts';
import { copyExample } from '../support/example.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { Workplace } from '../support/process.ts';
import type { RunningServer } from '../support/running-server.ts';
import { ORIGIN } from '../support/snapshot.ts';

const KIB = 1024;
/** Compressed, including style sheet and script. */
const MAX_BYTES = 100 * KIB;

let place: Workplace;
let server: RunningServer;
let browser: Browser;
/** One page of every kind. */
let paths: string[];

beforeAll(async () => {
  place = await Workplace.open((folder) => copyExample(folder, ORIGIN));
  const settings = { BASE_URL: ORIGIN };
  [server, browser] = await Promise.all([
    place.serveHere(settings, { example: true }),
    openBrowser(),
  ]);
  const first = await fetch(`${server.url}/api/reviews/search?mentions_technician=mike-alvarez`);
  const { reviews } = (await first.json()) as { reviews: { id: string }[] };
  paths = [
    '/',
    '/reviews',
    '/reviews?words=boiler&min_rating=4',
    '/reviews?words=furnase+repiar',
    '/reviews?rating=9',
    `/reviews/${reviews[0]?.id}`,
    '/technicians',
    '/technicians/mike-alvarez',
    '/technicians?compare=mike-alvarez,steve-ouellette',
    '/services',
    '/services/boiler-service',
    '/areas',
    '/areas/larkin',
    '/topics',
    '/topics/heating',
    '/aspects',
    '/aspects/pricing',
    '/aspects/pricing?sentiment=negative',
    '/problems',
    '/problems/long-wait',
    '/faq',
    '/summary',
    '/verification',
    '/transparency',
    '/developers',
    '/developers/embed',
    '/not/there',
  ];
});

afterAll(async () => {
  await browser?.close();
  await place?.close();
});

/** The page looks for words in replies too. */
async function matchedBy(query: string): Promise<number> {
  const answer = await fetch(`${server.url}/api/reviews/search?in=text&${query}`);
  return ((await answer.json()) as { matched: number }).matched;
}

async function expectNoOverflow(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
}

/** Words of labels that are broken into two lines without a hyphen. */
function tornWordsOf(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main :is(a, h1, h2, h3, .chip)')].flatMap((element) => {
      if (getComputedStyle(element).hyphens === 'auto') return [];
      const text = element.firstChild;
      if (!(text instanceof Text)) return [];
      return [...text.data.matchAll(/[\p{L}’]+/gu)].flatMap((word) => {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return lines.size > 1 ? [word[0]] : [];
      });
    }),
  );
}

/** Every pair of two settings; axe looks at every page in both colour schemes. */
const SETTINGS = [
  { javaScriptEnabled: true, width: 360, colorScheme: 'dark' },
  { javaScriptEnabled: true, width: 1280, colorScheme: 'light' },
  { javaScriptEnabled: false, width: 360, colorScheme: 'light' },
  { javaScriptEnabled: false, width: 1280, colorScheme: 'dark' },
] as const;

describe.each(SETTINGS)(
  'with scripts $javaScriptEnabled, $width pixels wide, $colorScheme,',
  ({ javaScriptEnabled, width, colorScheme }) => {
    test('a visitor searches, filters, pages, and navigates from a technician to a review', async () => {
      const viewport = { width, height: 800 };
      const { page, complaints } = await openPage(browser, {
        javaScriptEnabled,
        viewport,
        colorScheme,
      });
      await page.goto(server.url);
      await expectNoOverflow(page);
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('Harbor & Pine');

      // One list with what both sides say, without a chart that says it again.
      await page.getByRole('link', { name: 'Everything customers mention' }).click();
      const aspects = page.getByRole('main');
      const pricing = aspects.getByRole('listitem').filter({ hasText: 'Pricing' });
      expect(await pricing.innerText()).toMatch(/\d+ reviews: \d+ positive, \d+ negative/);
      expect(await aspects.getByRole('img').count()).toBe(0);

      await page.goBack();
      await page.getByLabel('Search the reviews').fill('the');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.waitForURL('**/reviews?words=the');
      const found = await matchedBy('words=the');
      await page.getByRole('heading', { name: `${found} reviews found` }).waitFor();

      // On a phone the first hit is on the first screen; filters are folded, and beside it where there is room.
      const first = await page.getByRole('article').first().boundingBox();
      expect(first?.y).toBeLessThan(700);
      if (width < 832) await page.getByText('Filters', { exact: true }).click();
      const stars = page.getByRole('list', { name: 'Stars', exact: true });
      await stars.getByRole('link', { name: /^1 star / }).click();
      await page.waitForURL('**/reviews?words=the&rating=1');
      const bad = await matchedBy('words=the&rating=1');
      await page.getByRole('heading', { name: `${bad} reviews found` }).waitFor();
      await expectNoOverflow(page);

      await page.getByRole('link', { name: 'Next page' }).click();
      await page.waitForURL('**/reviews?*cursor=*');
      expect(await page.getByRole('article').count()).toBe(bad - 20);
      await page.getByText(`21 to ${bad} of ${bad}`).waitFor();
      await page.getByRole('link', { name: 'Previous page' }).click();
      await page.waitForURL('**/reviews?rating=1&words=the');

      await page.getByRole('navigation', { name: 'Main' }).getByText('People').click();
      await page.getByRole('link', { name: 'Mike Alvarez' }).click();
      await page.waitForURL('**/technicians/mike-alvarez');
      await expectNoOverflow(page);
      const review = page.getByRole('article').first();
      const author = await review.getByRole('heading').innerText();
      await review.getByRole('link', { name: author }).click();
      await page.waitForURL('**/reviews/*');
      expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(author);
      expect(await page.getByText('Found in this review').filter({ visible: true }).count()).toBe(
        1,
      );
      await expectNoOverflow(page);
      expect(complaints).toEqual([]);
      await page.context().close();
    });
  },
);

test('on a phone no label is torn, and axe finds no violations on any page, in light and in dark colours', async () => {
  const { page } = await openPage(browser, {
    colorScheme: 'light',
    viewport: { width: 360, height: 800 },
  });
  for (const path of paths) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(server.url + path);
    expect([path, await tornWordsOf(page)]).toEqual([path, []]);
    expect([path, await violationsOf(page)]).toEqual([path, []]);
    // The schemes differ in colours alone.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect([path, await violationsOf(page, 'colours')]).toEqual([path, []]);
  }
  await page.context().close();
});

test.each([
  '/technicians/steve-ouellette',
  '/services/furnace-repair',
  '/areas/larkin',
  '/aspects/pricing',
  '/problems/long-wait',
])('on a phone the first review of %s is not far down', async (path) => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(server.url + path);
  const first = await page.getByRole('article').first().boundingBox();
  expect(first?.y).toBeLessThan(1_200);
  await page.context().close();
});

test('every page is at most 100 KiB and renders without scripts', async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false });
  let sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  for (const path of paths) {
    sizes = [];
    await page.goto(server.url + path);
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect([path, bytes > 0 && bytes <= MAX_BYTES]).toEqual([path, true]);
    await expect
      .poll(
        () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length),
        { timeout: PATIENCE_MS },
      )
      .toBe(1);
  }
  await page.context().close();
});

test('no page has layout shifts while it loads', async () => {
  const { page } = await openPage(browser);
  for (const path of paths) {
    await page.goto(server.url + path);
    const shift = await layoutShiftOf(page);
    // 0.1 counts as good. A slow machine paints parts of the document, which moves a few thousandths.
    expect([path, Math.floor(shift * 100)]).toEqual([path, 0]);
  }
  await page.context().close();
});

test.each([
  ['2026-11-26T17:00:00Z', 'Open now, until 6:00 PM'],
  ['2026-11-26T23:00:00Z', 'Opens tomorrow at 7:00 AM'],
  ['2026-11-27T11:30:00Z', 'Opens today at 7:00 AM'],
  // The hour of summer time.
  ['2026-07-10T11:30:00Z', 'Open now, until 6:00 PM'],
  ['2026-11-28T20:00:00Z', 'Opens Monday at 7:00 AM'],
])('at %s the first page says “%s”, by the clock at the place', async (now, expected) => {
  const { page, complaints } = await openPage(browser);
  await page.clock.setFixedTime(now);
  await page.goto(server.url);
  const sign = page.locator('.open-now');
  expect(await sign.innerText()).toBe(expected);
  // The line for it is kept free: nothing moves when the script fills it in.
  const height = (await sign.boundingBox())?.height;
  await sign.evaluate((element) => element.replaceChildren());
  expect((await sign.boundingBox())?.height).toBe(height);
  expect(await page.getByText('Saturday 8:00 AM to 1:00 PM').isVisible()).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('people who are ticked are compared', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/technicians`);
  const boxes = page.getByRole('checkbox');
  await boxes.nth(0).check();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.waitForURL('**/technicians?*compare=*-*');
  expect(await page.getByRole('table').getByRole('columnheader').count()).toBe(3);
  await page.context().close();
});

test('results and URL update while typing', async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${server.url}/reviews`);
  await page.evaluate(() => Object.assign(globalThis, { mark: true }));
  await page.getByLabel('Search the reviews').pressSequentially('furnace');
  const found = await matchedBy('words=furnace');
  await page.getByRole('heading', { name: `${found} reviews found` }).waitFor();
  await page.waitForURL('**/reviews?words=furnace');
  // Screen readers announce the count from an element that existed before.
  expect(await page.getByRole('status').textContent()).toMatch(
    new RegExp(`^${found} reviews found average \\d\\.\\d of these ${found}`),
  );
  await page.getByText('Dates, author and more').click();
  await page.getByLabel('Stars, at least').focus();
  await page.getByLabel('Stars, at least').selectOption('5');
  const best = await matchedBy('words=furnace&min_rating=5');
  await page.getByRole('heading', { name: `${best} reviews found` }).waitFor();
  // What was open and had the focus still does.
  expect(await page.getByLabel('Stars, at least').evaluate((one) => one.matches(':focus'))).toBe(
    true,
  );
  // The page was not reloaded.
  expect(await page.evaluate(() => 'mark' in globalThis)).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('a search is corrected and widened, and says so; choices narrow it down', async () => {
  const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}/reviews?words="furnase"`);
  await page.getByRole('heading', { name: '0 reviews found' }).waitFor();
  await page.goto(`${server.url}/reviews?words=furnase`);
  const found = await matchedBy('words=furnace+');
  await page.getByRole('heading', { name: `${found} reviews found` }).waitFor();
  await page.getByText('No review says “furnase”; searched for “furnace” instead.').waitFor();
  expect(await page.locator('.review mark').first().innerText()).toMatch(/furnace/i);

  await page.goto(`${server.url}/reviews?words=furnace+price+`);
  const both = await matchedBy('words=furnace+price+');
  await page.getByRole('heading', { name: `${both} reviews found` }).waitFor();
  await page.getByText(/\d+ more have some of these words/).waitFor();
  const named = page.getByRole('list', { name: 'Subjects of these words' });
  for (const side of ['Positive', 'Negative'])
    expect(await named.getByRole('link', { name: `Pricing ${side}` }).count()).toBe(1);
  await page.getByRole('link', { name: 'Only reviews with all the words' }).click();
  const strictly = await matchedBy('words=furnace+price+&strict=true');
  const heading = new RegExp(`^${strictly} reviews? found`);
  await page.getByRole('heading', { name: heading }).waitFor();
  expect(await page.getByRole('article').count()).toBe(strictly);
  await page.goto(`${server.url}/reviews?words=furnace`);

  const stars = page.getByRole('list', { name: 'Stars', exact: true });
  const five = await matchedBy('words=furnace&rating=5');
  await stars.getByRole('link', { name: `5 stars ${five}` }).click();
  await page.getByRole('heading', { name: `${five} reviews found` }).waitFor();
  await page.getByRole('link', { name: /^Pricing \d+$/ }).click();
  const priced = await matchedBy('words=furnace&rating=5&aspect=pricing');
  await page.getByRole('heading', { name: `${priced} reviews found` }).waitFor();
  await page.getByRole('link', { name: 'Remove Pricing' }).click();
  await page.getByRole('heading', { name: `${five} reviews found` }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('an invalid filter is reported and stays in the form', async () => {
  const { page } = await openPage(browser);
  const answer = await page.goto(`${server.url}/reviews?rating=9&words=boiler`);
  expect(answer?.status()).toBe(400);
  expect(await page.getByRole('alert').innerText()).toContain(
    'rating: expected an integer from 1 to 5, got 9',
  );
  expect(await page.getByLabel('Search the reviews').inputValue()).toBe('boiler');
  await page.context().close();
});

describe('untrusted texts', () => {
  const HOSTILE = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    '</script><script>alert(1)</script>',
    '<!-- <svg onload=alert(1)> ]]>',
    '&lt;b&gt; ${alert(1)} {{7*7}} \u2028\u202e\u0000x',
  ];

  test('are shown as text on every page, and links use only http and https', async () => {
    const hostile = await Workplace.open();
    const business = {
      id: 'hostile',
      name: HOSTILE[0],
      description: HOSTILE[1],
      technicians: [{ id: 'mike', name: `Mike ${HOSTILE[1]}`, aliases: ['Mike'] }],
      services: [{ id: 'boiler', label: `Boiler ${HOSTILE[2]}`, aliases: ['boiler'] }],
    };
    const reviews = HOSTILE.map((text, index) => ({
      author: text,
      rating: 5,
      date: `2024-01-0${index + 1}`,
      text: `Mike repaired the boiler. Great work! ${text}`,
      source: text,
      source_url: index === 0 ? 'https://example.com/"><b>' : null,
      owner_reply: { text, date: '2024-02-01' },
      verified: true,
    }));
    await hostile.write('business.json', business);
    const file = await hostile.write('reviews.json', { reviews });
    await hostile.importHere(file, { business: `${hostile.folder}/business.json` });
    const { url } = await hostile.serveHere();
    const { page, complaints } = await openPage(browser);
    const list = await fetch(`${url}/reviews.json`);
    const [review] = ((await list.json()) as { reviews: { id: string }[] }).reviews;
    for (const path of [
      '/',
      '/reviews',
      `/reviews/${review?.id}`,
      '/reviews?query=%3Cscript%3Ealert(1)',
      '/reviews?rating=%3Cscript%3Ealert(1)%3C/script%3E',
      '/technicians',
      '/technicians/mike',
      '/services/boiler',
      '/aspects',
      '/faq',
      '/summary',
      '/%3Cscript%3Ealert(1)%3C/script%3E',
    ]) {
      await page.goto(url + path);
      const strange = await page.evaluate(() => ({
        scripts: document.querySelectorAll('script:not([src]):not([type="application/ld+json"])')
          .length,
        images: document.querySelectorAll('main img').length,
        links: [...document.querySelectorAll('a')].filter(({ href }) => !/^https?:/.test(href))
          .length,
      }));
      expect([path, strange]).toEqual([path, { scripts: 0, images: 0, links: 0 }]);
    }
    await page.goto(`${url}/reviews/${review?.id}`);
    expect(await page.locator('.words').first().innerText()).toContain('&lt;b&gt; ${alert(1)}');
    const unexpected = complaints.filter((text) => !/status of 40[04]/.test(text));
    expect(unexpected).toEqual([]);
    await page.context().close();
    await hostile.close();
  });
});
