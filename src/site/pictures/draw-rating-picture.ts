// Draws the link preview picture when a snapshot is built: the name of the business, its stars and the number
// of reviews, in shades without a colour (see rating-picture.ts).

import { type AggregateRatingJson, shownMean } from '../../model/rating.ts';
import { type Language, languageOf } from '../../strings/language.ts';
import type { Strings } from '../../strings/strings.ts';
import {
  type FittedText,
  PICTURE_SIZE,
  PictureRenderer,
  starsOf,
  textOf,
} from './picture-renderer.ts';

/** The picture's name in a snapshot. */
export const PICTURE_NAME = 'rating';

const NAME = { sizes: [84, 72, 62, 54], maxLines: 2 } as const;

export async function drawRatingPicture(
  name: string,
  rating: Pick<AggregateRatingJson, 'review_count' | 'distribution'>,
  { strings }: Language = languageOf(null),
): Promise<Record<string, Uint8Array>> {
  const renderer = await PictureRenderer.open();
  return { [PICTURE_NAME]: renderer.draw(partsOf(renderer.fit(name, NAME), rating, strings)) };
}

function partsOf(
  { size, lines }: FittedText,
  rating: Parameters<typeof drawRatingPicture>[1],
  strings: Strings,
): string[] {
  const { review_count: count } = rating;
  const mean = shownMean(rating);
  const lineHeight = size * 1.2;
  const starSize = 96;
  const block = lines.length * lineHeight + (mean === null ? 70 : starSize + 140);
  let y = (PICTURE_SIZE.height - block) / 2;
  const parts: string[] = [];
  for (const line of lines) {
    parts.push(textOf(line, size, y + size));
    y += lineHeight;
  }
  if (mean === null) {
    parts.push(textOf(strings.verifiedReviews, 40, y + 60, 0.85));
  } else {
    parts.push(starsOf(mean, starSize, y + 30));
    parts.push(textOf(strings.picture.outOfFive(mean, count), 40, y + 30 + starSize + 72, 0.9));
  }
  return parts;
}
