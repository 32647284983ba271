// Results of the previous publish that the next one uses again (see insights/aggregate/result-cache.ts). They are a
// part of the snapshot, which only publishes read. Without them a publish takes longer.

import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { UnavailableError } from '../errors.ts';
import { ResultCache, type Results } from '../insights/aggregate/result-cache.ts';
import { compress } from '../snapshot/documents.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import type { Database } from '../store/database.ts';
import { readPart } from '../store/snapshots/snapshot-parts.ts';
import { BUILDER } from './tasks.ts';

/** The results of the current snapshot; none if another version of the program built it. */
export async function loadResults(
  database: Database,
  manifest: Manifest | null,
): Promise<ResultCache> {
  if (manifest?.results === undefined || manifest.builder !== BUILDER) return new ResultCache();
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readPart(database.read, manifest.results)) chunks.push(chunk);
  } catch (error) {
    // A damaged part is found when a server loads the snapshot; this one only saves time.
    if (error instanceof UnavailableError) return new ResultCache();
    throw error;
  }
  const json = await promisify(zstdDecompress)(Buffer.concat(chunks));
  return new ResultCache(JSON.parse(json.toString()) as Results);
}

export function packResults({ used }: ResultCache): Promise<Uint8Array> {
  return compress(Buffer.from(JSON.stringify(used)), 'zstd');
}
