// Draws the link preview picture when a snapshot is built: the name of the business, its stars and the number
// of reviews, in shades without a colour (see rating-picture.ts).

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Resvg } from '@resvg/resvg-wasm';
import type { AggregateRatingJson } from '../model/rating.ts';
import { escapeXml } from '../model/xml.ts';
import { glyphTest } from './glyphs.ts';
import { packShades } from './png.ts';
import { starShape } from './star.ts';
import { type Language, languageOf } from '../strings/language.ts';
import type { Strings } from '../strings/strings.ts';

/** The size that sites recommend for link previews. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;
/** The picture's name in a snapshot. */
export const PICTURE_NAME = 'rating';

const FONT = 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf';
const FAMILY = 'DejaVu Sans';
const MARGIN = 80;
/** Font sizes for the name: the largest that fits is used. At the last, the name is truncated. */
const FONT_SIZES = [84, 72, 62, 54] as const;
const MAX_LINES = 2;
/** Maximum UTF-16 units of a name. */
const MAX_NAME_LENGTH = 200;
/** Control, format, private, unassigned and surrogate characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Draws the picture with a bundled font only, so that the result is the same on every machine. */
export async function drawRatingPicture(
  name: string,
  rating: Pick<AggregateRatingJson, 'rating_value' | 'review_count'>,
  { strings }: Language = languageOf(null),
): Promise<Record<string, Uint8Array>> {
  const renderer = await Renderer.open();
  const lines = renderer.fit(name);
  const pixels = renderer.draw(renderPicture(lines, rating, strings));
  const shades = new Uint8Array(PICTURE_SIZE.width * PICTURE_SIZE.height);
  for (let index = 0; index < shades.length; index++) shades[index] = pixels[index * 4] as number;
  return { [PICTURE_NAME]: packShades(shades, PICTURE_SIZE) };
}

/** Removes symbols that the font lacks. Returns "" if the font lacks a letter of the name. */
export function drawableName(name: string, isDrawable: (codePoint: number) => boolean): string {
  const visible = name
    .toWellFormed()
    .normalize('NFC')
    .replace(INVISIBLE, ' ')
    .slice(0, MAX_NAME_LENGTH);
  const characters = Array.from(visible.toWellFormed().replaceAll('\ufffd', ''));
  const missing = characters.filter((one) => !isDrawable(one.codePointAt(0) as number));
  if (missing.some((one) => WORD_CHARACTER.test(one) && !/\s/.test(one))) return '';
  const kept = characters.map((one) => (missing.includes(one) ? ' ' : one)).join('');
  return kept.replaceAll(/\s+/g, ' ').trim();
}

interface FittedName {
  readonly size: number;
  readonly lines: readonly string[];
}

class Renderer {
  readonly #engine: typeof Resvg;
  readonly #font: Uint8Array;
  readonly #widths = new Map<string, number>();

  private constructor(engine: typeof Resvg, font: Uint8Array) {
    this.#engine = engine;
    this.#font = font;
  }

  static async open(): Promise<Renderer> {
    const { resolve } = createRequire(import.meta.url);
    const { initWasm, Resvg: engine } = await import('@resvg/resvg-wasm');
    try {
      await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
    } catch (error) {
      // A thread publishes once, but tests draw several times.
      if (!/Already initialized/.test(String(error))) throw error;
    }
    return new Renderer(engine, readFileSync(resolve(FONT)));
  }

  /** Renders SVG to RGBA pixels. */
  draw(svg: string): Uint8Array {
    return this.#open(svg, (drawn) => {
      const image = drawn.render();
      const { pixels } = image;
      image.free();
      return pixels;
    });
  }

  /** Breaks a name into lines, at the largest font size that fits. */
  fit(name: string): FittedName {
    const drawable = drawableName(name, glyphTest(this.#font));
    const [smallest] = FONT_SIZES.slice(-1) as [number];
    if (drawable === '') return { size: smallest, lines: [] };
    for (const size of FONT_SIZES) {
      const lines = this.#break(drawable, size);
      if (lines.length <= MAX_LINES && lines.every((line) => this.#fits(line, size))) {
        return { size, lines };
      }
    }
    return { size: smallest, lines: this.#truncate(drawable, smallest) };
  }

  #fits(text: string, size: number): boolean {
    return this.#widthOf(text) * size <= PICTURE_SIZE.width - 2 * MARGIN;
  }

  /** At a font size of 1: measuring takes milliseconds, and widths are proportional to the size. */
  #widthOf(text: string): number {
    const known = this.#widths.get(text);
    if (known !== undefined) return known;
    const size = 100;
    const svg = picture(textOf(text, size, 200), { width: 100_000, height: 400 });
    const width = this.#open(svg, (drawn) => {
      const box = drawn.getBBox();
      const measured = box?.width ?? 0;
      // Otherwise the garbage collector frees it, and an error then ends the process.
      box?.free();
      return measured;
    });
    this.#widths.set(text, width / size);
    return width / size;
  }

  #break(text: string, size: number): string[] {
    const lines: string[] = [];
    for (const word of text.split(' ')) {
      const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && this.#fits(longer, size)) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  }

  /** Truncates a text to the lines that fit, with an ellipsis. */
  #truncate(text: string, size: number): string[] {
    const lines: string[] = [];
    let rest = text;
    while (rest !== '' && lines.length < MAX_LINES) {
      const isLast = lines.length === MAX_LINES - 1;
      const ellipsis = isLast ? '…' : '';
      const characters = Array.from(rest);
      let length = characters.length;
      if (!this.#fits(rest, size)) {
        let low = 1;
        while (low < length) {
          const middle = Math.ceil((low + length) / 2);
          if (this.#fits(characters.slice(0, middle).join('') + ellipsis, size)) low = middle;
          else length = middle - 1;
        }
        const space = characters.lastIndexOf(' ', length);
        if (space > length / 2) length = space;
      }
      const line = characters.slice(0, length).join('');
      rest = characters.slice(length).join('').trim();
      lines.push(rest === '' ? line : line + ellipsis);
    }
    return lines;
  }

  #open<Result>(svg: string, use: (picture: InstanceType<typeof Resvg>) => Result): Result {
    const drawn = new this.#engine(svg, {
      font: { fontBuffers: [this.#font], defaultFontFamily: FAMILY, loadSystemFonts: false },
    });
    try {
      return use(drawn);
    } finally {
      drawn.free();
    }
  }
}

function picture(content: string, { width, height }: { width: number; height: number }): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
}

function textOf(text: string, size: number, y: number, opacity = 1): string {
  // An explicit embedding (UAX #9), because the renderer assumes left-to-right lines.
  const embedded = RIGHT_TO_LEFT.test(text) ? `\u202b${text}\u202c` : text;
  return (
    `<text x="${PICTURE_SIZE.width / 2}" y="${y}" text-anchor="middle" fill="#fff" ` +
    `fill-opacity="${opacity}" font-family="${FAMILY}" font-weight="700" font-size="${size}">` +
    `${escapeXml(embedded)}</text>`
  );
}

/** Draws white on black: the brightness of a pixel is its shade. */
function renderPicture(
  { size, lines }: FittedName,
  { rating_value: mean, review_count: count }: Parameters<typeof drawRatingPicture>[1],
  strings: Strings,
): string {
  const { width, height } = PICTURE_SIZE;
  const lineHeight = size * 1.2;
  const starSize = 96;
  const block = lines.length * lineHeight + (mean === null ? 70 : starSize + 140);
  let y = (height - block) / 2;
  const parts = [`<rect width="${width}" height="${height}" fill="#000"/>`];
  for (const line of lines) {
    parts.push(textOf(line, size, y + size));
    y += lineHeight;
  }
  if (mean === null) {
    parts.push(textOf(strings.verifiedReviews, 40, y + 60, 0.85));
  } else {
    parts.push(stars(mean, starSize, y + 30));
    parts.push(textOf(strings.picture.outOfFive(mean, count), 40, y + 30 + starSize + 72, 0.9));
  }
  return picture(parts.join(''), PICTURE_SIZE);
}

function stars(mean: number, size: number, y: number): string {
  const gap = size * 1.15;
  const left = (PICTURE_SIZE.width - gap * 4 - size) / 2;
  return [0, 1, 2, 3, 4]
    .map((index) => {
      const filled = Math.min(Math.max(mean - index, 0), 1);
      const shape = `transform="translate(${left + index * gap} ${y}) scale(${size / 20})"`;
      const star = (attributes: string) => `<path ${attributes} fill="#fff" d="${starShape}"/>`;
      const outline = star(`${shape} fill-opacity=".28"`);
      if (filled === 0) return outline;
      if (filled === 1) return outline + star(shape);
      // The renderer clips in a layer of the size of the picture: only the star that needs it is clipped.
      return (
        `<clipPath id="part"><rect width="${filled * 20}" height="20"/></clipPath>` +
        `${outline}<g ${shape}>${star('clip-path="url(#part)"')}</g>`
      );
    })
    .join('');
}
