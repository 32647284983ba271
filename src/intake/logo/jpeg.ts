// Checks JPEG files (ITU-T T.81), and leaves out all but the picture: comments, the camera's data with
// the place of a photograph, previews, and what follows the end.

import { assertSize, type CleanLogo, damagedIn, type Size } from './problem.ts';

const damaged = damagedIn('JPEG');
const MARKER = {
  /** Start of frame: baseline, extended, progressive. Browsers decode no others. */
  frames: [0xc0, 0xc1, 0xc2],
  endOfImage: 0xd9,
  startOfScan: 0xda,
  adobe: 0xee,
  profile: 0xe2,
  jfif: 0xe0,
  exif: 0xe1,
  comment: 0xfe,
} as const;
/** The tag of Exif that says how a camera was held; 1 is upright. */
const ORIENTATION = 0x0112;
const UPRIGHT = 1;
/** Tables: Huffman, quantization, restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd];

/** @throws {LogoProblem} */
export function cleanJpeg(file: Buffer): CleanLogo {
  const kept = [file.subarray(0, 2)];
  let size: Size | null = null;
  let hasScan = false;
  let isUpright = true;
  for (let at = 2; ;) {
    const { marker, start, end } = readSegment(file, at);
    at = end;
    if (marker === MARKER.endOfImage) {
      kept.push(file.subarray(start, end));
      break;
    }
    const content = file.subarray(start + 4, end);
    if ((MARKER.frames as readonly number[]).includes(marker)) {
      if (size !== null) throw damaged('it has several frames');
      size = readFrame(content);
    }
    if (marker === MARKER.exif && readOrientation(content) !== UPRIGHT) isUpright = false;
    if (!isKept(marker, content)) continue;
    if (marker === MARKER.startOfScan) {
      if (size === null) throw damaged('its header is missing');
      hasScan = true;
      at = endOfScan(file, end);
    }
    kept.push(file.subarray(start, at));
  }
  if (size === null || !hasScan) throw damaged('it has no picture');
  const notes = isUpright
    ? []
    : ['the camera was turned, which is not kept: save the picture upright'];
  return { bytes: Buffer.concat(kept), ...size, notes };
}

/** A marker and its segment, after any fill bytes. */
function readSegment(file: Buffer, from: number): { marker: number; start: number; end: number } {
  let start = from;
  while (file[start] === 0xff && file[start + 1] === 0xff) start += 1;
  const marker = file[start + 1];
  if (marker === undefined) throw damaged('it ends early');
  if (file[start] !== 0xff) throw damaged('a marker is missing');
  if (marker === MARKER.endOfImage) return { marker, start, end: start + 2 };
  if (start + 4 > file.length) throw damaged('it ends early');
  const length = file.readUInt16BE(start + 2);
  const end = start + 2 + length;
  if (length < 2 || end > file.length) throw damaged('it ends early');
  return { marker, start, end };
}

function readFrame(content: Buffer): Size {
  if (content.length < 6) throw damaged('its header has another length');
  const [height, width] = [content.readUInt16BE(1), content.readUInt16BE(3)];
  assertSize(width, height);
  return { width, height };
}

/** The orientation in the first directory of Exif data; upright if it says nothing that can be read. */
function readOrientation(content: Buffer): number {
  if (content.toString('latin1', 0, 6) !== 'Exif\0\0' || content.length < 14) return UPRIGHT;
  const tiff = content.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const numberAt = (at: number, bytes: number) => {
    if (at + bytes > tiff.length) return 0;
    return isLittle ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes);
  };
  const directory = numberAt(4, 4);
  const entries = numberAt(directory, 2);
  for (let entry = 0; entry < entries; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) break;
    if (numberAt(at, 2) === ORIENTATION) return numberAt(at + 8, 2);
  }
  return UPRIGHT;
}

/** @throws {LogoProblem} if no browser decodes the segment. */
function isKept(marker: number, content: Buffer): boolean {
  if (marker === MARKER.jfif) return content.toString('latin1', 0, 4) === 'JFIF';
  if (marker === MARKER.profile) return content.toString('latin1', 0, 11) === 'ICC_PROFILE';
  if (marker === MARKER.adobe) return content.toString('latin1', 0, 5) === 'Adobe';
  if ((marker >= 0xe0 && marker <= 0xef) || marker === MARKER.comment) return false;
  if ([...MARKER.frames, ...TABLES, MARKER.startOfScan].includes(marker)) return true;
  throw damaged(`the marker ${marker.toString(16)} is unknown`);
}

/** The end of the compressed data: the next marker that is neither a stuffed byte nor a restart. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next !== undefined && next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7))
      return at;
  }
  throw damaged('it ends early');
}
