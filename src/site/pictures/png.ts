// Writes two-colour pictures as PNG with a palette (https://www.w3.org/TR/png-3/). Shades are stored
// without colours; the colours are set when the picture is served.

import { crc32, deflateSync } from 'node:zlib';
import { parseHex } from 'culori/fn';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BIT_DEPTH = 8;
const INDEXED = 3;
/** Level 9 takes ten times as long and saves a tenth. */
const LEVEL = 7;
/** Filter type of an unfiltered row. */
const NO_FILTER = 0;

interface Size {
  readonly width: number;
  readonly height: number;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Compresses shades, one byte each from background (0) to foreground (255), row by row, as IDAT data. */
export function packShades(shades: Uint8Array, { width, height }: Size): Uint8Array {
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row++) {
    rows[row * (width + 1)] = NO_FILTER;
    rows.set(shades.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  }
  return deflateSync(rows, { level: LEVEL });
}

/** Writes a PNG file of packed shades in two colours. */
export function writePng(
  packed: Uint8Array,
  { width, height }: Size,
  background: Rgb,
  foreground: Rgb,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BIT_DEPTH, INDEXED], 8);
  const palette = Buffer.alloc(256 * 3);
  for (let shade = 0; shade < 256; shade++) {
    for (const channel of [0, 1, 2] as const) {
      const [from, to] = [background[channel], foreground[channel]];
      palette[shade * 3 + channel] = Math.round(from + ((to - from) * shade) / 255);
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

/** The channels of a hexadecimal colour. */
export function rgbOf(color: string): Rgb {
  const { r, g, b } = parseHex(color) ?? { r: 0, g: 0, b: 0 };
  return [r, g, b].map((part) => Math.round(part * 255)) as [number, number, number];
}
