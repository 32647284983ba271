// Draws pictures for link previews with a bundled font only, so that they are the same on every machine: text and
// stars in shades without a colour, white on black. The brightness of a pixel is its shade.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Resvg } from '@resvg/resvg-wasm';
import { escapeXml } from '../../model/xml.ts';
import { glyphTest } from './glyphs.ts';
import { packShades } from './png.ts';
import { starShape } from '../parts/star.ts';

/** The size that sites recommend for link previews. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;

const FONT = 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf';
const FAMILY = 'DejaVu Sans';
const MARGIN = 80;
/** Maximum UTF-16 units of a text. */
const MAX_TEXT_LENGTH = 200;
/** Control, format, private, unassigned and surrogate characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/gu;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;
const RIGHT_TO_LEFT = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

/** Removes symbols that the font lacks. Returns "" if the font lacks a letter of the text. */
export function drawableText(text: string, isDrawable: (codePoint: number) => boolean): string {
  const visible = text
    .toWellFormed()
    .normalize('NFC')
    .replace(INVISIBLE, ' ')
    .slice(0, MAX_TEXT_LENGTH);
  const characters = Array.from(visible.toWellFormed().replaceAll('\ufffd', ''));
  const missing = characters.filter((one) => !isDrawable(one.codePointAt(0) as number));
  if (missing.some((one) => WORD_CHARACTER.test(one) && !/\s/.test(one))) return '';
  const kept = characters.map((one) => (missing.includes(one) ? ' ' : one)).join('');
  return kept.replaceAll(/\s+/g, ' ').trim();
}

/** A text broken into lines. */
export interface FittedText {
  readonly size: number;
  readonly lines: readonly string[];
}

/** How a text may be set. */
interface FitOptions {
  /** The largest font size that fits is used. At the last, the text is truncated. */
  readonly sizes: readonly number[];
  readonly maxLines: number;
}

export class PictureRenderer {
  readonly #engine: typeof Resvg;
  readonly #font: Uint8Array;
  readonly #widths = new Map<string, number>();

  private constructor(engine: typeof Resvg, font: Uint8Array) {
    this.#engine = engine;
    this.#font = font;
  }

  static async open(): Promise<PictureRenderer> {
    const { resolve } = createRequire(import.meta.url);
    const { initWasm, Resvg: engine } = await import('@resvg/resvg-wasm');
    try {
      await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
    } catch (error) {
      // A thread publishes once, but tests draw several times.
      if (!/Already initialized/.test(String(error))) throw error;
    }
    return new PictureRenderer(engine, readFileSync(resolve(FONT)));
  }

  /** Draws parts of an SVG and packs the shades. */
  draw(parts: readonly string[]): Uint8Array {
    const { width, height } = PICTURE_SIZE;
    const background = `<rect width="${width}" height="${height}" fill="#000"/>`;
    const pixels = this.#open(picture(background + parts.join(''), PICTURE_SIZE), (drawn) => {
      const image = drawn.render();
      const rgba = image.pixels;
      image.free();
      return rgba;
    });
    // A renderer draws any number of pictures, each with other texts.
    this.#widths.clear();
    const shades = new Uint8Array(width * height);
    for (let index = 0; index < shades.length; index++) shades[index] = pixels[index * 4] as number;
    return packShades(shades, PICTURE_SIZE);
  }

  /** Breaks a text into lines, at the largest font size that fits. */
  fit(text: string, { sizes, maxLines }: FitOptions): FittedText {
    const drawable = drawableText(text, glyphTest(this.#font));
    const smallest = sizes.at(-1) as number;
    if (drawable === '') return { size: smallest, lines: [] };
    for (const size of sizes) {
      const lines = this.#break(drawable, size);
      if (lines.length <= maxLines && lines.every((line) => this.#fits(line, size))) {
        return { size, lines };
      }
    }
    return { size: smallest, lines: this.#truncate(drawable, smallest, maxLines) };
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
  #truncate(text: string, size: number, maxLines: number): string[] {
    const lines: string[] = [];
    let rest = text;
    while (rest !== '' && lines.length < maxLines) {
      const isLast = lines.length === maxLines - 1;
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

/** A centred line of text; `y` is its baseline. */
export function textOf(text: string, size: number, y: number, opacity = 1): string {
  // An explicit embedding (UAX #9), because the renderer assumes left-to-right lines.
  const embedded = RIGHT_TO_LEFT.test(text) ? `\u202b${text}\u202c` : text;
  return (
    `<text x="${PICTURE_SIZE.width / 2}" y="${y}" text-anchor="middle" fill="#fff" ` +
    `fill-opacity="${opacity}" font-family="${FAMILY}" font-weight="700" font-size="${size}">` +
    `${escapeXml(embedded)}</text>`
  );
}

/** Five stars from the top `y`, centred. */
export function starsOf(mean: number, size: number, y: number): string {
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
