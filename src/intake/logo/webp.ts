// Checks WebP files (RFC 9649), and leaves out all but the picture: the camera's data with the place of a
// photograph, other metadata, and what follows the end.

import { assertSize, type CleanLogo, damagedIn, LogoProblem, type Size } from './problem.ts';

const damaged = damagedIn('WebP');
const RIFF_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
const KEPT = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);
const PICTURES = new Set(['VP8 ', 'VP8L']);
const ANIMATION = new Set(['ANIM', 'ANMF']);
/** Flags of the extended header for what is kept: a colour profile and transparency. */
const KEPT_FLAGS = 0x30;
const LOSSY_START = 0x9d012a;
const LOSSLESS_START = 0x2f;

/** @throws {LogoProblem} */
export function cleanWebp(file: Buffer): CleanLogo {
  const kept: Buffer[] = [];
  let canvas: Size | null = null;
  let picture: Size | null = null;
  const end = CHUNK_HEAD_BYTES + file.readUInt32LE(4);
  if (end > file.length) throw damaged('it ends early');
  for (let at = RIFF_BYTES; at < end;) {
    if (at + CHUNK_HEAD_BYTES > end) throw damaged('it ends early');
    const type = file.toString('latin1', at, at + 4);
    const length = file.readUInt32LE(at + 4);
    const next = at + CHUNK_HEAD_BYTES + length + (length % 2);
    if (next > end) throw damaged('it ends early');
    const chunk = Buffer.from(file.subarray(at, next));
    const content = chunk.subarray(CHUNK_HEAD_BYTES, CHUNK_HEAD_BYTES + length);
    if (ANIMATION.has(type)) throw new LogoProblem('an animated WebP');
    if (type === 'VP8X') {
      if (kept.length > 0) throw damaged('its header is misplaced');
      canvas = readCanvas(content);
      content.writeUInt8(content.readUInt8(0) & KEPT_FLAGS, 0);
    }
    if (PICTURES.has(type)) {
      if (picture !== null) throw damaged('it has several pictures');
      picture = type === 'VP8L' ? readLossless(content) : readLossy(content);
    }
    if (KEPT.has(type)) kept.push(chunk);
    at = next;
  }
  if (picture === null) throw damaged('it has no picture');
  if (canvas && (canvas.width !== picture.width || canvas.height !== picture.height)) {
    throw damaged('the picture has another size than its header says');
  }
  assertSize(picture.width, picture.height);
  return { bytes: withHead(kept), ...picture, notes: [] };
}

function withHead(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]);
  const head = Buffer.alloc(CHUNK_HEAD_BYTES);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

function readCanvas(content: Buffer): Size {
  if (content.length !== 10) throw damaged('its header has another length');
  return { width: content.readUIntLE(4, 3) + 1, height: content.readUIntLE(7, 3) + 1 };
}

function readLossy(content: Buffer): Size {
  if (content.length < 10 || content.readUIntBE(3, 3) !== LOSSY_START) {
    throw damaged('the picture is unknown');
  }
  // The highest two bits scale the picture on the screen.
  return { width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff };
}

function readLossless(content: Buffer): Size {
  if (content.length < 5 || content.readUInt8(0) !== LOSSLESS_START) {
    throw damaged('the picture is unknown');
  }
  const bits = content.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
