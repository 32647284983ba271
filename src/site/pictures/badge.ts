// The rating as a self-contained one-line SVG.

import { escapeXml } from '../../model/xml.ts';
import { starShape } from '../parts/star.ts';
import { readableTint } from '../parts/theme.ts';
import type { View } from '../view.ts';

export const BADGE_HEIGHT = 28;
const FONT_SIZE = 13;
/** Fonts with the same widths of letters (those of Arial), so that the text fits without being stretched. */
const FONTS = 'Arial,Helvetica,Liberation Sans,Arimo,sans-serif';
/** Widths in thousandths of the font size. */
const WIDTHS: ReadonlyMap<string, number> = new Map(
  (
    [
      [" .,'·ijlIt!|f", 278],
      ['r-()', 333],
      ['ckssvxyzJ', 500],
      ['mM', 833],
      ['wDHCNRU', 722],
      ['GOQ', 778],
    ] as const
  ).flatMap(([letters, width]) => Array.from(letters, (letter) => [letter, width] as const)),
);
const USUAL_WIDTH = 580;
/** Letters of most scripts beyond, such as Chinese, are about square. */
const WIDE_WIDTH = 1000;
const FIRST_WIDE = 0x2e80;
/** Room for a fallback font with wider letters. */
const SLACK = 1.06;

/** The width of a text in pixels. */
export function widthOf(text: string): number {
  let thousandths = 0;
  for (const letter of text) {
    const isWide = (letter.codePointAt(0) as number) >= FIRST_WIDE;
    thousandths += WIDTHS.get(letter) ?? (isWide ? WIDE_WIDTH : USUAL_WIDTH);
  }
  return Math.ceil((thousandths * FONT_SIZE * SLACK) / 1000);
}

/** Of a business or a branch; `mean` has one decimal, and is null without reviews. */
export function renderBadge(
  {
    business,
    rating,
    strings,
    format,
  }: Pick<View, 'business' | 'strings' | 'format'> & { readonly rating: { review_count: number } },
  mean: number | null,
  color: string,
): string {
  const { accent } = readableTint(color, 'light');
  const count = strings.verified(rating.review_count);
  const words = mean === null ? count : `${format.mean(mean)} · ${count}`;
  const textStart = mean === null ? 12 : 106;
  const width = textStart + widthOf(words) + 12;
  const label = escapeXml(`${business.name}: ${strings.aggregate(mean, rating.review_count)}`);
  const stars = [0, 1, 2, 3, 4].map((index) => {
    const shape = `transform="translate(${10 + index * 18} 5) scale(.9)" fill="${accent}"`;
    const filled = Math.round(Math.min(Math.max((mean ?? 0) - index, 0), 1) * 200) / 10;
    return (
      `<clipPath id="s${index}"><path d="M0 0h${filled}v20H0z"/></clipPath>` +
      `<g ${shape}><path fill-opacity=".25" d="${starShape}"/>` +
      `<path clip-path="url(#s${index})" d="${starShape}"/></g>`
    );
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${BADGE_HEIGHT}" ` +
    `viewBox="0 0 ${width} ${BADGE_HEIGHT}" role="img" aria-label="${label}"><title>${label}</title>` +
    `<rect x=".5" y=".5" width="${width - 1}" height="${BADGE_HEIGHT - 1}" rx="6" fill="#fff" ` +
    `stroke="#d9d6cf"/>${mean === null ? '' : stars.join('')}` +
    `<text x="${textStart}" y="18.5" font-family="${FONTS}" font-size="${FONT_SIZE}" ` +
    `fill="#1c1b19">${escapeXml(words)}</text></svg>\n`
  );
}
