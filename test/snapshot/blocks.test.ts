// A large `/insights.json` is kept in compressed blocks; it is read and served as if it were plain.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BlockBody, packBlocks } from '../../src/snapshot/blocks.ts';
import { deriveInsights } from '../support/derive.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { TestServer } from '../support/http.ts';
import { randomFrom } from '../support/random.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const KIB = 1024;

describe.each([0, 1, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1, 1_300 * KIB + 7])(
  'a body of %i bytes',
  (length) => {
    const body = randomBytes(length);
    const blocks = new BlockBody(packBlocks(body));

    test('has its length and its bytes', () => {
      expect(blocks.length).toBe(length);
      expect(Buffer.concat([...blocks]).equals(body)).toBe(true);
    });

    test('is read at any range', () => {
      const random = randomFrom(length + 1);
      const at = () => Math.floor(random() * (length + 1));
      for (let round = 0; round < 100; round++) {
        const [start = 0, end = 0] = [at(), at()].toSorted((a, b) => a - b);
        expect(blocks.read(start, end).equals(body.subarray(start, end))).toBe(true);
      }
      expect(blocks.read(0, length).equals(body)).toBe(true);
    });
  },
);

describe('a snapshot with large insights', () => {
  let snapshot: Snapshot;
  let server: TestServer;
  beforeAll(async () => {
    const reviews = Array.from({ length: 60 }, (_, index) =>
      review({
        id: ulidOf(index + 1),
        text: `${index} The boiler works, our technician was friendly.`,
      }),
    );
    const insights = deriveInsights(reviews, BUSINESS);
    // Long enough that together they are more than 4 MiB.
    for (const entry of Object.values(insights.per_review))
      for (const mention of entry.aspects) mention.phrase = 'friendly '.repeat(20_000);
    snapshot = await snapshotOf(reviews, { insights });
    server = await TestServer.open(snapshot);
  });
  afterAll(() => server.close());

  test('serves the same bytes in every encoding', async () => {
    const { body } = snapshot.documents.get('/insights.json')!;
    expect(body).toBeInstanceOf(BlockBody);
    const plain = await server.ask('/insights.json');
    expect(plain.headers['content-length']).toBe(String(body.length));
    expect(plain.body.length).toBe(body.length);
    const compressed = await fetch(`http://127.0.0.1:${server.port}/insights.json`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(await compressed.text()).toBe(plain.text);
  });

  test('has the entry of each review and every part', async () => {
    const document = JSON.parse((await server.ask('/insights.json')).text);
    for (const position of [0, 1, 30, 59]) {
      const id = snapshot.idAt(position);
      expect(snapshot.insights.entry(position)).toEqual(document.per_review[id]);
    }
    expect(snapshot.insights.part('aspects')).toEqual(document.aspects);
    expect(snapshot.insights.part('summary')).toEqual(document.summary);
  });
});
