// Parts of `/insights.json` equal those of the parsed document.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INSIGHTS, PRAISE, REVIEWS, richInsightsOf } from '../support/by-hand.ts';
import { cases } from '../support/cases.ts';
import { anyReviews, review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

const PARTS = ['model', 'aspects', 'entities', 'topics', 'temporal', 'faq', 'summary'] as const;

describe('a part of insights', () => {
  test('and each entry equal those of the document, for any content', async () => {
    await fc.assert(
      fc.asyncProperty(anyReviews(20), async (reviews) => {
        const snapshot = await snapshotOf(reviews, { insights: richInsightsOf(reviews) });
        const { insights } = snapshot;
        const document = JSON.parse(snapshot.documents.get('/insights.json')!.body.toString());
        for (const part of PARTS) {
          expect(insights.part(part)).toEqual(document[part]);
          expect(JSON.parse(insights.jsonOf(part))).toEqual(document[part]);
        }
        for (let position = 0; position < reviews.length; position++) {
          const entry = document.per_review[snapshot.idAt(position)];
          expect(insights.entry(position)).toEqual(entry);
          expect(insights.entryJson(position)).toBe(JSON.stringify(entry));
        }
        const { per_review: _, generated_at: __, ...overview } = document;
        expect(JSON.parse(insights.overviewJson())).toEqual(overview);
      }),
      { numRuns: cases(20) },
    );
  });

  test('of a review without an entry is null', async () => {
    const { [PRAISE]: _, ...others } = INSIGHTS.per_review;
    const snapshot = await snapshotOf(REVIEWS, { insights: { ...INSIGHTS, per_review: others } });
    const position = snapshot.positionOf(PRAISE)!;
    expect([snapshot.insights.entry(position), snapshot.insights.entryJson(position)]).toEqual([
      null,
      null,
    ]);
    expect(snapshot.insights.entry(99)).toBeNull();
  });

  test('moves with the document when only insights change', async () => {
    const press = new Press();
    await press.publish(REVIEWS, { insights: INSIGHTS });
    const longer = { ...INSIGHTS, model: 'a model of a much longer name/2' };
    await press.publish(REVIEWS, { insights: longer });
    const { insights } = await press.load();
    expect([insights.part('model'), insights.part('summary')]).toEqual([
      longer.model,
      INSIGHTS.summary,
    ]);
  });
});

describe('ids with a prefix', () => {
  test('start with it; for an empty prefix the newest come first', async () => {
    const reviews = [1, 2, 300].map((number) =>
      review({ id: ulidOf(number), date: `2024-01-0${(number % 7) + 1}` }),
    );
    const snapshot = await snapshotOf(reviews);
    expect(snapshot.idsFrom('', 2)).toEqual([snapshot.idAt(0), snapshot.idAt(1)]);
    expect(snapshot.idsFrom(ulidOf(2).slice(0, -1), 9)).toEqual([ulidOf(1), ulidOf(2)]);
    expect(snapshot.idsFrom(ulidOf(300), 9)).toEqual([ulidOf(300)]);
    expect(snapshot.idsFrom(`${ulidOf(300)}0`, 9)).toEqual([]);
    expect((await snapshotOf([])).idsFrom('', 9)).toEqual([]);
  });
});
