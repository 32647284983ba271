// Sets of positions for tests of the search index.

import { packSections, type Section, unpackSections } from '../../src/model/bytes.ts';
import { SetMemory } from '../../src/search/set-memory.ts';
import { copyToMemory } from '../../src/search/text-scan.ts';

/** Memory for sets of some reviews, with copies of sections. */
export function placed<Sections extends Record<string, Section>>(
  sections: Sections,
  reviews: number,
): { readonly sections: Sections; readonly sets: SetMemory } {
  const memory = copyToMemory(packSections(sections));
  const copies = Object.fromEntries(unpackSections(new Uint8Array(memory.buffer)));
  return { sections: copies as Sections, sets: new SetMemory(memory, reviews) };
}

export function setsOf(reviews: number): SetMemory {
  return placed({ nothing: new Uint8Array(1) }, reviews).sets;
}
