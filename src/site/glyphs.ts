// Which characters a font can draw: its `cmap` table (OpenType 1.9.1, "cmap"), of which every font of the
// day has a subtable of format 12 or 4.

/** Whether a TrueType font has a glyph for a character. */
export function glyphTest(font: Uint8Array): (codePoint: number) => boolean {
  const data = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = tableAt(data, 'cmap');
  const formats = Array.from({ length: data.getUint16(cmap + 2) }, (_, place) => {
    const at = cmap + data.getUint32(cmap + 4 + place * 8 + 4);
    return [data.getUint16(at), at] as const;
  });
  const of = (format: number) => formats.find(([each]) => each === format)?.[1];
  const [whole, basic] = [of(12), of(4)];
  if (whole !== undefined) return (codePoint) => isInGroups(data, whole, codePoint);
  if (basic === undefined) throw new Error('the font has no cmap of format 12 or 4');
  return (codePoint) => isInSegments(data, basic, codePoint);
}

function tableAt(data: DataView, name: string): number {
  for (let place = 0; place < data.getUint16(4); place++) {
    const at = 12 + place * 16;
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => data.getUint8(at + byte)));
    if (tag === name) return data.getUint32(at + 8);
  }
  throw new Error(`the font has no table ${name}`);
}

/** Format 12: groups of characters, each with its glyphs in a row. */
function isInGroups(data: DataView, at: number, codePoint: number): boolean {
  for (let place = 0; place < data.getUint32(at + 12); place++) {
    const group = at + 16 + place * 12;
    const [first, last] = [data.getUint32(group), data.getUint32(group + 4)];
    if (codePoint >= first && codePoint <= last) {
      return data.getUint32(group + 8) + codePoint - first !== 0;
    }
  }
  return false;
}

/** Format 4: segments of the first 65,536 characters. */
function isInSegments(data: DataView, at: number, codePoint: number): boolean {
  const size = data.getUint16(at + 6);
  for (let place = 0; place < size; place += 2) {
    const last = data.getUint16(at + 14 + place);
    if (codePoint > last) continue;
    const first = data.getUint16(at + 16 + size + place);
    if (codePoint < first) return false;
    const delta = data.getUint16(at + 16 + size * 2 + place);
    const offsetAt = at + 16 + size * 3 + place;
    const offset = data.getUint16(offsetAt);
    const glyph =
      offset === 0 ? codePoint : data.getUint16(offsetAt + offset + (codePoint - first) * 2);
    return glyph !== 0 && ((glyph + (offset === 0 ? delta : 0)) & 0xffff) !== 0;
  }
  return false;
}
