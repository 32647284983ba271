// Writes pictures of one ink on one ground as PNG (https://www.w3.org/TR/png-3/). The shades are stored
// without their colours, so that whoever sends the picture gives it the colours of that moment.

import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BIT_DEPTH = 8;
const INDEXED = 3;
/** Filter of a line that is left as it is. */
const NONE = 0;

export interface Size {
  readonly width: number;
  readonly height: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** The picture data of shades, a byte each from ground (0) to ink (255), line by line. */
export function packShades(shades: Uint8Array, { width, height }: Size): Uint8Array {
  const lines = new Uint8Array((width + 1) * height);
  for (let line = 0; line < height; line++) {
    lines[line * (width + 1)] = NONE;
    lines.set(shades.subarray(line * width, (line + 1) * width), line * (width + 1) + 1);
  }
  return deflateSync(lines, { level: 9 });
}

/** The picture in these colours. */
export function writePng(
  packed: Uint8Array,
  { width, height }: Size,
  ground: Rgb,
  ink: Rgb,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BIT_DEPTH, INDEXED], 8);
  const palette = Buffer.alloc(256 * 3);
  for (let shade = 0; shade < 256; shade++) {
    for (const part of [0, 1, 2] as const) {
      const [from, to] = [ground[part], ink[part]];
      palette[shade * 3 + part] = Math.round(from + ((to - from) * shade) / 255);
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
