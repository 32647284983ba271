// Reads which characters a font has glyphs for, from its `cmap` table (OpenType 1.9.1, "cmap"). Every
// modern font has a subtable of format 12 or 4.

/**
 * Returns a test of whether a TrueType font has a glyph for a character.
 * @throws if the font has no supported `cmap`.
 */
export function glyphTest(font: Uint8Array): (codePoint: number) => boolean {
  const data = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = tableAt(data, 'cmap');
  const formats = Array.from({ length: data.getUint16(cmap + 2) }, (_, index) => {
    const at = cmap + data.getUint32(cmap + 4 + index * 8 + 4);
    return [data.getUint16(at), at] as const;
  });
  const offsetOf = (format: number) => formats.find(([each]) => each === format)?.[1];
  const [format12, format4] = [offsetOf(12), offsetOf(4)];
  if (format12 !== undefined) return (codePoint) => isInGroups(data, format12, codePoint);
  if (format4 === undefined) throw new Error('the font has no cmap of format 12 or 4');
  return (codePoint) => isInSegments(data, format4, codePoint);
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

/** Format 4: segments of the Basic Multilingual Plane. */
function isInSegments(data: DataView, at: number, codePoint: number): boolean {
  const size = data.getUint16(at + 6);
  for (let index = 0; index < size; index += 2) {
    const last = data.getUint16(at + 14 + index);
    if (codePoint > last) continue;
    const first = data.getUint16(at + 16 + size + index);
    if (codePoint < first) return false;
    const delta = data.getUint16(at + 16 + size * 2 + index);
    const offsetAt = at + 16 + size * 3 + index;
    const offset = data.getUint16(offsetAt);
    const glyph =
      offset === 0 ? codePoint : data.getUint16(offsetAt + offset + (codePoint - first) * 2);
    return glyph !== 0 && ((glyph + (offset === 0 ? delta : 0)) & 0xffff) !== 0;
  }
  return false;
}
