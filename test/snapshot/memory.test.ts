// The memory of a loaded snapshot, counted in bytes.

import { expect, test } from 'vitest';
import { CORPUS_BUSINESS, writeCorpus } from '../../bench/corpus.ts';
import { deriveInsights } from '../support/derive.ts';
import { businessSchema } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { unpackSnapshot } from '../../src/snapshot/unpack.ts';
import { ulidOf } from '../support/reviews.ts';
import { Press, readerOf } from '../support/snapshot.ts';

/** Bytes of all memory that a server has of a snapshot of the first reviews of the corpus. */
async function loadedBytes(count: number): Promise<number> {
  const reviews = Array.from(writeCorpus(count), (row, number): Review => ({
    ...row,
    id: ulidOf(number),
    authorAvatarUrl: null,
    sourceUrl: null,
    ownerReply: row.owner_reply,
  }));
  const press = new Press();
  const business = businessSchema.parse(CORPUS_BUSINESS);
  await press.publish(reviews, { business, insights: deriveInsights([], business) });
  const { manifest } = press;
  if (!manifest) throw new Error('expected a snapshot');
  const loaded = await unpackSnapshot(manifest, readerOf(press.parts));
  // It adds the space that searches need.
  expect(new Snapshot(loaded).reviewCount).toBe(count);
  const arrays = [...loaded.bodies.values(), new Uint8Array(loaded.memory.buffer)];
  const buffers = new Map(
    arrays.map(({ buffer, byteOffset, length }) => [buffer, byteOffset + length]),
  );
  return [...buffers.values()].reduce((sum, bytes) => sum + bytes, 0);
}

test('a review takes less than 1,600 bytes beside its insights, at any size', async () => {
  const [small, large] = [await loadedBytes(1_000), await loadedBytes(2_000)];
  // A server has some pages of memory for any snapshot, and words that most reviews share.
  const fixed = 1_400_000;
  expect((small - fixed) / 1_000).toBeLessThan(1_600);
  expect((large - fixed) / 2_000).toBeLessThan(1_600);
  expect((large - small) / 1_000).toBeLessThan(1_600);
});
