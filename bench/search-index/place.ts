// The search index of reviews, in memory as a server has it.

import type { Business } from '../../src/model/business.ts';
import { packSections, unpackSections } from '../../src/model/bytes.ts';
import type { Review } from '../../src/model/review.ts';
import { type Derived, IndexBuilder, type IndexSections } from '../../src/search/index-builder.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { SharedMemory } from '../../src/search/shared-memory.ts';
import { writeDataset } from '../../src/snapshot/dataset.ts';

/** The index, and its size with the records that it searches, in bytes. */
export async function placeIndex(
  reviews: readonly Review[],
  derived: Derived,
  business: Business,
): Promise<{ readonly index: SearchIndex; readonly bytes: number }> {
  const dataset = writeDataset(reviews, business);
  const memory = new SharedMemory();
  memory.append(dataset.body);
  const indexAt = memory.align();
  memory.append(packSections(await new IndexBuilder(reviews).finish(derived, business, dataset)));
  const sections = unpackSections(memory.view([indexAt, memory.length]));
  const index = new SearchIndex(
    Object.fromEntries(sections) as unknown as IndexSections,
    memory.memory,
    { bytes: dataset.body.length, starts: dataset.starts },
  );
  return { index, bytes: memory.length };
}
