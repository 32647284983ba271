// What is drawn of a logo: an SVG as PNG, and the icon of the site, an ICO file with a small and a large picture.

import { draw } from './draw.ts';
import { cleanPng } from './png.ts';
import type { CleanLogo } from './problem.ts';

/** Pixels on each side: for tabs, and for lists of sites. */
const SIZES = [32, 180];
/** Pixels of the longer side of a logo that is an SVG: sharp at twice the size in which pages show it. */
const SVG_SIZE = 1024;
/** A side may be this many times the other. A longer logo is not readable as a small square. */
const MAX_RATIO = 2;

const DIRECTORY_BYTES = 6;
const ENTRY_BYTES = 16;

/** Draws an SVG as PNG, so that nothing but the picture is published. @throws {LogoProblem} if it cannot be drawn. */
export async function drawSvg(file: Buffer): Promise<CleanLogo> {
  const svg = file.toString();
  const [picture] = await draw({ svg, sizes: [SVG_SIZE] });
  const notes = /<text\b/.test(svg)
    ? ['its text is drawn in a plain font: convert it to paths to keep its look']
    : [];
  return { ...cleanPng(Buffer.from(picture as Uint8Array)), notes };
}

/** Draws the icon; null if the logo has another shape. @throws {LogoProblem} if the logo cannot be drawn. */
export async function drawIcon(logo: CleanLogo, contentType: string): Promise<Buffer | null> {
  const { width, height } = logo;
  // Drawn in any case: what the renderer cannot read, browsers cannot either.
  const pictures = await draw({ svg: svgOf(logo, contentType, 'xMidYMid'), sizes: SIZES });
  const isSquare = width <= MAX_RATIO * height && height <= MAX_RATIO * width;
  return isSquare ? writeIcon(pictures) : null;
}

/** Draws a picture so small that only its being one is shown. @throws {LogoProblem} if it cannot be drawn. */
export async function proveDrawable(picture: CleanLogo, contentType: string): Promise<void> {
  // Stretched, or a narrow picture would have no pixel.
  await draw({ svg: svgOf(picture, contentType, 'none'), sizes: [32] });
}

function svgOf({ bytes }: CleanLogo, contentType: string, fit: 'none' | 'xMidYMid'): string {
  const data = Buffer.from(bytes).toString('base64');
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="180" height="180"><image width="180" height="180" ' +
    `preserveAspectRatio="${fit}" href="data:${contentType};base64,${data}"/></svg>`
  );
}

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
