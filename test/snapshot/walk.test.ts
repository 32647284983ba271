// Walking the pages of a search by next_cursor.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Cursor } from '../../src/model/cursor.ts';
import type { Review } from '../../src/model/review.ts';
import { cases } from '../support/cases.ts';
import { anyReviews, review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

interface Page {
  readonly ids: string[];
  readonly matched: number;
  readonly nextCursor: Cursor | null;
}

async function pageOf(
  press: Press,
  limit: number,
  cursor: Cursor | null,
  query?: string,
): Promise<Page> {
  const snapshot = await press.load();
  const { positions, matched, nextCursor } = snapshot.search({
    limit,
    ...(cursor === null ? {} : { cursor }),
    ...(query === undefined ? {} : { query }),
  });
  return { ids: positions.map((at) => snapshot.idAt(at)), matched, nextCursor };
}

/** Walks to the end; before each next page the reviews become what `between` makes of them. */
async function walk(
  reviews: readonly Review[],
  limit: number,
  between: (reviews: readonly Review[], page: number) => readonly Review[] = (same) => same,
): Promise<Page[]> {
  const press = new Press();
  let current = reviews;
  await press.publish(current);
  const pages: Page[] = [await pageOf(press, limit, null)];
  for (;;) {
    const { nextCursor } = pages.at(-1)!;
    if (nextCursor === null) return pages;
    current = between(current, pages.length);
    await press.publish(current);
    pages.push(await pageOf(press, limit, nextCursor));
  }
}

describe('walking next_cursor', () => {
  test('returns every match exactly once, newest first, and counts them all on every page', async () => {
    await fc.assert(
      fc.asyncProperty(anyReviews(40), fc.integer({ min: 1, max: 7 }), async (reviews, limit) => {
        const pages = await walk(reviews, limit);
        const ids = pages.flatMap((page) => page.ids);
        const newestFirst = reviews
          .map(({ date, id }) => `${date} ${id}`)
          .toSorted()
          .toReversed()
          .map((place) => place.slice(11));
        expect(ids).toEqual(newestFirst);
        expect(pages.map(({ matched }) => matched)).toEqual(pages.map(() => reviews.length));
        expect(pages).toHaveLength(Math.max(1, Math.ceil(reviews.length / limit)));
      }),
      { numRuns: cases(30) },
    );
  });

  test('returns unchanged reviews exactly once while others are added and removed', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyReviews(40),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { minLength: 1, maxLength: 12 }),
        async (all, limit, changes) => {
          // Half of them are there at first; each step adds one and removes one.
          const first = all.filter((_, place) => place % 2 === 0);
          const touched = new Set<string>();
          const pages = await walk(first, limit, (current, page) => {
            const [added, removed] = changes[page - 1] ?? [0, 0];
            const plus = all[added % all.length]!;
            const minus = current[removed % Math.max(1, current.length)];
            const isNew = !current.some(({ id }) => id === plus.id);
            if (isNew) touched.add(plus.id);
            if (minus) touched.add(minus.id);
            return [...current.filter((one) => one !== minus), ...(isNew ? [plus] : [])];
          });
          const ids = pages.flatMap((page) => page.ids);
          expect(new Set(ids).size).toBe(ids.length);
          const stayed = first.map(({ id }) => id).filter((id) => !touched.has(id));
          expect(ids.filter((id) => stayed.includes(id)).toSorted()).toEqual(stayed.toSorted());
        },
      ),
      { numRuns: cases(20) },
    );
  });

  test('continues after a removed last review of a page', async () => {
    const [newest, middle, oldest] = [3, 2, 1].map((number) => review({ id: ulidOf(number) }));
    const pages = await walk([newest!, middle!, oldest!], 1, (current, page) =>
      page === 1 ? current.filter(({ id }) => id !== newest!.id) : current,
    );
    expect(pages).toEqual([
      { ids: [newest!.id], matched: 3, nextCursor: new Cursor('2024-05-17', newest!.id) },
      { ids: [middle!.id], matched: 2, nextCursor: new Cursor('2024-05-17', middle!.id) },
      { ids: [oldest!.id], matched: 2, nextCursor: null },
    ]);
  });

  test('returns reviews that differ only in their id once each', async () => {
    const same = [1, 2, 3, 4, 5].map((number) => review({ id: ulidOf(number) }));
    const pages = await walk(same, 2);
    expect(pages.map(({ ids }) => ids)).toEqual([
      [same[4]!.id, same[3]!.id],
      [same[2]!.id, same[1]!.id],
      [same[0]!.id],
    ]);
  });

  test('has no next page after a full last page', async () => {
    const pages = await walk([review(), review(), review(), review()], 2);
    expect(pages.map(({ ids }) => ids.length)).toEqual([2, 2]);
  });

  test('from a cursor beyond either end returns all or nothing', async () => {
    const snapshot = await snapshotOf([review(), review()]);
    const at = (date: string) => new Cursor(date, ulidOf(1));
    expect(snapshot.search({ limit: 5, cursor: at('9999-12-31') }).positions).toEqual([0, 1]);
    expect(snapshot.search({ limit: 5, cursor: at('0001-01-01') })).toMatchObject({
      matched: 2,
      positions: [],
      more: false,
      nextCursor: null,
    });
  });

  test('keeps the filter on every page', async () => {
    const press = new Press();
    await press.publish(
      [1, 2, 3, 4, 5, 6].map((number) =>
        review({ id: ulidOf(number), text: number % 2 === 0 ? 'a leak' : 'a drip' }),
      ),
    );
    const first = await pageOf(press, 2, null, 'leak');
    const second = await pageOf(press, 2, first.nextCursor, 'leak');
    expect([first.ids, second.ids]).toEqual([[ulidOf(6), ulidOf(4)], [ulidOf(2)]]);
    expect([first.matched, second.matched, second.nextCursor]).toEqual([3, 3, null]);
  });
});
