// Checks PNG files (https://www.w3.org/TR/png-3/), and leaves out all but the picture: texts, dates, places,
// animations, and what follows the end.

import { crc32, createInflate } from 'node:zlib';
import { assertSize, type CleanLogo, LogoProblem } from './problem.ts';

const SIGNATURE_BYTES = 8;
/** Length, type and checksum of a chunk. */
const CHUNK_OVERHEAD = 12;
/** What decides how the picture looks. */
const KEPT = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs'.split(' '));
/** Samples of a pixel, by colour type, and the bit depths that the type may have. */
const COLOR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** First pixel and distance of pixels, across and down, in each pass of an interlaced picture. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Header {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
}

/** @throws {LogoProblem} */
export async function cleanPng(file: Buffer): Promise<CleanLogo> {
  const kept = [file.subarray(0, SIGNATURE_BYTES)];
  const data: Buffer[] = [];
  let header: Header | null = null;
  let at = SIGNATURE_BYTES;
  for (let type = ''; type !== 'IEND';) {
    const chunk = readChunk(file, at);
    type = chunk.toString('latin1', 4, 8);
    const content = chunk.subarray(8, -4);
    if ((type === 'IHDR') !== (header === null))
      throw damaged(`the chunk ${show(type)} is misplaced`);
    if (header === null) header = readHeader(content);
    if (type === 'IDAT') data.push(content);
    // An upper-case letter marks a chunk that no decoder may ignore.
    if (!KEPT.has(type) && /^[A-Z]/.test(type)) throw damaged(`the chunk ${show(type)} is unknown`);
    if (KEPT.has(type)) kept.push(chunk);
    at += chunk.length;
  }
  const { width, height } = header as Header;
  const expected = bytesOf(header as Header);
  if ((await inflatedLength(data, expected)) !== expected) {
    throw damaged('the picture has more or fewer pixels than its header says');
  }
  return { bytes: Buffer.concat(kept), width, height, notes: [] };
}

function readChunk(file: Buffer, at: number): Buffer {
  if (at + CHUNK_OVERHEAD > file.length) throw damaged('the file ends early');
  const end = at + CHUNK_OVERHEAD + file.readUInt32BE(at);
  if (end > file.length) throw damaged('the file ends early');
  const chunk = file.subarray(at, end);
  const checksum = chunk.readUInt32BE(chunk.length - 4);
  if (crc32(chunk.subarray(4, -4)) !== checksum) throw damaged('a checksum is wrong');
  return chunk;
}

function readHeader(content: Buffer): Header {
  if (content.length !== 13) throw damaged('the header has another length');
  const [depth, colorType, compression, filter, interlace] = content.subarray(8) as unknown as [
    number,
    number,
    number,
    number,
    number,
  ];
  const color = COLOR_TYPES[colorType];
  if (!color?.depths.includes(depth) || compression + filter > 0 || interlace > 1) {
    throw damaged('the header has unknown values');
  }
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
  assertSize(width, height);
  return { width, height, bitsPerPixel: color.samples * depth, isInterlaced: interlace === 1 };
}

/** The length of the inflated data: every row starts with a byte for its filter. */
function bytesOf({ width, height, bitsPerPixel, isInterlaced }: Header): number {
  const length = (columns: number, rows: number) =>
    columns <= 0 || rows <= 0 ? 0 : rows * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  if (!isInterlaced) return length(width, height);
  return PASSES.reduce(
    (sum, [left, top, across, down]) =>
      sum + length(Math.ceil((width - left) / across), Math.ceil((height - top) / down)),
    0,
  );
}

/** Stops soon after the limit: the data may inflate to a thousand times its length. */
async function inflatedLength(data: readonly Buffer[], limit: number): Promise<number> {
  const inflate = createInflate();
  inflate.end(Buffer.concat(data));
  let length = 0;
  try {
    for await (const piece of inflate) {
      length += (piece as Buffer).length;
      if (length > limit) break;
    }
  } catch (error) {
    throw damaged((error as Error).message);
  }
  return length;
}

function show(type: string): string {
  return JSON.stringify(type);
}

function damaged(reason: string): LogoProblem {
  return new LogoProblem(`a damaged PNG: ${reason}`);
}
