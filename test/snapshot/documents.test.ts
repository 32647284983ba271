// The documents of a snapshot: content, times of change, and deterministic bytes.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { businessSchema } from '../../src/model/business.ts';
import { insightsSchema } from '../../src/model/insights.ts';
import { aggregateRatingSchema } from '../../src/model/rating.ts';
import { reviewSchema } from '../../src/model/review.ts';
import { DOCUMENT_PATHS, type DocumentPath, ENCODINGS } from '../../src/snapshot/documents.ts';
import type { Document, Snapshot } from '../../src/snapshot/snapshot.ts';
import { cases } from '../support/cases.ts';
import type { Json } from '../support/http.ts';
import { anyReviews, BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

const TIME = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/);
const datasetSchema = z.strictObject({
  version: z.literal(1),
  updated_at: TIME,
  business: businessSchema,
  aggregate_rating: aggregateRatingSchema,
  reviews: z.array(reviewSchema),
});
const insightsDocumentSchema = insightsSchema.extend({ generated_at: TIME });

function documentOf(snapshot: Snapshot, path: DocumentPath): Document {
  return snapshot.documents.get(path)!;
}

function jsonOf(snapshot: Snapshot, path: DocumentPath): Json {
  return JSON.parse(documentOf(snapshot, path).body.toString());
}

/** Everything of the documents that a reader can see, as text that can be compared. */
function visible(snapshot: Snapshot): object {
  return [...snapshot.documents.values()].map(({ body, compressed, ...rest }) => ({
    ...rest,
    body: body.toString('latin1'),
    br: compressed.br.toString('base64'),
    zstd: compressed.zstd.toString('base64'),
    gzip: compressed.gzip.toString('base64'),
  }));
}

describe('the documents', () => {
  test('are byte-identical for reviews in any order', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyReviews(25).chain((reviews) =>
          fc.tuple(
            fc.constant(reviews),
            fc.shuffledSubarray(reviews, { minLength: reviews.length }),
          ),
        ),
        async ([reviews, shuffled]) => {
          expect(visible(await snapshotOf(shuffled))).toEqual(visible(await snapshotOf(reviews)));
        },
      ),
      { numRuns: cases(20) },
    );
  });

  test('are byte-identical when another store publishes the same content at the same times', async () => {
    const [one, two, three] = [review(), review(), review()];
    const history = [[one], [one, two], [two], [one, two, three]];
    const presses = [new Press(), new Press()];
    for (const press of presses) {
      for (const [step, reviews] of history.entries())
        await press.publish(reviews, { nowSeconds: step });
    }
    const [here, there] = await Promise.all(presses.map((press) => press.load()));
    expect(visible(here!)).toEqual(visible(there!));
    expect(presses[0]!.manifest).toEqual(presses[1]!.manifest);
  });

  test('have every key of the contract, for any reviews', async () => {
    await fc.assert(
      fc.asyncProperty(anyReviews(30), async (reviews) => {
        const snapshot = await snapshotOf(reviews);
        const dataset = datasetSchema.parse(jsonOf(snapshot, '/reviews.json'));
        const insights = insightsDocumentSchema.parse(jsonOf(snapshot, '/insights.json'));
        expect(dataset.aggregate_rating.review_count).toBe(reviews.length);
        expect(insights.review_count).toBe(reviews.length);
        expect(Object.keys(insights.per_review).toSorted()).toEqual(
          reviews.map(({ id }) => id).toSorted(),
        );
        const places = dataset.reviews.map(({ date, id }) => `${date} ${id}`);
        expect(places).toEqual(places.toSorted().toReversed());
      }),
      { numRuns: cases(20) },
    );
  });

  test('have a review as in the contract', async () => {
    const snapshot = await snapshotOf([
      review({
        id: '01HKVVW3M0000000000000000A',
        author: 'Zoë "Z"',
        rating: 4,
        date: '2024-01-31',
        text: 'line\nbreak',
        source: 'yelp',
        ownerReply: { text: 'Thank you', date: '2024-02-01' },
      }),
    ]);
    const json =
      '{"id":"01HKVVW3M0000000000000000A","author":"Zoë \\"Z\\"","author_avatar_url":null,' +
      '"rating":4,"date":"2024-01-31","text":"line\\nbreak","source":"yelp","source_url":null,' +
      '"owner_reply":{"text":"Thank you","date":"2024-02-01"},"verified":true}';
    const body = documentOf(snapshot, '/reviews.json').body.toString();
    expect(body.endsWith(`,"reviews":[${json}]}`)).toBe(true);
    expect(snapshot.reviewAt(0).toString()).toBe(json);
    expect(snapshot.positionOf('01HKVVW3M0000000000000000A')).toBe(0);
  });

  test('decompress to the identity body in every encoding', async () => {
    const reviews = [review({ text: '👩🏽‍🔧 ]]> \u202e' }), review({ text: null })];
    for (const published of [[], reviews]) {
      const snapshot = await snapshotOf(published);
      expect([...snapshot.documents.keys()]).toEqual(DOCUMENT_PATHS);
      for (const { body, compressed } of snapshot.documents.values()) {
        expect(brotliDecompressSync(compressed.br)).toEqual(body);
        expect(zstdDecompressSync(compressed.zstd)).toEqual(body);
        expect(gunzipSync(compressed.gzip)).toEqual(body);
      }
    }
  });

  test('of an empty set have nulls for means, and empty lists', async () => {
    const snapshot = await snapshotOf([]);
    expect(jsonOf(snapshot, '/reviews.json')).toEqual({
      version: 1,
      updated_at: '2023-11-14T22:13:20Z',
      business: BUSINESS,
      aggregate_rating: {
        rating_value: null,
        review_count: 0,
        best_rating: 5,
        worst_rating: 1,
        distribution: { '1': 0, '2': 0, '3': 0, '4': 0, '5': 0 },
        by_source: {},
      },
      reviews: [],
    });
    expect(jsonOf(snapshot, '/insights.json')).toMatchObject({
      generated_at: '2023-11-14T22:13:20Z',
      review_count: 0,
      date_range: { earliest: null, latest: null },
      overall_sentiment: {
        score: null,
        positive_pct: null,
        neutral_pct: null,
        negative_pct: null,
      },
      entities: { technicians: [], services: [], problems: [], service_areas: [] },
      temporal: { monthly: [] },
      per_review: {},
      pull_quote: null,
      pull_quote_review_id: null,
    });
    expect(jsonOf(snapshot, '/api/feed.json')).toMatchObject({ items: [] });
    expect(snapshot.reviewCount).toBe(0);
    expect(snapshot.positionOf(ulidOf(1))).toBe(null);
    expect(snapshot.newestReviews(0)).toHaveLength(0);
  });

  test('have different tags', async () => {
    const snapshot = await snapshotOf([review()]);
    const tags = DOCUMENT_PATHS.map((path) => documentOf(snapshot, path).tag);
    expect(new Set(tags).size).toBe(DOCUMENT_PATHS.length);
    for (const tag of tags) expect(tag).toMatch(/^[\w-]{22}$/);
  });

  test('with equal tags have equal compressed bytes', async () => {
    const seen = new Map<string, string>();
    const press = new Press();
    const [one, two] = [review(), review()];
    for (const reviews of [[one], [one, two], [one], [], [one]]) {
      await press.publish(reviews, { nowSeconds: 5 });
      for (const { tag, body, compressed } of (await press.load()).documents.values()) {
        const bytes = [body, ...ENCODINGS.map((encoding) => compressed[encoding])]
          .map((form) => form.toString('base64'))
          .join();
        expect(seen.get(tag) ?? bytes).toBe(bytes);
        seen.set(tag, bytes);
      }
    }
  });
});
