// Files that other sites use: script, data, badge, icon and picture.

import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/model/routes.ts';
import {
  embedPage,
  embedSnippet,
  parseEmbedOptions,
} from '../../src/site/developers/embed-page.ts';
import { renderMarkup } from '../../src/site/parts/markup.ts';
import { View } from '../../src/site/view.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS, review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const HOSTILE = '</script>\u2028`${alert(1)}`"\\<b>';
const business = { ...BUSINESS, name: 'Harbor & "Sons" <b>' };
const reviews = [
  review({ date: '2024-06-02', author: HOSTILE, text: HOSTILE }),
  ...Array.from({ length: 12 }, () => review({ text: 'Long. '.repeat(200) })),
];

const view = (snapshot: Snapshot) => new View(snapshot);

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(reviews, { business }));
});
afterAll(() => server.close());

const { getPicture, getFavicon, getEmbedScript, getEmbedData, getBadge } = ROUTES;

describe.each(
  [getPicture, getFavicon, getEmbedScript, getEmbedData, getBadge].map(({ path }) => path),
)('%s', (path) => {
  test('allows cross-origin use and revalidation by ETag', async () => {
    const answer = await server.ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
    });
    expect(answer.headers['content-type']).toMatch(
      /^(image\/png|image\/vnd\.microsoft\.icon|image\/svg\+xml|text\/javascript)/,
    );
    const again = await server.ask(path, {
      headers: { 'If-None-Match': answer.headers.etag as string },
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    expect((await server.ask(path, { method: 'HEAD' })).headers['content-length']).toBe(
      String(answer.body.length),
    );
  });
});

test('the URL of the picture changes with its bytes', async () => {
  const page = await server.ask('/');
  const [, address] = /og:image" content="https:\/\/reviews\.example(\/og\.png[^"]+)"/.exec(
    page.text,
  )!;
  const picture = await server.ask(address!);
  expect(picture.headers['content-type']).toBe('image/png');
  const tinted = await TestServer.open(await snapshotOf(reviews, { business }), {
    environment: { SITE_COLOR: '#883322' },
  });
  const other = await tinted.ask('/');
  expect(other.text).not.toContain(address);
  expect((await tinted.ask('/og.png')).headers.etag).not.toBe(picture.headers.etag);
  await tinted.close();
});

test('the script is under 8 KiB, and under 3.5 KiB compressed', async () => {
  const { body } = await server.ask('/embed.js');
  expect(body.length).toBeLessThan(8 * 1024);
  expect(gzipSync(body).length).toBeLessThan(3.5 * 1024);
});

test('the data is a script with the ten newest reviews of each length, texts unchanged', async () => {
  const { text } = await server.ask('/embed-data.js');
  const publicReviews: Record<string, any> = {};
  runInNewContext(text, { publicReviews });
  const data = publicReviews['embed-data.js'];
  expect(data).toMatchObject({
    name: business.name,
    rating: 5,
    url: 'https://reviews.example/',
  });
  // One is short, and ten of the twelve long ones are the newest.
  expect(data.reviews).toHaveLength(11);
  expect(data.reviews[0]).toMatchObject({ author: HOSTILE, text: HOSTILE });
  expect(data.reviews[1].text.length).toBeLessThanOrEqual(401);
  // Some hosts write it into a page.
  expect(text).not.toContain('<');
});

test('the badge is well-formed, has a title and no external references', async () => {
  const { text } = await server.ask('/badge.svg');
  const titles: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (words) => titles.push(words));
  parser.write(text).close();
  expect(titles).toContain(`${business.name}: 5.0 out of 5 stars in 13 verified reviews`);
  expect(text).toContain('role="img"');
  expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<style|<script/);
});

test('a badge without reviews has no stars', async () => {
  const empty = await TestServer.open(await snapshotOf([], { business }));
  expect((await empty.ask('/badge.svg')).text).not.toContain('clipPath');
  await empty.close();
});

test('the configurator shows the code, escaped once', async () => {
  const page = embedPage(view(await snapshotOf(reviews, { business })), { kind: 'list' });
  const shown = renderMarkup(page.main);
  const [, code = ''] = /<code>(&lt;public-reviews[\s\S]*?)<\/code>/.exec(shown) ?? [];
  expect(unescape(code)).toBe(
    embedSnippet(
      view(await snapshotOf(reviews, { business })),
      parseEmbedOptions({ kind: 'list' }),
    ),
  );
});

function unescape(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

test('the snippets escape the business name', async () => {
  const shown = view(await snapshotOf(reviews, { business }));
  for (const kind of ['badge', 'list', 'carousel', 'review', 'picture']) {
    const snippet = embedSnippet(shown, parseEmbedOptions({ kind }));
    expect(snippet).toContain('Harbor &amp; &quot;Sons&quot; &lt;b&gt;');
    expect(snippet).toContain('https://reviews.example/');
  }
});
