// Decompressing a stored snapshot, with and without known sizes.

import { expect, test } from 'vitest';
import { DOCUMENT_PATHS } from '../../src/snapshot/documents.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { unpackSnapshot } from '../../src/snapshot/unpack.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { Press, readerOf } from '../support/snapshot.ts';

const unpacked = async (press: Press, manifest: Manifest) => {
  const { bodies, memory, indexAt } = await unpackSnapshot(manifest, readerOf(press.parts));
  return new Map(
    [...bodies, ['index', new Uint8Array(memory.buffer, indexAt)] as const].map(([name, bytes]) => [
      name,
      Buffer.from(bytes),
    ]),
  );
};

test('a manifest has the right sizes, and without them the result is the same', async () => {
  const press = new Press();
  await press.publish(REVIEWS, { insights: INSIGHTS });
  const manifest = press.manifest as Manifest;
  const bodies = await unpacked(press, manifest);
  for (const path of DOCUMENT_PATHS) {
    expect(manifest.documents[path].bytes).toBe(bodies.get(path)?.length);
  }
  // It lies in whole pages.
  expect(manifest.indexBytes).toBeGreaterThan((bodies.get('index')?.length ?? 0) - 65_536);
  expect(manifest.indexBytes).toBeLessThanOrEqual(bodies.get('index')?.length ?? 0);
  // As an earlier version wrote it.
  const older = JSON.parse(
    JSON.stringify(manifest, (key, value: unknown) =>
      key === 'bytes' || key === 'indexBytes' ? undefined : value,
    ),
  ) as Manifest;
  expect(older.documents['/reviews.json'].bytes).toBeUndefined();
  expect(await unpacked(press, older)).toEqual(bodies);
});
