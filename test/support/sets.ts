// Sets of positions for tests of the search index.

import { packSections, type Section, unpackSections } from '../../src/model/bytes.ts';
import { SetMemory } from '../../src/search/set-memory.ts';
import { SharedMemory } from '../../src/search/shared-memory.ts';

/** Memory for sets of some reviews, with copies of sections. */
export function placed<Sections extends Record<string, Section>>(
  sections: Sections,
  reviews: number,
): { readonly sections: Sections; readonly sets: SetMemory } {
  const memory = new SharedMemory();
  memory.append(packSections(sections));
  const copies = Object.fromEntries(unpackSections(memory.view([0, memory.length])));
  return { sections: copies as Sections, sets: new SetMemory(memory.memory, reviews) };
}

export function setsOf(reviews: number): SetMemory {
  return placed({ nothing: new Uint8Array(1) }, reviews).sets;
}
