// The link preview picture as PNG. Publishing draws it in shades (draw-rating-picture.ts); the server and the
// export apply the operator's colour, which publishing does not know.

import { parseHex } from 'culori/fn';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { PICTURE_NAME, PICTURE_SIZE } from './draw-rating-picture.ts';
import { writePng } from './png.ts';
import { readableTint } from './theme.ts';

/** The picture of a snapshot as PNG in the operator's colour, or null if none was drawn. */
export function ratingPicture(snapshot: Snapshot, color: string): Buffer | null {
  const packed = snapshot.picture(PICTURE_NAME);
  if (packed === null) return null;
  const { accent, inverse } = readableTint(color, 'light');
  return writePng(packed, PICTURE_SIZE, rgbOf(accent), rgbOf(inverse));
}

function rgbOf(color: string): [number, number, number] {
  const { r, g, b } = parseHex(color) ?? { r: 0, g: 0, b: 0 };
  return [r, g, b].map((part) => Math.round(part * 255)) as [number, number, number];
}
