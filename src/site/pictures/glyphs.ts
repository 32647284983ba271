// Reads which characters a font has glyphs for, from its `cmap` table (OpenType 1.9.1, "cmap"), in the format that the
// bundled font has.

/**
 * Returns a test of whether a TrueType font has a glyph for a character.
 * @throws if the font has no `cmap` of format 12.
 */
export function glyphTest(font: Uint8Array): (codePoint: number) => boolean {
  const data = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = tableAt(data, 'cmap');
  const formats = Array.from({ length: data.getUint16(cmap + 2) }, (_, index) => {
    const at = cmap + data.getUint32(cmap + 4 + index * 8 + 4);
    return [data.getUint16(at), at] as const;
  });
  const found = formats.find(([format]) => format === 12);
  if (!found) throw new Error('the font has no cmap of format 12');
  return (codePoint) => isInGroups(data, found[1], codePoint);
}

function tableAt(data: DataView, name: string): number {
  for (let index = 0; index < data.getUint16(4); index++) {
    const at = 12 + index * 16;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => data.getUint8(at + byte)));
    if (tag === name) return data.getUint32(at + 8);
  }
  throw new Error(`the font has no table ${name}`);
}

/** Format 12: ranges of code points with consecutive glyphs. */
function isInGroups(data: DataView, at: number, codePoint: number): boolean {
  for (let index = 0; index < data.getUint32(at + 12); index++) {
    const group = at + 16 + index * 12;
    const [first, last] = [data.getUint32(group), data.getUint32(group + 4)];
    if (codePoint >= first && codePoint <= last) {
      return data.getUint32(group + 8) + codePoint - first !== 0;
    }
  }
  return false;
}
