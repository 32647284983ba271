// Queries about a technician or a service with shared names or many mentions.

import { describe, expect, test, vi } from 'vitest';
import { type Business, businessSchema } from '../../src/model/business.ts';
import type { Insights } from '../../src/model/insights.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import { renderSearch, SnapshotQueries } from '../../src/snapshot/queries.ts';
import { INSIGHTS } from '../support/by-hand.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

/** Of technicians, each of whom the reviews of the numbers mention. */
async function queriesOf(
  technicians: readonly Partial<Business['technicians'][number]>[],
  mentioned: Readonly<Record<string, readonly number[]>>,
): Promise<SnapshotQueries> {
  const business = businessSchema.parse({ ...BUSINESS, technicians });
  const [unremarkable] = INSIGHTS.entities.technicians;
  const numbers = new Set(Object.values(mentioned).flat());
  const reviews = [...numbers].map((number) =>
    review({ id: ulidOf(number), date: `2024-01-${String(number).padStart(2, '0')}` }),
  );
  const entryOf = (number: number): Insights['per_review'][string] => ({
    ...Object.values(INSIGHTS.per_review)[0]!,
    technicians: Object.keys(mentioned)
      .filter((id) => mentioned[id]!.includes(number))
      .map((id) => ({ id, sentiment: 'neutral', phrase: 'x' })),
  });
  const insights: Insights = {
    ...INSIGHTS,
    entities: {
      ...INSIGHTS.entities,
      technicians: business.technicians.map(({ id, name }) => ({ ...unremarkable!, id, name })),
    },
    per_review: Object.fromEntries([...numbers].map((at) => [ulidOf(at), entryOf(at)])),
  };
  return new SnapshotQueries(await snapshotOf(reviews, { business, insights }));
}

const idsOf = ({ reviews }: { reviews: { id: string }[] }) => reviews.map(({ id }) => id);

describe('a technician', () => {
  test('has its five newest reviews', async () => {
    const technicians = [{ id: 'mike', name: 'Mike Alvarez' }];
    const queries = await queriesOf(technicians, { mike: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
    expect(idsOf(JSON.parse(queries.technician('mike alvarez')))).toEqual(
      [9, 8, 7, 6, 5].map((at) => ulidOf(at)),
    );
  });

  test('with a shared name is not guessed: both names are returned, and no others', async () => {
    const technicians = [
      { id: 'dan-a', name: 'Dan Adams', aliases: ['Danny'] },
      { id: 'dan-b', name: 'Dan Brown', aliases: ['Danny'] },
      { id: 'eve', name: 'Eve Clark' },
    ];
    const queries = await queriesOf(technicians, { 'dan-a': [1], 'dan-b': [2], eve: [3] });
    expect(JSON.parse(queries.technician('danny'))).toEqual({
      technician: null,
      reviews: [],
      names: ['Dan Adams', 'Dan Brown'],
    });
    expect(JSON.parse(queries.technician('Bob')).names).toHaveLength(3);
    expect(JSON.parse(queries.technician('dan-b')).technician.name).toBe('Dan Brown');
  });

  test('has only its own reviews if its id is the alias of another', async () => {
    const technicians = [
      { id: 'sam', name: 'Sam Stone' },
      { id: 'samuel', name: 'Samuel Reed', aliases: ['sam'] },
    ];
    const queries = await queriesOf(technicians, { sam: [1, 3], samuel: [2] });
    const answer = JSON.parse(queries.technician('Sam Stone'));
    expect([answer.technician.id, idsOf(answer)]).toEqual(['sam', [ulidOf(3), ulidOf(1)]]);
    expect(idsOf(JSON.parse(queries.technician('samuel')))).toEqual([ulidOf(2)]);
  });
});

describe('without reviews', () => {
  test('every answer has its form', async () => {
    const queries = new SnapshotQueries(await snapshotOf([]));
    expect(JSON.parse(queries.business())).toMatchObject({ review_count: 0 });
    expect(JSON.parse(queries.technician('x'))).toEqual({
      technician: null,
      reviews: [],
      names: [],
    });
    expect(JSON.parse(queries.aspect('x'))).toMatchObject({ id: null, names: [] });
    expect(JSON.parse(queries.summary())).toMatchObject({ review_count: 0 });
    expect([queries.entities.technicians, queries.entities.services]).toEqual([[], []]);
  });
});

test('an answer highlights so many characters, and names the reviews that it did not look at', async () => {
  const text = (length: number) => 'tap '.repeat(length / 4);
  const lengths = [40_000, 30_000, 20_000, 400_000, 4_000];
  const reviews = lengths.map((length, at) =>
    review({ id: ulidOf(at + 1), date: `2024-01-0${9 - at}`, text: text(length) }),
  );
  const snapshot = await snapshotOf(reviews);
  const answer = (filter: object) =>
    JSON.parse(Buffer.concat(renderSearch(snapshot, { limit: 10, ...filter })).toString());
  const { highlights, not_highlighted } = answer({
    words: WordQuery.parse('tap'),
    highlight: true,
  });
  // The first, and what fits beside it.
  expect(Object.keys(highlights)).toEqual([ulidOf(1), ulidOf(3), ulidOf(5)]);
  expect(not_highlighted).toEqual([ulidOf(2), ulidOf(4)]);
  expect(answer({ words: WordQuery.parse('tap'), highlight: true, limit: 1 })).not.toHaveProperty(
    'not_highlighted',
  );
  expect(answer({ words: WordQuery.parse('tap') })).not.toHaveProperty('not_highlighted');
  // The long one was not even read.
  const parse = vi.spyOn(JSON, 'parse');
  renderSearch(snapshot, { limit: 10, words: WordQuery.parse('tap'), highlight: true });
  const parsed = parse.mock.calls.map(([json]) => json.length);
  parse.mockRestore();
  expect(Math.max(...parsed)).toBeLessThan(300_000);
});
