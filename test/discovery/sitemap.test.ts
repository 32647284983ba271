// The site map: by the published schema, complete, in files of a bounded size, with the right times.

import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { parseSitemapIndex } from 'sitemap';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { renderSitemapFile, renderSitemapIndex } from '../../src/discovery/sitemap.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';
import { parseXml, type XmlElement } from '../support/xml.ts';

/** The schema that sitemaps.org publishes. */
const SCHEMA = readFileSync(
  new URL('../../node_modules/sitemap/schema/sitemap.xsd', import.meta.url),
  'utf8',
);

const textsOf = (element: XmlElement, name: string): string[] =>
  element.children.flatMap((child) => [
    ...(child.name.endsWith(`}${name}`) ? [child.text] : []),
    ...textsOf(child, name),
  ]);

/** The files that the index names, as `/sitemap.xml` lists them, and what they say. */
function filesOf(snapshot: Snapshot): { name: string; lastmod: string; xml: string }[] {
  const index = parseXml(renderSitemapIndex(snapshot));
  const times = textsOf(index, 'lastmod');
  return textsOf(index, 'loc').map((url, place) => {
    const name = url.replace('https://reviews.example/sitemaps/', '');
    return { name, lastmod: times[place]!, xml: renderSitemapFile(snapshot, name)! };
  });
}

async function problemsOf(xml: string): Promise<readonly unknown[]> {
  const { errors } = await validateXML({
    xml: [{ fileName: 'sitemap.xml', contents: xml }],
    schema: [{ fileName: 'sitemap.xsd', contents: SCHEMA }],
  });
  return errors;
}

describe('of 12,001 reviews', () => {
  let snapshot: Snapshot;
  beforeAll(async () => {
    const reviews = Array.from({ length: 12_001 }, (_, number) =>
      review({ id: ulidOf(number + 1), date: `20${10 + (number % 10)}-01-01`, text: null }),
    );
    snapshot = await snapshotOf(reviews, { insights: INSIGHTS });
  });

  test('has an index that a reader of site maps takes', async () => {
    const index = Readable.from([renderSitemapIndex(snapshot)]);
    const items = await parseSitemapIndex(index);
    expect(items.map(({ url }) => url)).toEqual(
      ['pages', 'reviews-1', 'reviews-2', 'reviews-3'].map(
        (name) => `https://reviews.example/sitemaps/${name}.xml`,
      ),
    );
  });

  test('has files that are valid by the schema, none too large', async () => {
    for (const { xml } of filesOf(snapshot)) {
      expect(await problemsOf(xml)).toEqual([]);
      expect(textsOf(parseXml(xml), 'loc').length).toBeLessThanOrEqual(50_000);
      expect(Buffer.byteLength(xml)).toBeLessThan(50 * 1024 * 1024);
    }
  });

  test('names the page of every review once', () => {
    const files = filesOf(snapshot).filter(({ name }) => name.startsWith('reviews-'));
    const named = files.flatMap(({ xml }) => textsOf(parseXml(xml), 'loc'));
    const ids = Array.from({ length: snapshot.reviewCount }, (_, at) => snapshot.idAt(at));
    expect(named.toSorted()).toEqual(
      ids.map((id) => `https://reviews.example/reviews/${id}`).toSorted(),
    );
  });
});

test('the schema finds what is wrong', async () => {
  const xml = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>';
  expect(await problemsOf(xml)).not.toEqual([]);
});

test('names the pages of what reviews mention', async () => {
  const xml = renderSitemapFile(await snapshotOf(REVIEWS, { insights: INSIGHTS }), 'pages.xml')!;
  const paths = textsOf(parseXml(xml), 'loc').map((url) => new URL(url).pathname);
  for (const path of [
    '/',
    '/reviews',
    '/summary',
    '/faq',
    '/services/boiler-repair',
    '/aspects/price',
  ]) {
    expect(paths).toContain(path);
  }
  expect(paths).not.toContain('/technicians/mike-alvarez');
  // In fewer than three reviews.
  expect(paths).not.toContain('/topics/heating');
});

test('names the pages of people if the operator lets search engines index them', async () => {
  const snapshot = await snapshotOf(REVIEWS, { insights: INSIGHTS });
  const xml = renderSitemapFile(snapshot, 'pages.xml', { isIndexingPeople: true });
  expect(xml).toContain('/technicians</loc>');
  expect(xml).toContain('/technicians/mike-alvarez</loc>');
});

test('says when a day of reviews changed, and leaves the files of older ones as they were', async () => {
  const reviews = Array.from({ length: 5001 }, (_, number) =>
    review({
      id: ulidOf(number + 1),
      date: number < 5000 ? '2020-01-01' : '2020-01-02',
      text: null,
    }),
  );
  const press = new Press();
  await press.publish(reviews, { insights: INSIGHTS, nowSeconds: 1_600_000_000 });
  const before = filesOf(await press.load());
  expect(before.map(({ lastmod }) => lastmod)).toEqual(Array(3).fill('2020-09-13T12:26:40Z'));
  const newest = review({ id: ulidOf(9000), date: '2020-01-02', text: null });
  await press.publish([...reviews, newest], { insights: INSIGHTS, nowSeconds: 1_700_000_000 });
  const after = filesOf(await press.load());
  const changed = '2023-11-14T22:13:20Z';
  expect(after.map(({ name, lastmod }) => [name, lastmod])).toEqual([
    ['pages.xml', changed],
    ['reviews-1.xml', '2020-09-13T12:26:40Z'],
    ['reviews-2.xml', changed],
  ]);
  expect(after[1]!.xml).toBe(before[1]!.xml);
  expect(textsOf(parseXml(after[2]!.xml), 'lastmod')).toEqual([changed, changed]);
});

test('of nothing has the pages alone', async () => {
  const files = filesOf(await snapshotOf([]));
  expect(files.map(({ name }) => name)).toEqual(['pages.xml']);
  expect(await problemsOf(files[0]!.xml)).toEqual([]);
});

describe('over HTTP', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
  });
  afterAll(() => server.close());

  test('robots.txt allows everything but combinations of filters, and leads to the index', async () => {
    const { headers, text: content } = await server.ask('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(content).toBe(
      'User-agent: *\nAllow: /\nDisallow: /reviews?*&\n\nSitemap: https://reviews.example/sitemap.xml\nAgentmap: https://reviews.example/.well-known/ard.json\n',
    );
  });

  test('the index and its files are XML, with entity tags', async () => {
    for (const path of ['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/reviews-1.xml']) {
      const { status, headers } = await server.ask(path);
      expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
      const again = await server.ask(path, { headers: { 'If-None-Match': headers.etag! } });
      expect(again.status).toBe(304);
    }
  });

  test('every page that is named is there, under this name', async () => {
    for (const file of ['pages', 'reviews-1']) {
      const xml = parseXml((await server.ask(`/sitemaps/${file}.xml`)).text);
      for (const url of textsOf(xml, 'loc')) {
        const { status, text } = await server.ask(new URL(url).pathname);
        expect([url, status]).toEqual([url, 200]);
        expect(text).toContain(`<link rel="canonical" href="${url}"`);
      }
    }
  });

  test('a file that the index does not name is not there', async () => {
    for (const name of ['reviews-2.xml', 'reviews-0.xml', 'reviews-01.xml', 'other.xml', 'pages']) {
      expect((await server.ask(`/sitemaps/${name}`)).status).toBe(404);
    }
  });
});
