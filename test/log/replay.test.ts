// A replay that goes on after a publication equals one that has read every entry.

import { expect, test } from 'vitest';
import { type Entry, OTHER_SOURCES, type Publication } from '../../src/log/entries.ts';
import { Replay } from '../../src/log/replay.ts';

const AT = '2026-01-01T00:00:00Z';

function added(source: string, rating: number): Entry {
  const fields = { at: AT, date: '2025-05-05', digest: 'AA==', rating, source } as const;
  return { type: 'added', ...fields, verification: 'declared' };
}

test('after a publication it has the counts, and goes on with them', () => {
  const whole = new Replay();
  const removed = { rating: 1, source: 'yelp', date: '2025-05-05', reason: 'error' } as const;
  for (const entry of [added('google', 5), added('yelp', 1), added('google', 4)]) whole.read(entry);
  for (const rating of [5, 1]) {
    whole.read({ ...added('google', rating), type: 'edited', review: 2 } as Entry);
  }
  whole.read({ type: 'removed', review: 1, at: AT, ...removed });
  const { publishedCounts: published, removedCounts } = whole;
  const publication: Publication = {
    type: 'publication',
    at: AT,
    published,
    withheld: {},
    removed: removedCounts,
    edited: [
      { count: 1, from: 4, to: 5 },
      { count: 1, from: 5, to: 1 },
    ],
  };
  expect(whole.read(publication)).toBeNull();

  const resumed = Replay.after(publication, whole.size, Object.fromEntries(whole.reasons))!;
  for (const replay of [whole, resumed]) expect(replay.read(added('google', 2))).toBeNull();
  const stateOf = ({
    size,
    publishedCounts,
    removedCounts: gone,
    reasons,
    isChanged,
    starChanges,
  }: Replay) => ({
    size,
    publishedCounts,
    gone,
    reasons,
    isChanged,
    starChanges,
  });
  expect(stateOf(resumed)).toEqual(stateOf(whole));
  expect(resumed.publishedCounts).toEqual({ google: [1, 1, 0, 0, 1] });
});

test('it does not go on after a publication that counts sources together, or no changed stars', () => {
  const together = { [OTHER_SOURCES]: [1, 0, 0, 0, 0] as [number, number, number, number, number] };
  const publication: Omit<Publication, 'removed'> = {
    type: 'publication',
    at: AT,
    published: {},
    withheld: {},
    edited: [],
  };
  expect(Replay.after({ ...publication, removed: together }, 2, {})).toBeNull();
  expect(Replay.after({ ...publication, published: together, removed: {} }, 2, {})).toBeNull();
  const { edited: _, ...older } = publication;
  expect(Replay.after({ ...older, removed: {} }, 2, {})).toBeNull();
  expect(Replay.after({ ...publication, removed: {} }, 2, {})).not.toBeNull();
});
