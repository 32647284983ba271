// `/favicon.ico`, which browsers, feed readers and crawlers request by convention: the icon of the pages
// as a picture in the operator's colour.

import { packShades, rgbOf, writePng } from './png.ts';

export const FAVICON_TYPE = 'image/vnd.microsoft.icon';

/** Width and height in pixels. The shapes use the same units. */
const SIZE = 32;
/** Vertices of the star in icon.svg. */
const STAR = '16,6 19.1,12.3 26,13.3 21,18.2 22.2,25 16,21.8 9.8,25 11,18.2 6,13.3 12.9,12.3'
  .split(' ')
  .map((point) => point.split(',').map(Number) as [number, number]);
/** Samples per axis of a pixel, for antialiasing. */
const SAMPLES = 4;
const DIRECTORY_BYTES = 22;
const WHITE = [255, 255, 255] as const;

/** Renders an ICO file with one PNG. */
export function renderFavicon(color: string): Buffer {
  const size = { width: SIZE, height: SIZE };
  const shades = Uint8Array.from({ length: SIZE * SIZE }, (_, at) =>
    Math.round(255 * starAt(at % SIZE, Math.floor(at / SIZE))),
  );
  const picture = writePng(packShades(shades, size), size, rgbOf(color), WHITE);
  const directory = Buffer.alloc(DIRECTORY_BYTES);
  directory.set([0, 0, 1, 0, 1, 0, SIZE, SIZE, 0, 0, 1, 0, 8, 0]);
  directory.writeUInt32LE(picture.length, 14);
  directory.writeUInt32LE(DIRECTORY_BYTES, 18);
  return Buffer.concat([directory, picture]);
}

/** The share of a pixel that the star covers, 0 to 1. */
function starAt(left: number, top: number): number {
  let covered = 0;
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
    const x = left + ((sample % SAMPLES) + 0.5) / SAMPLES;
    const y = top + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
    if (isInStar(x, y)) covered += 1;
  }
  return covered / SAMPLES ** 2;
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
