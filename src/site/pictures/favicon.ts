// `/favicon.ico`, which browsers, feed readers and crawlers request by convention: the icon of the pages
// as a bitmap in the operator's colour.

import { parseHex } from 'culori/fn';

export const FAVICON_TYPE = 'image/vnd.microsoft.icon';

/** Width and height in pixels. The shapes use the same units. */
const SIZE = 32;
const CORNER_RADIUS = 7;
/** Vertices of the star in icon.svg. */
const STAR = '16,6 19.1,12.3 26,13.3 21,18.2 22.2,25 16,21.8 9.8,25 11,18.2 6,13.3 12.9,12.3'
  .split(' ')
  .map((point) => point.split(',').map(Number) as [number, number]);
/** Samples per axis of a pixel, for antialiasing. */
const SAMPLES = 4;

const DIRECTORY_BYTES = 22;
const HEADER_BYTES = 40;
const PIXEL_BYTES = SIZE * SIZE * 4;
/** One bit per pixel. All are zero, because the alpha channel replaces the mask. */
const MASK_BYTES = (SIZE * SIZE) / 8;

/** Renders an ICO file with one 32-bit bitmap. */
export function renderFavicon(color: string): Buffer {
  const icon = Buffer.alloc(DIRECTORY_BYTES + HEADER_BYTES + PIXEL_BYTES + MASK_BYTES);
  icon.writeUInt16LE(1, 2);
  icon.writeUInt16LE(1, 4);
  icon.set([SIZE, SIZE, 0, 0, 1, 0, 32, 0], 6);
  icon.writeUInt32LE(icon.length - DIRECTORY_BYTES, 14);
  icon.writeUInt32LE(DIRECTORY_BYTES, 18);
  const header = icon.subarray(DIRECTORY_BYTES);
  header.writeUInt32LE(HEADER_BYTES, 0);
  header.writeInt32LE(SIZE, 4);
  // The height includes the mask.
  header.writeInt32LE(2 * SIZE, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const { r, g, b } = parseHex(color) ?? { r: 0, g: 0, b: 0 };
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      // Rows are stored bottom-up.
      const at = HEADER_BYTES + ((SIZE - 1 - y) * SIZE + x) * 4;
      const { square, star } = coverageOf(x, y);
      const shade = (part: number) =>
        square === 0 ? 0 : Math.round((255 * (star + part * (square - star))) / square);
      header.set([shade(b), shade(g), shade(r), Math.round(255 * square)], at);
    }
  }
  return icon;
}

/** The share of a pixel that each shape covers, 0 to 1. */
function coverageOf(left: number, top: number): { square: number; star: number } {
  let [square, star] = [0, 0];
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const x = left + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const y = top + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    if (isInSquare(x, y)) square += 1;
    if (isInStar(x, y)) star += 1;
  }
  return { square: square / SAMPLES ** 2, star: star / SAMPLES ** 2 };
}

function isInSquare(x: number, y: number): boolean {
  const beyond = (coordinate: number) => {
    const nearest = Math.min(Math.max(coordinate, CORNER_RADIUS), SIZE - CORNER_RADIUS);
    return coordinate - nearest;
  };
  return Math.hypot(beyond(x), beyond(y)) <= CORNER_RADIUS;
}

/** Even-odd rule: a point is inside if a ray to the right crosses the outline an odd number of times. */
function isInStar(x: number, y: number): boolean {
  let isInside = false;
  // A plain loop: this runs 150,000 times before the server is ready.
  for (let index = 0; index < STAR.length; index++) {
    const from = STAR[index]!;
    const to = STAR[index + 1 < STAR.length ? index + 1 : 0]!;
    if (from[1] > y === to[1] > y) continue;
    const crossing = from[0] + ((to[0] - from[0]) * (y - from[1])) / (to[1] - from[1]);
    if (x < crossing) isInside = !isInside;
  }
  return isInside;
}
