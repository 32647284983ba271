// Documents change only with their content.

import { describe, expect, test } from 'vitest';
import type { Review } from '../../src/model/review.ts';
import { DOCUMENT_PATHS, type DocumentPath } from '../../src/snapshot/documents.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { Press } from '../support/snapshot.ts';

const START = 1_700_000_000;

/** 70 reviews of one day, the newest first. */
const SEVENTY: readonly Review[] = Array.from({ length: 70 }, (_, place) =>
  review({ id: ulidOf(1000 - place), text: 'It was so so.' }),
);

function edit(place: number, values: Partial<Review>): Review[] {
  return SEVENTY.map((one, at) => (at === place ? { ...one, ...values } : one));
}

/** Publishes one content after another; the snapshots before and after the last. */
async function publishBoth(
  first: Parameters<Press['publish']>,
  second: Parameters<Press['publish']>,
): Promise<{ before: Snapshot; after: Snapshot; isNew: boolean }> {
  const press = new Press();
  await press.publish(...first);
  const before = await press.load();
  const isNew = await press.publish(...second);
  return { before, after: await press.load(), isNew };
}

function changedPaths(before: Snapshot, after: Snapshot): DocumentPath[] {
  return DOCUMENT_PATHS.filter(
    (path) => before.documents.get(path)!.tag !== after.documents.get(path)!.tag,
  );
}

describe('a publish', () => {
  test('of the same content creates no snapshot, at any time and in any order', async () => {
    const press = new Press();
    expect(await press.publish(SEVENTY, { nowSeconds: START })).toBe(true);
    expect(await press.publish(SEVENTY, { nowSeconds: START + 86_400 })).toBe(false);
    expect(await press.publish(SEVENTY.toReversed(), { nowSeconds: 0 })).toBe(false);
    expect((await press.load()).number).toBe(1);
  });

  test('of an edited 60th newest review changes /reviews.json and no feed', async () => {
    const { before, after } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [edit(59, { author: 'Somebody else' }), { nowSeconds: START + 100 }],
    );
    expect(changedPaths(before, after)).toEqual(['/reviews.json']);
  });

  test('of an edited 50th newest review changes /reviews.json and both feeds', async () => {
    const { before, after } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [edit(49, { author: 'Somebody else' }), { nowSeconds: START + 100 }],
    );
    expect(changedPaths(before, after)).toEqual(['/reviews.json', '/api/feed.json', '/feed.xml']);
  });

  test('of a changed rating changes all documents', async () => {
    const { before, after } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [edit(0, { rating: 1 }), { nowSeconds: START + 100 }],
    );
    expect(changedPaths(before, after)).toEqual(DOCUMENT_PATHS);
  });

  test('under another origin changes only the feeds', async () => {
    const { before, after, isNew } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [SEVENTY, { nowSeconds: START + 100, origin: 'https://elsewhere.example' }],
    );
    expect(isNew).toBe(true);
    expect(changedPaths(before, after)).toEqual(['/api/feed.json', '/feed.xml']);
    expect(after.origin).toBe('https://elsewhere.example');
    expect(after.search({ limit: 1, query: 'so so' }).matched).toBe(70);
  });

  test('with another business changes the documents that name it', async () => {
    const { before, after } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [SEVENTY, { nowSeconds: START + 100, business: { ...BUSINESS, telephone: '+1 555 0100' } }],
    );
    expect(changedPaths(before, after)).toEqual(['/reviews.json']);
  });

  test('by another version of the program creates a snapshot with the same documents', async () => {
    const { before, after, isNew } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [SEVENTY, { nowSeconds: START + 100, builder: 'test/2' }],
    );
    expect([isNew, before.number, after.number]).toEqual([true, 1, 2]);
    expect(changedPaths(before, after)).toEqual([]);
  });
});

describe('the time of a document', () => {
  const timesOf = (snapshot: Snapshot) => {
    const bodyOf = (path: DocumentPath) => snapshot.documents.get(path)!.body.toString();
    return {
      reviews: JSON.parse(bodyOf('/reviews.json')).updated_at,
      insights: JSON.parse(bodyOf('/insights.json')).generated_at,
      atom: /<updated>([^<]*)<\/updated>/.exec(bodyOf('/feed.xml'))![1],
    };
  };

  test('is the time of its last change, for each document', async () => {
    const press = new Press();
    await press.publish(SEVENTY, { nowSeconds: Date.parse('2024-06-01T10:00:00Z') / 1000 });
    await press.publish(edit(59, { author: 'A' }), {
      nowSeconds: Date.parse('2024-06-02T10:00:00.900Z') / 1000,
    });
    await press.publish(edit(59, { author: 'A' }), {
      nowSeconds: Date.parse('2024-06-03T10:00:00Z') / 1000,
      origin: 'https://elsewhere.example',
    });
    const snapshot = await press.load();
    expect(timesOf(snapshot)).toEqual({
      reviews: '2024-06-02T10:00:00Z',
      insights: '2024-06-01T10:00:00Z',
      atom: '2024-06-03T10:00:00.000Z',
    });
    expect(DOCUMENT_PATHS.map((path) => snapshot.documents.get(path)!.changedAtSeconds)).toEqual([
      1_717_322_400, 1_717_236_000, 1_717_408_800, 1_717_408_800,
    ]);
  });

  test('strictly increases with every change, also if the clock stops or runs backward', async () => {
    const press = new Press();
    const times: number[] = [];
    const [one, two] = [review(), review()];
    for (const [reviews, nowSeconds] of [
      [[one, two], START],
      [[one], START],
      [[one, two], START - 500_000],
      [[], 0],
      [[two], START + 10],
    ] as const) {
      await press.publish(reviews, { nowSeconds });
      times.push((await press.load()).documents.get('/reviews.json')!.changedAtSeconds);
    }
    expect(times).toEqual([START, START + 1, START + 2, START + 3, START + 10]);
  });

  test('and the bytes in every encoding stay if only other documents change', async () => {
    const { before, after } = await publishBoth(
      [SEVENTY, { nowSeconds: START }],
      [edit(59, { author: 'A' }), { nowSeconds: START + 100 }],
    );
    for (const path of ['/insights.json', '/api/feed.json', '/feed.xml'] as const) {
      expect(after.documents.get(path)).toEqual(before.documents.get(path));
    }
  });

  test('and its tag are new when an earlier content returns', async () => {
    const press = new Press();
    const [one, two] = [review(), review()];
    await press.publish([one], { nowSeconds: START });
    const first = (await press.load()).documents.get('/reviews.json')!;
    await press.publish([one, two], { nowSeconds: START + 1 });
    await press.publish([one], { nowSeconds: START + 2 });
    const last = (await press.load()).documents.get('/reviews.json')!;
    expect(last.changedAtSeconds).toBe(START + 2);
    expect(last.tag).not.toBe(first.tag);
  });
});
