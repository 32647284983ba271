// The developers page and the API reference in a real browser: requests work, nothing loads from other
// origins, and the Content-Security-Policy blocks nothing.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { violationsOf, openBrowser, openPage } from '../support/browser.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
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
  test('has a policy that allows nothing inline', async () => {
    const { headers } = await server.ask('/developers/reference');
    const policy = headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test('loads its files from this origin, compressed and with ETags', async () => {
    for (const [name, type, most] of [
      ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8', 600_000],
      ['swagger-ui.css', 'text/css; charset=utf-8', 60_000],
      ['start.js', 'text/javascript; charset=utf-8', 1000],
    ] as const) {
      const { status, headers, body } = await server.ask(`/developers/reference/${name}`, {
        headers: { 'Accept-Encoding': 'br' },
      });
      expect([status, headers['content-type']]).toEqual([200, type]);
      expect(headers['content-encoding']).toBe('br');
      expect(body.length).toBeLessThan(most);
      const again = await server.ask(`/developers/reference/${name}`, {
        headers: { 'If-None-Match': headers.etag! },
      });
      expect(again.status).toBe(304);
    }
  });

  test('shows operations and sends one, and the browser blocks nothing', async () => {
    const { page, complaints } = await openPage(browser);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith('data:')) elsewhere.push(url);
    });
    await page.goto(`${origin}/developers/reference`);
    const operation = page.locator('#operations-Reviews-searchReviews');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.try-out__btn').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response-col_description');
    await answer.getByText('"matched"').first().waitFor();
    // Only operations in view are rendered; a URL fragment leads to the last one.
    const { paths } = await server.json('/openapi.json');
    const operations = Object.values<Record<string, { operationId: string; tags: string[] }>>(
      paths,
    ).flatMap((item) => Object.values(item));
    const last = operations.findLast(({ tags }) => tags.includes('Operating'));
    await page.goto(`${origin}/developers/reference#/Operating/${last?.operationId}`);
    await page.reload();
    await page.locator(`#operations-Operating-${last?.operationId}`).waitFor();
    expect([complaints, elsewhere]).toEqual([[], []]);
  });

  test('links to /openapi.json without scripts', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${origin}/developers/reference`);
    expect(await page.locator('main').innerText()).toContain('/openapi.json');
  });
});

describe('the developers page', () => {
  test('sends its requests, also edited, and shows the responses', async () => {
    const { page, complaints } = await openPage(browser);
    await page.goto(`${origin}/developers`);
    const one = page.locator('.example', {
      has: page.getByRole('heading', { name: 'One review' }),
    });
    await one.getByRole('button', { name: 'Send' }).click();
    await one.locator('output').getByText('"verified": true').waitFor();
    expect(await one.locator('output').innerText()).toMatch(/^200 OK\n[\s\S]*etag: "/);
    await one.getByLabel('Path').fill('/api/reviews/search?limit=0');
    await one.getByRole('button', { name: 'Send' }).click();
    await one.locator('output').getByText('expected an integer from 1 to 100, got 0').waitFor();
    const tool = page.locator('.example', { has: page.locator('#tool-get_summary') });
    await tool.locator('summary').click();
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

  test('has a hub form that works without scripts', async () => {
    const { page, complaints } = await openPage(browser, { javaScriptEnabled: false });
    await page.goto(`${origin}/developers`);
    await page.getByLabel('hub.callback').fill('https://reader.example/');
    await page.getByRole('button', { name: 'Send to the hub' }).click();
    const bodyText = await page.locator('body').innerText();
    expect(bodyText).toContain('Accepted: the callback will be asked to confirm.');
    expect(complaints).toEqual([]);
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
