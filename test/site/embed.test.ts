// The embedded element in a real browser, on a cross-origin page with hostile styles.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDocument } from '@mixmark-io/domino';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest';
import { escapeXml } from '../../src/model/xml.ts';
import { embedSnippet, parseEmbedOptions } from '../../src/site/developers/embed-page.ts';
import { View } from '../../src/site/view.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { openBrowser } from '../support/browser.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS, review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const HOSTILE = '<img src=x onerror="document.title=\'owned\'"></script><b>bold</b>';
const reviews = [
  review({ date: '2024-06-03', author: HOSTILE, text: HOSTILE, rating: 2 }),
  review({ date: '2024-06-02', author: 'דנה', text: 'שירות מצוין', rating: 5 }),
  ...Array.from({ length: 11 }, () => review()),
  // Not among the ten newest.
  review({ date: '2020-01-01', text: 'word '.repeat(90).trim() }),
];
/** Styles with which a host page could break the element. */
const HOST_STYLE = `* { all: unset !important; display: none !important; color: red !important; font-size: 60px !important }
html, body, style, main { display: block !important }
public-reviews { position: fixed !important; opacity: 0 !important }`;

const PATIENCE = { timeout: PATIENCE_MS };

let snapshot: Snapshot;
let server: TestServer;
let host: Server;
let browser: Browser;
let content = '';
let policy = '';
let origin = '';

beforeAll(async () => {
  // The snapshot contains the origin, and the port is known only once the server listens.
  server = await TestServer.open(null);
  origin = `http://127.0.0.1:${server.port}`;
  snapshot = await snapshotOf(reviews, {
    business: { ...BUSINESS, name: 'Harbor <i>& Sons' },
    origin,
  });
  server.http.show(snapshot);
  host = createServer((request, response) => {
    if (request.url === '/host.css') {
      response.setHeader('Content-Type', 'text/css').end(HOST_STYLE);
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', policy);
    response.end(content);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  host.closeAllConnections();
  host.close();
  await server.close();
});

interface VisitOptions {
  readonly css?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
  readonly policy?: string;
}

const strictPolicy = () =>
  `default-src 'none'; script-src ${origin}; style-src 'self'; img-src ${origin}; require-trusted-types-for 'script'`;

/** Opens a cross-origin page with a body, and collects console errors. */
async function visit(
  body: string,
  {
    css = true,
    colorScheme = 'light',
    javaScriptEnabled = true,
    policy: given = strictPolicy(),
  }: VisitOptions = {},
): Promise<{ page: Page; complaints: string[]; warnings: string[] }> {
  policy = given;
  content = `<!doctype html><html lang="en"><title>Host</title>${css ? '<link rel="stylesheet" href="/host.css">' : ''}<main>${body}</main></html>`;
  const page = await browser.newPage({ colorScheme, javaScriptEnabled });
  const complaints: string[] = [];
  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
    if (message.type() === 'error' && !message.text().includes('favicon')) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  return { page, complaints, warnings };
}

const snippet = (parameters: Record<string, string>) =>
  embedSnippet(new View(snapshot), parseEmbedOptions(parameters));
const snippets = () => ({
  badge: snippet({ kind: 'badge' }),
  list: snippet({ kind: 'list' }),
  picture: snippet({ kind: 'picture' }),
});

test('the badge renders on a hostile page with a strict policy, and nothing is blocked', async () => {
  const { page, complaints } = await visit(snippets().badge);
  const link = page.getByRole('link', { name: /4\.8 out of 5 stars 4\.8 14 verified reviews/ });
  await link.waitFor();
  expect(await link.getByRole('img').first().getAttribute('aria-label')).toBe(
    'Harbor <i>& Sons: 4.8 out of 5 stars',
  );
  expect(await link.getAttribute('href')).toBe(`${origin}/`);
  const seen = await link.evaluate((element) => {
    const { color, fontSize, display } = getComputedStyle(element);
    const outer = (element.getRootNode() as ShadowRoot).host;
    const { opacity, position } = getComputedStyle(outer);
    return { color, fontSize, display, opacity, position, width: element.clientWidth };
  });
  expect(seen).toMatchObject({
    color: 'rgb(28, 27, 25)',
    fontSize: '16px',
    display: 'inline-flex',
    opacity: '1',
    position: 'static',
  });
  expect(seen.width).toBeGreaterThan(150);
  expect(complaints).toEqual([]);
  await page.close();
});

test('the list shows the requested number of reviews, and hostile texts as text', async () => {
  const { page, complaints, warnings } = await visit(snippets().list);
  const items = page.getByRole('listitem');
  await items.first().waitFor();
  expect(await items.count()).toBe(3);
  expect(await items.first().locator('p').textContent()).toBe(HOSTILE);
  // A site that has the module inline is not ended by a text.
  expect(await (await fetch(`${origin}/embed-data.js`)).text()).not.toContain('<');
  expect(await items.first().getByRole('link').textContent()).toBe(HOSTILE);
  expect(await items.first().getByRole('link').getAttribute('href')).toBe(
    `${origin}/reviews/${reviews[0]!.id}`,
  );
  expect(await items.first().getByRole('img').first().getAttribute('aria-label')).toBe(
    '2 out of 5 stars',
  );
  expect(
    await items
      .nth(1)
      .locator('p')
      .evaluate((text) => getComputedStyle(text).direction),
  ).toBe('rtl');
  expect(await page.title()).toBe('Host');
  expect(await page.locator('public-reviews b').count()).toBeLessThanOrEqual(1);
  await page
    .locator('public-reviews')
    .evaluate((element) => element.setAttribute('data-count', '5'));
  await items.nth(4).waitFor();
  expect(await items.count()).toBe(5);
  const require = (words: string) =>
    page
      .locator('public-reviews')
      .evaluate((element, given) => element.setAttribute('data-words', given), words);
  await require('50');
  await items.nth(1).waitFor({ state: 'detached' });
  expect(await items.locator('p').textContent()).toMatch(/^word /);
  expect(warnings).toEqual([]);
  await require('99');
  await items.nth(4).waitFor();
  expect(warnings).toEqual(['data-words: 0 to 50, not "99"']);
  expect(complaints).toEqual([]);
  await page.close();
});

test('the carousel scrolls by its buttons and by keyboard', async () => {
  const { page, complaints } = await visit(snippet({ kind: 'carousel', count: '6' }));
  const row = page.getByRole('list');
  await row.waitFor();
  expect(await page.getByRole('listitem').count()).toBe(6);
  const position = () => row.evaluate(({ scrollLeft }) => scrollLeft);
  expect(await position()).toBe(0);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.poll(position, PATIENCE).toBeGreaterThan(50);
  await page.getByRole('button', { name: 'Previous' }).click();
  // The first review snaps to the edge of the row.
  await expect.poll(position, PATIENCE).toBeLessThan(10);
  expect(complaints).toEqual([]);
  await page.close();
});

test('one review is the one that is named, even if it is not among the newest', async () => {
  const { id } = reviews.at(-1)!;
  const { page, complaints } = await visit(snippet({ kind: 'review', review: id }));
  const link = page.getByRole('listitem').getByRole('link');
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe(`${origin}/reviews/${id}`);
  expect(await page.getByRole('listitem').locator('p').textContent()).toBe(reviews.at(-1)!.text);
  expect(complaints).toEqual([]);
  await page.close();
});

test('code of earlier versions, which loads a module, still works', async () => {
  const code = snippets().list.replace('async', 'type="module"');
  expect(code).toContain('<script type="module"');
  const { page, complaints } = await visit(code);
  await page.getByRole('listitem').first().waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

/** A web space that has the files of the server, without CORS headers and with changes. */
async function webSpace(change: (body: string) => string = (body) => body) {
  const plain = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/javascript');
    void fetch(`${origin}${url}`)
      .then((answer) => answer.text())
      .then((body) => response.end(change(body)));
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    plain.closeAllConnections();
    plain.close();
  });
  return `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
}

test('the code works from a web space that sends no CORS headers', async () => {
  const address = await webSpace();
  const code = snippet({ kind: 'review', review: reviews[1]!.id }).replaceAll(origin, address);
  const { page, complaints } = await visit(code, { policy: '', css: false });
  await page.getByText('שירות מצוין').waitFor();
  // Nothing is left in the page but the element and its data.
  expect(await page.evaluate('typeof make + typeof STAR + Object.keys(publicReviews).length')).toBe(
    'undefinedundefined2',
  );
  expect(complaints).toEqual([]);
  await page.close();
});

test.each(['async', ''])('two businesses on one page each show their own (%s)', async (loading) => {
  const other = await webSpace((body) => body.replaceAll('Harbor', 'Bistro'));
  const code = snippets().badge.replace('async', loading);
  const codes = { Harbor: code, Bistro: code.replaceAll(origin, other) };
  for (const names of [['Harbor', 'Bistro'] as const, ['Bistro', 'Harbor'] as const]) {
    const body = names.map((name) => codes[name]).join('');
    const allowed = "require-trusted-types-for 'script'; trusted-types public-reviews";
    const forgotten = '<public-reviews><a href="https://else.example/">Else</a></public-reviews>';
    const { page, complaints, warnings } = await visit(body + forgotten, {
      policy: allowed,
      css: false,
    });
    for (const [at, name] of names.entries()) {
      const stars = page.locator('public-reviews').nth(at).getByRole('img').first();
      await stars.waitFor();
      expect(await stars.getAttribute('aria-label')).toContain(name);
    }
    expect(await page.locator('public-reviews').nth(2).getByRole('img').count()).toBe(0);
    expect(warnings).toContain('no script of https://else.example/');
    expect(complaints).toEqual([]);
    await page.close();
  }
});

test.each([
  [
    `data-kind="review" data-review="${'0'.repeat(26)}"`,
    `data-review: id, not "${'0'.repeat(26)}"`,
  ],
  ['data-kind="review" data-review="the best one"', 'data-review: id, not "the best one"'],
  ['data-kind="bogus"', 'data-kind: badge|list|carousel|review, not "bogus"'],
  ['data-count="99"', 'data-count: 1 to 10, not "99"'],
  ['data-words="51"', 'data-words: 0 to 50, not "51"'],
  ['data-color="nocolor"', 'data-color: CSS, not "nocolor"'],
  ['data-theme="blue"', 'data-theme: light|dark, not "blue"'],
])(
  'with %s, which is none, it shows the badge, and the console says so',
  async (given, warning) => {
    const { page, warnings } = await visit(
      `<public-reviews ${given}></public-reviews><script src="${origin}/embed.js"></script>`,
    );
    await page.locator('a.badge').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(0);
    // An element with several attributes renders several times.
    expect(warnings).toEqual([warning]);
    await page.close();
  },
);

/** HTML without what a site builder does not allow; the content of other elements stays. */
function sanitised(html: string, allowed: Readonly<Record<string, readonly string[]>>): string {
  const document = createDocument(html);
  for (const element of Array.from(document.querySelectorAll('body *'))) {
    const attributes = allowed[element.localName];
    if (attributes === undefined) element.replaceWith(...Array.from(element.childNodes));
    else {
      for (const { name } of Array.from(element.attributes)) {
        if (!attributes.includes(name)) element.removeAttribute(name);
      }
    }
  }
  return document.body.innerHTML;
}

describe('on a site of', () => {
  const anywhere = { policy: '', css: false };

  test('WordPress, an author whose scripts are removed gets a link, and the picture whole', async () => {
    const texts = { a: ['href', 'rel'], img: ['src', 'alt', 'height'], p: [] };
    const { picture, list } = snippets();
    expect(sanitised(picture, texts)).toContain(`<img src="${origin}/badge.svg" alt="Reviews of`);
    const { page, complaints } = await visit(sanitised(picture + list, texts), anywhere);
    expect(await page.getByRole('img').evaluate((image) => image.clientWidth)).toBeGreaterThan(150);
    const link = page.getByRole('link', { name: 'Reviews of Harbor <i>& Sons' }).last();
    expect(await link.getAttribute('href')).toBe(`${origin}/`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('Wix, the code works in a frame without an origin', async () => {
    const frame = `<iframe sandbox="allow-scripts allow-popups" srcdoc="${escapeXml(snippets().list)}"></iframe>`;
    const { page, complaints } = await visit(frame, anywhere);
    const shown = page.frameLocator('iframe');
    await shown.getByRole('link', { name: /14 verified reviews/ }).waitFor();
    expect(await shown.getByRole('listitem').count()).toBe(3);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('Squarespace, a code block keeps elements and scripts, and describes the rating once', async () => {
    const code = { a: ['href'], 'public-reviews': ['data-kind'], script: ['async', 'src'] };
    const { badge } = snippets();
    const { page, complaints } = await visit(sanitised(badge + badge, code));
    await page
      .getByRole('link', { name: /14 verified reviews/ })
      .last()
      .waitFor();
    const described = page.locator('script[type="application/ld+json"]');
    expect(await described.count()).toBe(1);
    expect(JSON.parse((await described.textContent()) ?? '')).toMatchObject({
      name: 'Harbor <i>& Sons',
      aggregateRating: { ratingValue: 4.79, reviewCount: 14 },
    });
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('Shopify, no name of a business is run as a template, nor as a shortcode', async () => {
    const business = { ...BUSINESS, name: 'A {{ shop.secret }} {% include "x" %} [gallery]' };
    const view = new View(await snapshotOf([review()], { business }));
    for (const kind of ['badge', 'picture']) {
      expect(embedSnippet(view, parseEmbedOptions({ kind }))).not.toMatch(/[{[]/);
    }
  });
});

describe('the configurator', () => {
  test('updates preview and code, without scripts by its button', async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await browser.newPage({ javaScriptEnabled });
      await page.goto(`${origin}/developers/embed`);
      await page.getByLabel('What').selectOption('list');
      await page.getByLabel('Number of reviews').fill('2');
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Update' }).click();
      const code = page.locator('pre');
      await expect.poll(() => code.textContent(), PATIENCE).toContain('data-kind="list"');
      await expect.poll(() => code.textContent(), PATIENCE).toContain('data-count="2"');
      if (javaScriptEnabled) {
        await expect
          .poll(() => page.getByRole('main').getByRole('listitem').count(), PATIENCE)
          .toBe(2);
      }
      await page.close();
    }
  });

  test('ignores what is no option, and escapes the rest', () => {
    const code = snippet({ kind: 'x', count: '99', theme: 'blink', color: 'red"><script>' });
    expect(code).toContain('<public-reviews data-kind="badge"><a');
    expect(snippet({ kind: 'badge', color: 'rgb(1 2 3)' })).toContain('data-color="rgb(1 2 3)"');
  });
});

test('the text of the picture fits, without being stretched', async () => {
  const { page } = await visit(snippets().picture, { css: false, policy: '' });
  const svg = await (await fetch(`${origin}/badge.svg`)).text();
  expect(svg).not.toContain('textLength');
  await page.setContent(svg);
  const [end, width] = await page.locator('svg').evaluate((element) => {
    const box = (element.querySelector('text') as SVGTextElement).getBBox();
    return [box.x + box.width, Number(element.getAttribute('width'))] as const;
  });
  expect(end).toBeLessThan(width);
  expect(end).toBeGreaterThan(width * 0.8);
  await page.close();
});

describe('the colours', () => {
  const groundOf = async (body: string, colorScheme: 'light' | 'dark', ofPage = 'light dark') => {
    const { page } = await visit(body, { colorScheme });
    await page.evaluate(
      (scheme) => document.documentElement.style.setProperty('color-scheme', scheme, 'important'),
      ofPage,
    );
    const link = page.getByRole('link');
    await page.locator('public-reviews svg').first().waitFor();
    const seen = await link.evaluate((element) => ({
      ground: getComputedStyle(element).backgroundColor,
      stars: getComputedStyle(element.querySelector('svg')!).fill,
    }));
    await page.close();
    return seen;
  };
  const element = (attributes: string) =>
    snippets().badge.replace('data-kind="badge"', `data-kind="badge" ${attributes}`);

  test('follow the colour scheme of the page unless the element sets one', async () => {
    expect((await groundOf(element(''), 'dark', '')).ground).toBe('rgb(255, 255, 255)');
    expect((await groundOf(element(''), 'light')).ground).toBe('rgb(255, 255, 255)');
    expect((await groundOf(element(''), 'dark')).ground).toBe('rgb(30, 29, 27)');
    expect((await groundOf(element('data-theme="light"'), 'dark')).ground).toBe(
      'rgb(255, 255, 255)',
    );
    expect((await groundOf(element('data-theme="dark"'), 'light', '')).ground).toBe(
      'rgb(30, 29, 27)',
    );
  });

  test('of the stars are those of the pages, or the page’s if it sets a valid one', async () => {
    expect((await groundOf(element(''), 'light')).stars).toBe('rgb(199, 119, 0)');
    expect((await groundOf(element(''), 'dark')).stars).toBe('rgb(240, 169, 59)');
    expect((await groundOf(element('data-color="#aa3311"'), 'light')).stars).toBe(
      'rgb(170, 51, 17)',
    );
    expect((await groundOf(element('data-color="red;background:url(x)"'), 'light')).stars).toBe(
      'rgb(199, 119, 0)',
    );
  });
});

test('the link and the picture show without scripts', async () => {
  const both = `${snippets().badge}${snippets().picture}`;
  const { page } = await visit(both, { css: false, javaScriptEnabled: false });
  const links = page.getByRole('link', { name: 'Reviews of Harbor <i>& Sons' });
  expect(await links.count()).toBe(2);
  expect(await links.first().isVisible()).toBe(true);
  const width = await page
    .locator('img')
    .evaluate((image) => (image as HTMLImageElement).naturalWidth);
  expect(width).toBeGreaterThan(200);
  await page.close();
});

test('several elements share one script, and an element added later renders', async () => {
  const { page, complaints } = await visit(snippets().badge + snippets().list, { css: false });
  await page.getByRole('listitem').first().waitFor();
  expect(await page.locator('public-reviews .badge > svg').count()).toBe(2);
  await page.locator('main').evaluate((main) => {
    const added = document.createElement('public-reviews');
    main.append(added);
  });
  await page.locator('public-reviews').nth(2).getByRole('link').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

describe('data is imported only from the origin of the script', () => {
  let evil: Server;
  const requested: string[] = [];
  beforeAll(async () => {
    evil = createServer((request, response) => {
      requested.push(request.url!);
      response
        .setHeader('Content-Type', 'text/javascript')
        .setHeader('Access-Control-Allow-Origin', '*')
        .end('document.title = "owned"; export default { colors: [], reviews: [] };');
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    evil.closeAllConnections();
    evil.close();
  });

  const evilUrl = () => `http://127.0.0.1:${(evil.address() as AddressInfo).port}/`;
  const trusting = () => `script-src 'nonce-host' 'strict-dynamic'; style-src 'self'`;

  test.each([
    ['a link', (url: string) => `<public-reviews><a href="${url}">x</a></public-reviews>`],
    [
      'a base and a relative link',
      (url: string) => `<base href="${url}"><public-reviews><a href="/">x</a></public-reviews>`,
    ],
    [
      'a nested link, in a list',
      (url: string) =>
        `<public-reviews data-kind="list"><p><a href="${url}">x</a></p></public-reviews>`,
    ],
  ])('despite %s inside the element', async (_, inner) => {
    const script = `<script nonce="host" src="${origin}/embed.js"></script>`;
    const { page } = await visit(inner(evilUrl()) + script, { css: false, policy: trusting() });
    const element = page.locator('public-reviews');
    const link = element.locator('a.badge');
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${origin}/`);
    // A changed attribute renders the element again.
    await element.evaluate((found) => found.setAttribute('data-color', 'red'));
    await link.waitFor();
    expect(requested).toEqual([]);
    expect(await page.title()).toBe('Host');
    await page.close();
  });
});
