// The log of a store that published these reviews once.

import { appendEntries, type Bundle, treeOf } from '../../src/log/bundles.ts';
import { SALT_BYTES } from '../../src/log/canonical.ts';
import { signCheckpoint } from './sign-checkpoint.ts';
import { rootOf } from '../../src/log/merkle.ts';
import { formatVerifierKey, signingKey } from '../../src/log/notes.ts';
import { compareReviews, planEntries } from '../../src/log/plan.ts';
import { Replay } from '../../src/log/replay.ts';
import { packSections } from '../../src/model/bytes.ts';
import type { Review } from '../../src/model/review.ts';
import type { LogManifest } from '../../src/snapshot/manifest.ts';

const SEED = Buffer.alloc(32, 7).toString('base64');

export function logOfReviews(
  reviews: readonly Review[],
  origin: string,
): {
  readonly bundles: readonly Bundle[];
  readonly openings: Uint8Array;
  readonly manifest: Omit<LogManifest, 'part'>;
} {
  const replay = new Replay();
  let salt = 0;
  const { entries, opened } = planEntries({
    replay,
    newSalt: () => Buffer.alloc(SALT_BYTES, (salt += 1)).toString('base64'),
    openings: new Map(),
    difference: compareReviews(reviews, new Map()),
    reasons: new Map(),
    otherStars: new Map(),
    methodStated: new Set(),
    withheld: [{ source: 'google', rating: 2, count: 3 }],
    at: '2024-06-01T00:00:00Z',
  });
  const bundles = appendEntries(null, entries);
  const name = `${origin.replace('https://', '')}/log`;
  const key = signingKey(name, 'log', SEED);
  const checkpoint = { origin: name, size: entries.length, root: rootOf(treeOf(bundles)) };
  const salts = new Uint8Array(reviews.length * SALT_BYTES);
  const numbers = (of: 'first' | 'last') =>
    Uint32Array.from(reviews, ({ id }) => opened.get(id)![of]);
  for (const [position, { id }] of reviews.entries()) {
    salts.set(Buffer.from(opened.get(id)!.salt, 'base64'), position * SALT_BYTES);
  }
  return {
    bundles,
    openings: packSections({ first: numbers('first'), last: numbers('last'), salts }),
    manifest: {
      example: false,
      size: entries.length,
      checkpoint: signCheckpoint(checkpoint, [key]),
      keys: [formatVerifierKey(key)],
      publication: replay.publication!,
      reasons: {},
    },
  };
}
