// The link preview picture as PNG. Publishing draws it in shades (draw-rating-picture.ts); the server and the
// export apply the operator's colour, which publishing does not know.

import type { Snapshot } from '../../snapshot/snapshot.ts';
import { PICTURE_NAME } from './draw-rating-picture.ts';
import { PICTURE_SIZE } from './picture-renderer.ts';
import { rgbOf, writePng } from './png.ts';
import { readableTint } from '../parts/theme.ts';

/** The picture of a snapshot as PNG in the operator's colour, or null if none was drawn. */
export function ratingPicture(snapshot: Snapshot, color: string): Buffer | null {
  const packed = snapshot.picture(PICTURE_NAME);
  if (packed === null) return null;
  const { accent, inverse } = readableTint(color, 'light');
  return writePng(packed, PICTURE_SIZE, rgbOf(accent), rgbOf(inverse));
}
