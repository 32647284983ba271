// The JSON Feed against version 1.1 of the format.

import fc from 'fast-check';
import { parseJsonFeed } from 'feedsmith';
import { describe, expect, test } from 'vitest';
import type { Review } from '../../src/model/review.ts';
import { cases } from '../support/cases.ts';
import type { Json } from '../support/http.ts';
import { anyReviews, BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { asShown, elementsOf, HOSTILE_TEXTS, shownBy } from '../support/feed-html.ts';
import { snapshotOf } from '../support/snapshot.ts';

async function jsonFeedOf(
  reviews: readonly Review[],
  options?: Parameters<typeof snapshotOf>[1],
): Promise<Json> {
  const snapshot = await snapshotOf(reviews, options);
  return JSON.parse(snapshot.documents.get('/api/feed.json')!.body.toString());
}

describe('the JSON Feed', () => {
  test('of any reviews has the required members and preserves texts', async () => {
    await fc.assert(
      fc.asyncProperty(anyReviews(20), async (reviews) => {
        const feed = await jsonFeedOf(reviews);
        expect(feed.version).toBe('https://jsonfeed.org/version/1.1');
        expect(feed.title).toBe('Reviews of Harbor Heating');
        expect(parseJsonFeed(JSON.stringify(feed)).items ?? []).toHaveLength(reviews.length);
        const byId = new Map(reviews.map((one) => [one.id, one]));
        expect(feed.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(
          [...byId.keys()].toSorted(),
        );
        for (const item of feed.items) {
          const { text, author, date, ownerReply } = byId.get(item.id)!;
          const words = [text, ownerReply && `Reply from the owner: ${ownerReply.text}`];
          const rest = words.flatMap((part) => (part === null ? [] : [`\n\n${part}`])).join('');
          expect(item.content_text.replace(/^\w+ stars?\./, '')).toBe(rest);
          expect(item.authors).toEqual([expect.objectContaining({ name: author })]);
          expect(item.date_published).toBe(`${date}T00:00:00Z`);
          expect(shownBy(item.content_html)).toBe(asShown(item.content_text));
        }
      }),
      { numRuns: cases(30) },
    );
  });

  test('is exactly this', async () => {
    const feed = await jsonFeedOf(
      [
        review({
          id: '01HKVVW3M0000000000000000A',
          author: 'Karen W.',
          authorAvatarUrl: 'https://avatars.example/k.png',
          rating: 1,
          date: '2024-01-31',
          text: 'Zoë left a leak. <b>',
          source: 'yelp',
          sourceUrl: 'https://yelp.example/1',
          ownerReply: { text: 'Sorry.', date: '2024-02-03' },
        }),
      ],
      {
        business: {
          ...BUSINESS,
          url: 'https://harbor.example/',
          logo_url: 'https://harbor.example/logo.png',
        },
      },
    );
    expect(feed).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Reviews of Harbor Heating',
      home_page_url: 'https://reviews.example/',
      feed_url: 'https://reviews.example/api/feed.json',
      description: 'The newest verified customer reviews of Harbor Heating',
      language: 'en-US',
      icon: 'https://harbor.example/logo.png',
      favicon: 'https://reviews.example/favicon.ico',
      hubs: [{ type: 'WebSub', url: 'https://reviews.example/api/websub/hub' }],
      items: [
        {
          id: '01HKVVW3M0000000000000000A',
          url: 'https://reviews.example/reviews/01HKVVW3M0000000000000000A',
          external_url: 'https://yelp.example/1',
          title: 'One star from Karen W.',
          content_text: 'One star.\n\nZoë left a leak. <b>\n\nReply from the owner: Sorry.',
          content_html:
            '<p>One star.</p><p>Zoë left a leak. &lt;b&gt;</p>' +
            '<p>Reply from the owner:</p><blockquote><p>Sorry.</p></blockquote>',
          date_published: '2024-01-31T00:00:00Z',
          date_modified: '2024-02-03T00:00:00Z',
          authors: [{ name: 'Karen W.', avatar: 'https://avatars.example/k.png' }],
          tags: ['1 star', 'yelp', 'Zoë Lefèvre'],
        },
      ],
    });
  });

  test.each([
    [1, 'One star.', '1 star'],
    [2, 'Two stars.', '2 stars'],
    [3, 'Three stars.', '3 stars'],
    [4, 'Four stars.', '4 stars'],
    [5, 'Five stars.', '5 stars'],
  ])('says %i of 5 as %j, also of a rating without words', async (rating, words, tag) => {
    const { items } = await jsonFeedOf([review({ rating, text: null })]);
    expect(items[0]).toMatchObject({ content_text: words, tags: [tag, 'google'] });
  });

  test('without reviews has an empty list of items, and the business as author', async () => {
    const business = { ...BUSINESS, url: 'https://harbor.example/' };
    expect(await jsonFeedOf([], { business })).toMatchObject({
      items: [],
      authors: [{ name: 'Harbor Heating', url: 'https://harbor.example/' }],
    });
  });

  test('keeps line breaks and paragraphs', async () => {
    const text = 'One\r\ntwo\n\n \nthree\u2028four\u2029five';
    const { items } = await jsonFeedOf([review({ text })]);
    expect(items[0].content_html).toBe(
      '<p>Five stars.</p><p>One<br>two</p><p>three<br>four</p><p>five</p>',
    );
  });

  test.each(HOSTILE_TEXTS)('has %s as text, never as markup', async (_what, text) => {
    const feed = await jsonFeedOf([
      review({ text, ownerReply: { text, date: '2024-06-01' } }),
      review({ text: `${text}\n\n${text}` }),
    ]);
    for (const { content_html: html } of feed.items) {
      expect(elementsOf(html)).toEqual([]);
      expect(shownBy(html)).toContain(text.replaceAll(/\s/g, ''));
    }
  });

  test('omits a logo that is not http or https', async () => {
    const business = { ...BUSINESS, logo_url: 'javascript:alert(1)' };
    expect(await jsonFeedOf([review()], { business })).not.toHaveProperty('icon');
  });

  test('has the 50 newest reviews, newest first', async () => {
    const many = Array.from({ length: 60 }, (_, place) => review({ id: ulidOf(place) }));
    const { items } = await jsonFeedOf(many);
    expect(items.map(({ id }: { id: string }) => id)).toEqual(
      Array.from({ length: 50 }, (_, place) => ulidOf(59 - place)),
    );
  });

  test('has one hub, for any review', async () => {
    const evil = '"}],"hubs":[{"type":"WebSub","url":"https://evil.example/"}],"x":[{"y":"';
    const feed = await jsonFeedOf([review({ text: evil, author: evil, source: evil })]);
    expect(feed.hubs).toEqual([{ type: 'WebSub', url: 'https://reviews.example/api/websub/hub' }]);
    expect(feed.items).toHaveLength(1);
  });

  test('keeps the ids of its items under another origin', async () => {
    const feed = await jsonFeedOf([review({ id: ulidOf(7) })], {
      origin: 'https://elsewhere.example',
    });
    expect(feed.items[0]).toMatchObject({
      id: ulidOf(7),
      url: `https://elsewhere.example/reviews/${ulidOf(7)}`,
    });
    expect(feed.feed_url).toBe('https://elsewhere.example/api/feed.json');
  });
});
