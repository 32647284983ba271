// The developers page and the API reference in a real browser: requests work, nothing loads from other
// origins, and the Content-Security-Policy blocks nothing.

import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SEARCH_PARAMETERS } from '../../src/model/search.ts';
import { violationsOf, openBrowser, openPage } from '../support/browser.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { htmlErrorsIn } from '../support/html.ts';
import { TestServer } from '../support/http.ts';
import { snapshotOf } from '../support/snapshot.ts';

let browser: Browser;
let server: TestServer;
let origin: string;
beforeAll(async () => {
  const hub = { accept: () => Promise.resolve() };
  server = await TestServer.open(null, { hub });
  origin = `http://localhost:${server.port}`;
  server.http.show(await snapshotOf(REVIEWS, { insights: INSIGHTS, origin }));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

describe('the reference', () => {
  test('shows every operation of /openapi.json, and is valid HTML under the policy of pages', async () => {
    const { headers, body } = await server.ask('/developers/reference', {
      headers: { Accept: 'text/html' },
    });
    expect(headers['content-security-policy']).not.toContain('unsafe');
    const html = body.toString();
    expect(await htmlErrorsIn(html)).toEqual([]);
    expect(gzipSync(html).length).toBeLessThan(60_000);
    const { paths } = await server.json('/openapi.json');
    const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap(
      (item) => Object.values(item),
    );
    const missing = operations.filter(({ operationId }) => !html.includes(`id="${operationId}"`));
    expect(operations.length).toBeGreaterThan(50);
    expect(missing).toEqual([]);
    const [, search = ''] = html.split(' id="searchReviews"');
    const [pane = ''] = search.split('</section>');
    for (const name of SEARCH_PARAMETERS) expect(pane).toContain(`<code>${name}</code>`);
    // What any operation may answer is told once.
    expect(html.match(/<code>431<\/code>/g)).toHaveLength(1);
    // Every link leads to an operation or a schema.
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(targets.filter((id) => !html.includes(`id="${id}"`))).toEqual([]);
  });

  test('has requests to copy that the server answers', async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${origin}/developers/reference`);
    const blocks = await page.locator('pre[aria-label^="curl: GET"]').allTextContents();
    const paths = blocks.flatMap((block) => /'http:\/\/[^/]+(\/[^'{]*)'/.exec(block)?.[1] ?? []);
    expect(paths.length).toBeGreaterThan(30);
    const statuses = await Promise.all(
      paths.map(async (path) => [path, (await server.ask(path)).status]),
    );
    expect(statuses.filter(([, status]) => Number(status) >= 500)).toEqual([]);
    // One operation at a time, found by its words and by those of its parameters.
    const shown = () => page.locator('.pane:visible').evaluateAll((all) => all.map(({ id }) => id));
    expect(await shown()).toEqual(['searchReviews']);
    await page.getByLabel('Find').fill('GET reviews.json');
    await page.getByRole('link', { name: 'GET /reviews.json' }).click();
    expect(await shown()).toEqual(['getReviews']);
    await page.getByLabel('Find').fill('min_rating');
    await page.getByRole('link', { name: 'GET /api/reviews/search' }).click();
    expect(await shown()).toEqual(['searchReviews']);
    for (const name of ['curl', 'JavaScript', 'Python']) {
      const block = page.getByRole('group', { name: `${name}: GET /api/reviews/search` });
      expect(await block.textContent()).toContain(`${origin}/api/reviews/search`);
    }
    expect(await page.locator('.pane:visible .copy').count()).toBe(3);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
      true,
    );
    expect(complaints).toEqual([]);
  });

  test('is complete without scripts, and on a phone', async () => {
    const viewport = { width: 390, height: 844 };
    const { page } = await openPage(browser, { javaScriptEnabled: false, viewport });
    await page.goto(`${origin}/developers/reference#searchReviews`);
    const cells = page.locator('.pane:visible td');
    const ends = await cells.evaluateAll((all) =>
      all.map((cell) => cell.getBoundingClientRect().right),
    );
    expect(Math.max(...ends)).toBeLessThanOrEqual(390);
    expect(await page.locator('.pane:visible').innerText()).toMatch(/^GET \/api\/reviews\/search/);
  });
});

describe('the developers page', () => {
  test('sends its requests, also edited, and shows the responses', async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${origin}/developers`);
    const one = page.locator('.example', {
      has: page.getByRole('heading', { name: 'One review' }),
    });
    expect(await page.getByLabel('Path').filter({ visible: true }).count()).toBe(1);
    await one.getByText('Send it').click();
    await one.getByRole('button', { name: 'Send' }).click();
    await one.locator('output').getByText('"verified": true').waitFor();
    expect(await one.locator('output').innerText()).toMatch(/^200 OK\n[\s\S]*etag: "/);
    await one.getByLabel('Path').fill('/api/reviews/search?limit=0');
    await one.getByRole('button', { name: 'Send' }).click();
    await one.locator('output').getByText('expected an integer from 1 to 100, got 0').waitFor();
    const tool = page.locator('form', { has: page.getByLabel('Body') });
    await tool.getByRole('button', { name: 'Send' }).click();
    await tool.locator('output').getByText('"structuredContent"').waitFor();
    // The browser logs the expected 400.
    expect(complaints.filter((complaint) => !complaint.includes('400'))).toEqual([]);
  });

  test('has links to the responses without scripts', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${origin}/developers`);
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);
    const one = page.locator('.example', {
      has: page.getByRole('heading', { name: 'One review' }),
    });
    await one.getByRole('link', { name: 'Open the answer' }).click();
    expect(await page.locator('body').innerText()).toContain('"verified":true');
  });

  test.each([
    [360, 'light'],
    [1280, 'dark'],
  ] as const)('is accessible and fits %i pixels, %s', async (width, colorScheme) => {
    const viewport = { width, height: 800 };
    const { page, complaints } = await openPage(browser, { viewport, colorScheme });
    await page.goto(`${origin}/developers`);
    expect(await violationsOf(page)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
    expect(complaints).toEqual([]);
  });

  test('is under 60 KiB compressed', async () => {
    const { body } = await server.ask('/developers', { headers: { 'Accept-Encoding': 'br' } });
    expect(body.length).toBeLessThan(60 * 1024);
  });
});
