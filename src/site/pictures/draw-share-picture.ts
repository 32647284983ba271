// Draws the pictures for links (share-picture.ts). The same content gives the same bytes.

import { PICTURE_SIZE, type PictureRenderer, starsOf, textOf } from './picture-renderer.ts';
import { rgbOf, writePng } from './png.ts';
import type { ShareContent } from './share-picture.ts';

const TEXT = { sizes: [76, 62, 50, 42], maxLines: 4 } as const;
const NOTE = { sizes: [38, 32, 27], maxLines: 1 } as const;
const BUSINESS = { sizes: [34, 28], maxLines: 1 } as const;
const LINE_HEIGHT = 1.2;
const STAR_SIZE = 72;
const STARS_GAP = 34;
const NOTE_GAP = 28;
/** Baseline of the name of the business, and the room for it. */
const FOOT = PICTURE_SIZE.height - 48;
const FOOT_HEIGHT = 80;

/** Draws the picture as PNG. */
export function drawSharePicture(renderer: PictureRenderer, content: ShareContent): Buffer {
  const text = renderer.fit(content.text, TEXT);
  const note = renderer.fit(content.note, NOTE);
  const business = renderer.fit(content.business, BUSINESS);
  const lineHeight = text.size * LINE_HEIGHT;
  const starsHeight = content.rating === null ? 0 : STARS_GAP + STAR_SIZE;
  const block = text.lines.length * lineHeight + starsHeight + NOTE_GAP + note.size;
  const foot = business.lines.length === 0 ? 0 : FOOT_HEIGHT;
  let y = Math.max((PICTURE_SIZE.height - foot - block) / 2, 0);
  const parts: string[] = [];
  for (const line of text.lines) {
    parts.push(textOf(line, text.size, y + text.size));
    y += lineHeight;
  }
  if (content.rating !== null) {
    parts.push(starsOf(content.rating, STAR_SIZE, y + STARS_GAP));
    y += starsHeight;
  }
  for (const line of note.lines) parts.push(textOf(line, note.size, y + NOTE_GAP + note.size, 0.9));
  for (const line of business.lines) parts.push(textOf(line, business.size, FOOT, 0.75));
  const shades = renderer.draw(parts);
  return writePng(shades, PICTURE_SIZE, rgbOf(content.background), rgbOf(content.foreground));
}
