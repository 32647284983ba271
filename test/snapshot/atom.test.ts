// The Atom feed against RFC 4287, read by a strict XML parser and by a feed reader.

import fc from 'fast-check';
import { parseAtomFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import { businessSchema } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { cases } from '../support/cases.ts';
import { asShown, elementsOf, HOSTILE_TEXTS, shownBy } from '../support/feed-html.ts';
import { anyReviews, BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { parseXml, type XmlElement } from '../support/xml.ts';

const ATOM = '{http://www.w3.org/2005/Atom}';

async function atomOf(
  reviews: readonly Review[],
  options?: Parameters<typeof snapshotOf>[1],
): Promise<string> {
  return (await snapshotOf(reviews, options)).documents.get('/feed.xml')!.body.toString();
}

function all(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === ATOM + name);
}

function only(element: XmlElement, name: string): XmlElement {
  const found = all(element, name);
  expect({ name, count: found.length }).toEqual({ name, count: 1 });
  return found[0]!;
}

const linksOf = (element: XmlElement) => all(element, 'link').map(({ attributes }) => attributes);

/** RFC 3339, as section 3.3 asks: upper-case T and Z. */
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** What section 4.1 asks of a feed and its entries. */
function checkRules(feed: XmlElement): void {
  expect(feed.name).toBe(`${ATOM}feed`);
  const entries = all(feed, 'entry');
  for (const element of [feed, ...entries]) {
    expect(URL.canParse(only(element, 'id').text)).toBe(true);
    expect(only(element, 'title').text).not.toBe('');
    expect(only(element, 'updated').text).toMatch(DATE);
    // RFC 4287, section 4.1.1: a feed needs none where every entry has one.
    const isNamedBelow = element === feed && entries.length > 0;
    expect(all(element, 'author').length).toBe(isNamedBelow ? 0 : 1);
    for (const author of all(element, 'author')) {
      expect(only(author, 'name').text.trim()).not.toBe('');
    }
    for (const { attributes } of all(element, 'category')) expect(attributes['term']).toBeTruthy();
    for (const { href } of linksOf(element)) {
      // An IRI (RFC 3987): no blanks, no controls.
      expect(href).toMatch(/^https?:\/\/[^\s<>"\p{Cc}]+$/u);
    }
    // Some readers take the first alternate for the page, and Newsboat takes the last one.
    expect(linksOf(element)[0]).toMatchObject({ rel: 'alternate', type: 'text/html' });
    expect(linksOf(element).filter(({ rel }) => rel === 'alternate')).toHaveLength(1);
  }
  for (const entry of entries) {
    expect(only(entry, 'published').text).toMatch(DATE);
    expect(only(entry, 'content').attributes['type']).toBe('html');
    for (const name of ['content', 'title']) {
      const { attributes, text } = only(entry, name);
      // A plain title is the same to readers who take it for HTML.
      if (attributes['type'] !== 'html') expect(shownBy(text)).toBe(asShown(text));
      expect(only(entry, name).children).toEqual([]);
      expect(elementsOf(only(entry, name).text)).toEqual([]);
    }
    expect(only(entry, 'updated').text >= only(entry, 'published').text).toBe(true);
  }
  const ids = [feed, ...entries].map((element) => only(element, 'id').text);
  expect(new Set(ids).size).toBe(ids.length);
}

/** XML has no such characters; every other must come back. A parser turns line ends into \n. */
function asXmlHasIt(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- these are the ones that XML 1.0 has not
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/\r\n?/g, '\n')
  );
}

describe('the Atom feed', () => {
  test('of any reviews conforms to RFC 4287 and preserves texts', async () => {
    await fc.assert(
      fc.asyncProperty(anyReviews(20), async (reviews) => {
        const document = await atomOf(reviews);
        const feed = parseXml(document);
        checkRules(feed);
        expect(parseAtomFeed(document).entries ?? []).toHaveLength(reviews.length);
        const contents = all(feed, 'entry').map((entry) => only(entry, 'content').text);
        const authors = all(feed, 'entry').map((entry) => only(only(entry, 'author'), 'name').text);
        for (const { text, author, ownerReply } of reviews) {
          expect(authors).toContain(asXmlHasIt(author));
          const words = [text, ownerReply && `Reply from the owner: ${ownerReply.text}`];
          const shown = asShown(words.join(''));
          expect(contents.some((content) => shownBy(content).endsWith(shown))).toBe(true);
        }
      }),
      { numRuns: cases(40) },
    );
  });

  test.each([
    ['the end of CDATA', ']]>', 'a ]]> b ]]]]>> c'],
    ['markup', '<b>', '<b onclick="x">a</b> <script>alert(1)</script>'],
    ['an entity', '&', 'R&B &amp; &#0; &nbsp;'],
    ['a comment and a doctype', '<!--', '<!-- a --> <!DOCTYPE x [<!ENTITY y "z">]> &y;'],
    ['emoji', '👩🏽‍🔧', 'great 👩🏽‍🔧 🇬🇧'],
    ['right-to-left marks', '\u202e', 'a \u202eb\u202c \u200f c \u2067d\u2069'],
    ['line separators', 'a\u2028b', 'a\u2028b\u2029c\u0085d'],
    ['quotes', '"', `"a" 'b'`],
    ...HOSTILE_TEXTS.map(([what, text]): [string, string, string] => [what, text, text]),
  ])('carries %s as text', async (_what, author, text) => {
    const feed = parseXml(await atomOf([review({ author, text, source: author })]));
    checkRules(feed);
    const entry = only(feed, 'entry');
    expect(shownBy(only(entry, 'content').text)).toBe(asShown(`Five stars.${text}`));
    expect(shownBy(only(entry, 'title').text)).toBe(asShown(`Five stars from ${author}`));
    expect(only(only(entry, 'author'), 'name').text).toBe(author);
    expect(all(entry, 'category')[1]?.attributes['term']).toBe(author);
  });

  test.each([
    ['Ken & Barb', '<title type="text">Five stars from Ken &amp; Barb</title>'],
    ['R&B', '<title type="html">Five stars from R&amp;amp;B</title>'],
    ['<b>', '<title type="html">Five stars from &amp;lt;b&amp;gt;</title>'],
  ])('has a title by %s that readers show alike as text and as HTML', async (author, title) => {
    expect(await atomOf([review({ author })])).toContain(title);
  });

  test('has U+FFFD for characters that XML does not allow', async () => {
    const feed = parseXml(
      await atomOf([review({ author: '\u0007', text: 'a\u0000b\u001fc\ufffed\uffffe\ud800f' })]),
    );
    checkRules(feed);
    const entry = only(feed, 'entry');
    const replaced = '<p>Five stars.</p><p>a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf</p>';
    expect(only(entry, 'content').text).toBe(replaced);
    expect(only(only(entry, 'author'), 'name').text).toBe('\ufffd');
  });

  test('escapes invalid characters in links', async () => {
    const feed = parseXml(
      await atomOf([review({ sourceUrl: 'https://reviews.example/a b\u0001"<x>?y&z' })], {
        business: businessSchema.parse({
          ...BUSINESS,
          logo_url: 'https://harbor.example/logo \u0002.png',
        }),
      }),
    );
    checkRules(feed);
    expect(linksOf(only(feed, 'entry'))[2]).toEqual({
      rel: 'via',
      href: 'https://reviews.example/a%20b%01%22%3Cx%3E?y&z',
    });
    expect(only(feed, 'logo').text).toBe('https://harbor.example/logo%20%02.png');
  });

  test('has one self link, one hub link and one alternate, for any review', async () => {
    const evil = '<link rel="hub" href="https://evil.example/"/>]]><link rel="hub" href="x"/>';
    const feed = parseXml(
      await atomOf([
        review({
          author: evil,
          text: evil,
          source: evil,
          sourceUrl: 'https://x.example/"rel="hub"',
          ownerReply: { text: evil, date: '2024-06-01' },
        }),
      ]),
    );
    checkRules(feed);
    expect(linksOf(feed)).toEqual([
      { rel: 'alternate', href: 'https://reviews.example/', type: 'text/html' },
      { rel: 'self', href: 'https://reviews.example/feed.xml', type: 'application/atom+xml' },
      { rel: 'hub', href: 'https://reviews.example/api/websub/hub' },
      {
        rel: 'related',
        href: 'https://reviews.example/api/feed.json',
        type: 'application/json',
      },
    ]);
    expect(linksOf(only(feed, 'entry')).map(({ rel }) => rel)).toEqual([
      'alternate',
      'related',
      'via',
    ]);
  });

  test('shows the review without a stylesheet', async () => {
    const feed = parseXml(
      await atomOf([
        review({
          id: '01HKVVW3M0000000000000000A',
          author: 'Karen W.',
          rating: 2,
          date: '2024-01-31',
          text: 'Mike fixed the boiler.',
          source: 'yelp',
          ownerReply: { text: 'Sorry.', date: '2024-02-03' },
        }),
      ]),
    );
    const entry = only(feed, 'entry');
    expect(entry.children.map(({ name, text }) => [name.replace(ATOM, ''), text])).toEqual(
      expect.arrayContaining([
        ['id', 'urn:uuid:018cf7be-0e80-0000-0000-00000000000a'],
        ['title', 'Two stars from Karen W.'],
        ['published', '2024-01-31T00:00:00.000Z'],
        ['updated', '2024-02-03T00:00:00.000Z'],
        [
          'content',
          '<p>Two stars.</p><p>Mike fixed the boiler.</p>' +
            '<p>Reply from the owner:</p><blockquote><p>Sorry.</p></blockquote>',
        ],
      ]),
    );
    expect(all(entry, 'category').map(({ attributes }) => attributes['term'])).toEqual([
      '2 stars',
      'yelp',
      'Boiler repair',
      'Mike Alvarez',
    ]);
    expect(linksOf(entry)).toEqual([
      {
        rel: 'alternate',
        href: 'https://reviews.example/reviews/01HKVVW3M0000000000000000A',
        type: 'text/html',
      },
      {
        rel: 'related',
        href: 'https://reviews.example/api/reviews/01HKVVW3M0000000000000000A',
        type: 'application/json',
      },
    ]);
  });

  test('has the 50 newest reviews', async () => {
    const many = Array.from({ length: 60 }, (_, place) => review({ id: ulidOf(place) }));
    const entries = all(parseXml(await atomOf(many)), 'entry');
    expect(linksOf(entries[0]!)[0]!['href']).toMatch(new RegExp(`/${ulidOf(59)}$`));
    expect(linksOf(entries[49]!)[0]!['href']).toMatch(new RegExp(`/${ulidOf(10)}$`));
    expect(entries).toHaveLength(50);
  });

  test('without reviews is a feed without entries', async () => {
    const feed = parseXml(await atomOf([]));
    checkRules(feed);
    expect(all(feed, 'entry')).toEqual([]);
    expect(only(only(feed, 'author'), 'name').text).toBe('Harbor Heating');
  });

  test('has the icon of the site and the logo of the business', async () => {
    const business = { ...BUSINESS, logo_url: 'https://harbor.example/logo.png?a&b' };
    const feed = parseXml(await atomOf([review()], { business }));
    expect(only(feed, 'icon').text).toBe('https://reviews.example/favicon.ico');
    expect(only(feed, 'logo').text).toBe('https://harbor.example/logo.png?a&b');
    expect(all(parseXml(await atomOf([review()])), 'logo')).toEqual([]);
  });

  test('keeps the ids of its entries under another origin', async () => {
    const reviews = [review(), review()];
    const idsOf = (document: string) =>
      all(parseXml(document), 'entry').map((entry) => only(entry, 'id').text);
    expect(idsOf(await atomOf(reviews, { origin: 'https://elsewhere.example' }))).toEqual(
      idsOf(await atomOf(reviews)),
    );
  });
});
