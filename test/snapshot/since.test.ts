// The reviews since a date: count, tag and Last-Modified compared with a naive model.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateOfDay, dayNumber } from '../../src/model/date.ts';
import { compareNewestFirst, type Review, reviewToJson } from '../../src/model/review.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { cases } from '../support/cases.ts';
import { anyReviews, review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

/** The JSON of the subset, made from nothing but the contract's words. */
function subsetOf(reviews: readonly Review[], date: string): string {
  return reviews
    .filter((one) => one.date >= date)
    .toSorted(compareNewestFirst)
    .map((one) => JSON.stringify(reviewToJson(one)))
    .join();
}

const at = (date: string, values: Partial<Review> = {}) => review({ date, ...values });
const EARLY = at('2024-01-10', { id: ulidOf(1) });
const MIDDLE = at('2024-01-20', { id: ulidOf(2) });
const LATE = at('2024-01-30', { id: ulidOf(3) });
const ALL = [EARLY, MIDDLE, LATE];
const START = 1_700_000_000;

/** What a poller of a date sees before and after a change. */
async function pollTwice(
  date: string,
  changed: readonly Review[],
  nowSeconds = START + 100,
): Promise<{ sameTag: boolean; times: [number, number] }> {
  const press = new Press();
  await press.publish(ALL, { nowSeconds: START });
  const before = (await press.load()).since(date);
  await press.publish(changed, { nowSeconds });
  const after = (await press.load()).since(date);
  return {
    sameTag: before.tag === after.tag,
    times: [before.changedAtSeconds, after.changedAtSeconds],
  };
}

describe('a poller of a date', () => {
  test.each([
    ['an edit', [{ ...EARLY, text: 'edited' }, MIDDLE, LATE]],
    ['an addition', [...ALL, at('2024-01-19')]],
    ['a removal', [MIDDLE, LATE]],
  ])('is not woken by %s before it', async (_what, changed) => {
    expect(await pollTwice('2024-01-20', changed)).toEqual({
      sameTag: true,
      times: [START, START],
    });
  });

  test.each([
    ['an edit', [EARLY, { ...MIDDLE, text: 'edited' }, LATE]],
    ['an addition on the day itself', [...ALL, at('2024-01-20')]],
    ['an addition after all others', [...ALL, at('2024-12-31')]],
    ['a removal', [EARLY, LATE]],
    ['the removal of the newest', [EARLY, MIDDLE]],
    ['the removal of all', []],
    ['a review that moves out', [EARLY, { ...MIDDLE, date: '2024-01-19' }, LATE]],
    ['a review that moves in', [{ ...EARLY, date: '2024-01-25' }, MIDDLE, LATE]],
  ])('is woken by %s, also when the clock runs backward', async (_what, changed) => {
    expect(await pollTwice('2024-01-20', changed)).toEqual({
      sameTag: false,
      times: [START, START + 100],
    });
    expect(await pollTwice('2024-01-20', changed, START - 1_000_000)).toEqual({
      sameTag: false,
      times: [START, START + 1],
    });
  });

  test('after all reviews sees only a new review, and nothing afterwards', async () => {
    const press = new Press();
    const seen: [number, number][] = [];
    for (const [reviews, nowSeconds] of [
      [ALL, START],
      [[MIDDLE, LATE], START + 10],
      [[...ALL, at('2025-03-01', { id: ulidOf(9) })], START + 20],
      [ALL, START + 30],
      [[EARLY], START + 40],
    ] as const) {
      await press.publish(reviews, { nowSeconds });
      const { count, changedAtSeconds } = (await press.load()).since('2025-01-01');
      seen.push([count, changedAtSeconds]);
    }
    expect(seen).toEqual([
      [0, START],
      [0, START],
      [1, START + 20],
      [0, START + 30],
      [0, START + 30],
    ]);
  });

  test('before all reviews sees all of them and every change', async () => {
    const { sameTag, times } = await pollTwice('0001-01-01', [MIDDLE, LATE]);
    expect({ sameTag, times }).toEqual({ sameTag: false, times: [START, START + 100] });
    expect((await snapshotOf(ALL)).since('0000-01-01').count).toBe(3);
  });

  test('sees no change for another origin or another version of the program', async () => {
    const press = new Press();
    await press.publish(ALL, { nowSeconds: START });
    const before = (await press.load()).since('2024-01-20');
    await press.publish(ALL, {
      nowSeconds: START + 9,
      origin: 'https://x.example',
      builder: 'test/9',
    });
    expect((await press.load()).since('2024-01-20')).toEqual(before);
  });

  test('of an empty set gets a tag and a time', async () => {
    const press = new Press();
    await press.publish([], { nowSeconds: START });
    const since = (await press.load()).since('2024-01-01');
    expect(since).toMatchObject({ count: 0, changedAtSeconds: START });
    expect(since.tag).toMatch(/^[\w-]{22}$/);
  });
});

describe('since any date, for any history of publishes and clocks', () => {
  const FIRST_DAY = dayNumber('2023-12-19');
  const DATES = [
    '0001-01-01',
    ...Array.from({ length: 33 }, (_, day) => dateOfDay(FIRST_DAY + day)),
    '9999-12-31',
  ];

  /** Some of the same reviews, some of them edited. */
  const HISTORY = anyReviews(12).chain((pool) =>
    fc.array(
      fc.tuple(
        fc
          .subarray(pool)
          .chain((some) =>
            fc
              .array(fc.boolean(), { minLength: some.length, maxLength: some.length })
              .map((edited) =>
                some.map((one, place) => (edited[place] ? { ...one, author: 'edited' } : one)),
              ),
          ),
        fc.integer({ min: 0, max: 2_000_000_000 }),
      ),
      { minLength: 2, maxLength: 6 },
    ),
  );

  test('the bytes, the tag and Last-Modified change together and only with the subset', async () => {
    await fc.assert(
      fc.asyncProperty(HISTORY, async (history) => {
        const press = new Press();
        let before: { snapshot: Snapshot; reviews: readonly Review[] } | null = null;
        for (const [reviews, nowSeconds] of history) {
          await press.publish(reviews, { nowSeconds });
          const snapshot = await press.load();
          for (const date of DATES) {
            const since = snapshot.since(date);
            const subset = subsetOf(reviews, date);
            expect(snapshot.newestReviews(since.count).toString()).toBe(subset);
            if (!before) continue;
            const known = before.snapshot.since(date);
            const isSame = subset === subsetOf(before.reviews, date);
            expect({ date, sameTag: since.tag === known.tag }).toEqual({ date, sameTag: isSame });
            if (isSame) expect(since.changedAtSeconds).toBe(known.changedAtSeconds);
            else expect(since.changedAtSeconds).toBeGreaterThan(known.changedAtSeconds);
          }
          before = { snapshot, reviews };
        }
      }),
      { numRuns: cases(20) },
    );
  });
});
