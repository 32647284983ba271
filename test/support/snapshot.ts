// Snapshots for tests, built in memory as publishing would.

import { deriveInsights } from './derive.ts';
import type { Business } from '../../src/model/business.ts';
import type { Insights } from '../../src/model/insights.ts';
import type { Review } from '../../src/model/review.ts';
import { SnapshotBuilder } from '../../src/snapshot/build.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { type PartReader, requirePart, unpackSnapshot } from '../../src/snapshot/unpack.ts';
import { compress } from '../../src/snapshot/documents.ts';
import { logOfReviews } from './log-of-reviews.ts';
import { BUSINESS } from './reviews.ts';

export const ORIGIN = 'https://reviews.example';

/** Publishes snapshots in memory, each on the basis of the previous one. */
export class Press {
  manifest: Manifest | null = null;
  readonly parts = new Map<string, Uint8Array>();
  #reviews: readonly Review[] = [];

  /** Publishes; returns whether there is a new snapshot. `nowSeconds` is seconds since 1970. */
  async publish(
    reviews: readonly Review[],
    {
      nowSeconds = 1_700_000_000,
      business = BUSINESS,
      origin = ORIGIN,
      builder = 'test/1',
      insights = deriveInsights(reviews, business),
      languages = new Map(),
      pictures = {},
    }: {
      nowSeconds?: number;
      business?: Business;
      origin?: string;
      builder?: string;
      insights?: Insights;
      languages?: ReadonlyMap<string, string | null>;
      pictures?: Readonly<Record<string, Uint8Array>>;
    } = {},
  ): Promise<boolean> {
    const previous = this.manifest;
    const snapshot = new SnapshotBuilder({
      reviews,
      business,
      origin,
      builder,
      previous,
      nowSeconds,
    });
    const built = await snapshot.finish({
      insights,
      languages,
      drawPictures: () => Promise.resolve(pictures),
    });
    if (!built) return false;
    this.manifest = built.manifest;
    this.#reviews = snapshot.reviews;
    for await (const [name, bytes] of built.parts) this.parts.set(name, bytes);
    return true;
  }

  /** The current snapshot as a server would load it. */
  async load(): Promise<Snapshot> {
    if (!this.manifest) throw new Error('nothing was published');
    const copies = new Map(this.parts);
    const log = logOfReviews(this.#reviews, this.manifest.origin);
    const part = { part: 'log' };
    copies.set(part.part, await compress(log.openings, 'zstd'));
    const manifest = { ...this.manifest, log: { ...log.manifest, ...part } };
    return new Snapshot(await unpackSnapshot(manifest, readerOf(copies), log.bundles));
  }
}

/** Reads parts as the store does. */
export function readerOf(parts: ReadonlyMap<string, Uint8Array>): PartReader {
  return (name) => [Uint8Array.from(requirePart(parts, name))];
}

/** The first snapshot of a store with these reviews. */
export async function snapshotOf(
  reviews: readonly Review[],
  options?: Parameters<Press['publish']>[1],
): Promise<Snapshot> {
  const press = new Press();
  await press.publish(reviews, options);
  return press.load();
}
