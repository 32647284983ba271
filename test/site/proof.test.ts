// "Proof" on the page of a review, computed in a real browser; and the page about transparency.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSIGHTS, PRAISE, REVIEWS } from '../support/by-hand.ts';
import { openBrowser, openPage, violationsOf } from '../support/browser.ts';
import { TestServer } from '../support/http.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
let browser: Browser;
let url: string;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
  url = `http://localhost:${server.port}`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Opens "Proof" on a page, with some answers replaced; returns its state and its text. */
async function prove(replace: (proof: Record<string, string>) => object = (proof) => proof) {
  const { page, complaints } = await openPage(browser);
  await page.route('**/proof', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: replace((await answer.json()) as Record<string, string>) });
  });
  await page.goto(`${url}/reviews/${PRAISE}`);
  const proof = page.locator('details[data-proof]');
  await proof.locator('summary').click();
  await page.locator('details[data-proof]:not([data-state="running"])[data-state]').waitFor();
  const state = await proof.getAttribute('data-state');
  const text = await proof.locator('output').textContent();
  await page.close();
  return { state, text, complaints };
}

test('turns green if the browser has computed that the review is in the log', async () => {
  expect(await prove()).toEqual({
    state: 'good',
    text:
      'Your browser has checked it: the review, exactly as it is shown, is entry 0 of the 4 entries of the ' +
      'signed log reviews.example/log.',
    complaints: [],
  });
});

test.each([
  [
    'another salt',
    { salt: Buffer.alloc(16).toString('base64') },
    'The review is not the one in the log.',
  ],
  [
    'a proof of another entry',
    { inclusion_proof: [Buffer.alloc(32).toString('base64')] },
    'The review is not in the log.',
  ],
  ['no key', { keys: [] }, 'The log is not signed.'],
])('stays red with %s', async (_what, change, text) => {
  expect(await prove((proof) => ({ ...proof, ...change }))).toMatchObject({ state: 'bad', text });
});

test('stays red with a signature by another key', async () => {
  const forged = (proof: Record<string, string>) => {
    const { checkpoint = '' } = proof;
    const at = checkpoint.length - 10;
    const letter = checkpoint[at] === 'A' ? 'B' : 'A';
    return { ...proof, checkpoint: checkpoint.slice(0, at) + letter + checkpoint.slice(at + 1) };
  };
  expect(await prove(forged)).toMatchObject({ state: 'bad', text: 'The log is not signed.' });
});

test('the page about transparency shows the numbers of the log, and can be used by everybody', async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${url}/transparency`);
  const rows = await page.locator('tbody tr').allTextContents();
  expect(rows.map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
    '1 0 0',
    '1 0 0',
    '0 0 0',
    '0 3 0',
    '1 0 0',
    'All330',
  ]);
  expect(await page.textContent('main')).toContain(
    'npx public-reviews verify https://reviews.example',
  );
  expect(await violationsOf(page)).toEqual([]);
  // As the developers' page says it.
  expect(await page.textContent('main')).toContain('which is not in npm’s registry yet');
  await page.getByRole('link', { name: 'How to check without the program' }).click();
  expect(await page.textContent('section:has(> #log)')).toContain("not in npm's registry yet");
  expect(await page.textContent('section:has(> #log)')).toContain('RFC 9162, section 2.1.3.2');
  expect(complaints).toEqual([]);
  await page.close();
});
