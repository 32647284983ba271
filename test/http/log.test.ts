// The transparency log over HTTP: what a stranger with these specifications finds, and how it is cached.

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../src/log/canonical.ts';
import { parseCheckpoint } from '../../src/log/checkpoint.ts';
import { isIncluded, leafHash, rootOf } from '../../src/log/merkle.ts';
import { parseVerifierKey, signersOf } from '../../src/log/notes.ts';
import { decodeBundle, TileTree } from '../../src/log/tiles.ts';
import { Cosignatures } from '../../src/snapshot/cosignatures.ts';
import { renderSalts } from '../../src/snapshot/proofs.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const REVIEWS = 600;
/** Of the entries of the reviews and of the publication. */
const SIZE = 601;

let server: TestServer;
beforeAll(async () => {
  const reviews = Array.from({ length: REVIEWS }, (_, place) =>
    review({ rating: 1 + (place % 5) }),
  );
  server = await TestServer.open(await snapshotOf(reviews));
});
afterAll(() => server.close());

async function checkpoint() {
  return parseCheckpoint((await server.ask('/log/checkpoint')).text)!;
}

test('the checkpoint is signed with the key that is served', async () => {
  const answer = await server.ask('/log/checkpoint');
  expect(answer.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'public, max-age=5',
  });
  const { text: lines } = await server.ask('/log/key');
  const key = parseVerifierKey(lines.trim())!;
  const { note, origin, size } = await checkpoint();
  expect(signersOf(note, [key])).toEqual([key]);
  expect([origin, key.name, size]).toEqual(['reviews.example/log', 'reviews.example/log', SIZE]);
});

test('entries and tiles are those of the root', async () => {
  const names = ['000', '001', '002.p/89'];
  const leaves: Uint8Array[] = [];
  for (const name of names) {
    const bundle = await server.ask(`/log/tile/entries/${name}`);
    expect(bundle.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const hashes = Buffer.concat(decodeBundle(bundle.body)!.map(leafHash));
    expect((await server.ask(`/log/tile/0/${name}`)).body).toEqual(hashes);
    leaves.push(hashes);
  }
  const tree = new TileTree(Buffer.concat(leaves));
  expect((await checkpoint()).root).toEqual(rootOf(tree));
  expect((await server.ask('/log/tile/1/000.p/2')).body).toEqual(
    Buffer.from(tree.tile({ level: 1, index: 0, width: 2 })!),
  );
});

test('a partial tile of an older size is a part of the newer one', async () => {
  const whole = await server.ask('/log/tile/0/002.p/89');
  const part = await server.ask('/log/tile/0/002.p/10');
  expect(part.body).toEqual(whole.body.subarray(0, 320));
  const entries = decodeBundle((await server.ask('/log/tile/entries/000.p/2')).body)!;
  expect(entries).toEqual(
    decodeBundle((await server.ask('/log/tile/entries/000')).body)!.slice(0, 2),
  );
});

test.each(['0/003', '0/002', '0/002.p/90', '2/000.p/1', 'entries/002', '0/0', '..%2f..%2fetc', ''])(
  'there is no tile %j',
  async (path) => {
    expect((await server.ask(`/log/tile/${path}`)).status).toBe(404);
  },
);

test('tiles are compressed, and have entity tags', async () => {
  const plain = await server.ask('/log/tile/entries/000');
  const gzip = await server.ask('/log/tile/entries/000', {
    headers: { 'accept-encoding': 'gzip' },
  });
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gzip.body.length).toBeLessThan(plain.body.length);
  const tag = String(gzip.headers.etag);
  const again = await server.ask('/log/tile/entries/000', { headers: { 'if-none-match': tag } });
  expect(again.status).toBe(304);
});

describe('the proof of a review', () => {
  test('can be verified with nothing but hashes', async () => {
    const { reviews } = await server.json('/reviews.json');
    const [record] = reviews as [{ id: string }];
    const proof = await server.json(`/api/reviews/${record.id}/proof`);
    const entry = JSON.parse(proof.entry as string) as { digest: string };
    const digest = createHash('sha256')
      .update(Buffer.from(proof.salt as string, 'base64'))
      .update(canonicalJson(record))
      .digest('base64');
    expect(entry.digest).toBe(digest);
    const leaf = leafHash(Buffer.from(proof.entry as string));
    expect(Buffer.from(leaf).toString('base64')).toBe(proof.leaf_hash);
    const path = (proof.inclusion_proof as string[]).map((each) => Buffer.from(each, 'base64'));
    const { size, root } = parseCheckpoint(proof.checkpoint as string)!;
    expect(isIncluded(leaf, { index: proof.index as number, size }, path, root)).toBe(true);
    const salts = await server.json('/log/salts.json');
    expect(salts.size).toBe(SIZE);
    expect(salts.reviews[record.id]).toEqual([proof.index, proof.salt]);
  });

  test('have their salts rendered in pieces, between which others are answered', async () => {
    const openingAt = (position: number) => ({ index: position, salt: `salt ${position}` });
    for (const reviewCount of [0, 1, 1_000, 2_500]) {
      const snapshot = { reviewCount, idAt: (position: number) => `id ${position}` };
      const pieces = [...renderSalts(snapshot, { size: 9, openingAt })];
      const ids = Array.from({ length: reviewCount }, (_, position) => position);
      const reviews = Object.fromEntries(ids.map((at) => [`id ${at}`, [at, `salt ${at}`]]));
      expect(pieces.join('')).toBe(JSON.stringify({ size: 9, reviews }));
      const longest = Math.max(...pieces.map((piece) => piece.split('salt').length - 1));
      expect(longest).toBe(Math.min(reviewCount, 1_000));
    }
    const [one, other] = await Promise.all([1, 2].map(() => server.ask('/log/salts.json')));
    expect(one?.text).toBe(other?.text);
  });

  test('of an unknown review is 404', async () => {
    const { status, text } = await server.ask('/api/reviews/01HZZZZZZZZZZZZZZZZZZZZZZZ/proof');
    expect([status, text]).toEqual([
      404,
      expect.stringContaining('No published review has this id'),
    ]);
  });
});

test('cosignatures follow the checkpoint of their tree, and no other', async () => {
  const { text } = await server.ask('/log/checkpoint');
  const { size, root } = await checkpoint();
  const lines = '— witness.example/w AAAAAAAA\n';
  const encoded = Buffer.from(root).toString('base64');
  server.http.cosignatures = new Cosignatures([
    { size, root: encoded, lines },
    { size: size + 1, root: encoded, lines: 'other' },
  ]);
  expect((await server.ask('/log/checkpoint')).text).toBe(text + lines);
});
