// Checks the pieces of PNG files (https://www.w3.org/TR/png-3/), and leaves out all but the picture: texts, dates,
// places, animations, and what follows the end. Whether the pixels can be read is shown by drawing them.

import { crc32 } from 'node:zlib';
import { assertSize, type CleanLogo, damagedIn, type Size } from './problem.ts';

const damaged = damagedIn('PNG');
const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD = 12;
const HEADER_BYTES = 13;
const KEPT = new Set('IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs'.split(' '));

/** @throws {LogoProblem} */
export function cleanPng(file: Buffer): CleanLogo {
  const kept = [file.subarray(0, SIGNATURE_BYTES)];
  let size: Size | null = null;
  let at = SIGNATURE_BYTES;
  for (let type = ''; type !== 'IEND';) {
    const chunk = readChunk(file, at);
    type = chunk.toString('latin1', 4, 8);
    if ((type === 'IHDR') !== (size === null))
      throw damaged(`the chunk ${show(type)} is misplaced`);
    size ??= readSize(chunk.subarray(8, -4));
    // An upper-case letter marks a chunk that no decoder may ignore.
    if (!KEPT.has(type) && /^[A-Z]/.test(type)) throw damaged(`the chunk ${show(type)} is unknown`);
    if (KEPT.has(type)) kept.push(chunk);
    at += chunk.length;
  }
  if (size === null) throw damaged('its header is missing');
  return { bytes: Buffer.concat(kept), ...size, notes: [] };
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

function readSize(header: Buffer): Size {
  if (header.length !== HEADER_BYTES) throw damaged('the header has another length');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assertSize(width, height);
  return { width, height };
}

function show(type: string): string {
  return JSON.stringify(type);
}
