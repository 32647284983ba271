// The icon of the site, made from the logo: an ICO file with a small and a large picture.

import { LOGO_FORMATS, type LogoFormat } from '../../model/logo.ts';
import { draw } from './draw.ts';
import type { CleanLogo } from './problem.ts';

/** Pixels on each side: for tabs, and for lists of sites. */
const SIZES = [32, 180];
/** A side may be this many times the other. A longer logo is not readable as a small square. */
const MAX_RATIO = 2;

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;

/**
 * Draws the icon; null if the logo has another shape.
 *
 * @throws {LogoProblem} if the logo cannot be drawn.
 */
export async function drawIcon(
  { bytes, width, height }: CleanLogo,
  format: LogoFormat,
): Promise<Buffer | null> {
  const data = Buffer.from(bytes).toString('base64');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><image width="180" height="180" ' +
    `href="data:${LOGO_FORMATS[format].contentType};base64,${data}"/></svg>`;
  // Drawn in any case: what the renderer cannot read, browsers cannot either.
  const pictures = await draw({ svg, sizes: SIZES });
  const isSquare = width <= MAX_RATIO * height && height <= MAX_RATIO * width;
  return isSquare ? writeIcon(pictures) : null;
}

/** Writes PNG pictures as one ICO file. */
function writeIcon(pictures: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(DIRECTORY_BYTES + pictures.length * ENTRY_BYTES);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let start = head.length;
  pictures.forEach((picture, index) => {
    const at = DIRECTORY_BYTES + index * ENTRY_BYTES;
    const size = SIZES[index] as number;
    head.set([size, size, 0, 0, 1, 0, 32, 0], at);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(start, at + 12);
    start += picture.length;
  });
  return Buffer.concat([head, ...pictures]);
}
