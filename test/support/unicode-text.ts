// Random texts of all Unicode characters. `fc.string({ unit: 'binary' })` is the same, but builds a map of a
// million characters first, which takes seconds and memory in every worker.

import fc from 'fast-check';

/** Any character but surrogates, as many below U+D800 as above. */
const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map(
    (codePoint) => String.fromCodePoint(codePoint),
    (text) => String(text).codePointAt(0) ?? -1,
  );

/** A text of any characters. */
export function unicodeText(limits: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: anyCharacter, ...limits });
}
