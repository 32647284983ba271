// Pictures beside links: deterministic, in the operator's colour, for any name.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { glyphTest } from '../../src/site/pictures/glyphs.ts';
import { drawSharePicture } from '../../src/site/pictures/draw-share-picture.ts';
import { drawableText, PictureRenderer } from '../../src/site/pictures/picture-renderer.ts';
import type { ShareContent } from '../../src/site/pictures/share-picture.ts';

const CONTENT: ShareContent = {
  text: 'Harbor Heating',
  rating: 4.3,
  note: '4.3 out of 5 · 4 verified reviews',
  business: '',
  background: '#1f5c4d',
  foreground: '#fbfaf7',
};
const WIDTH = 1200;
const HEIGHT = 630;

let renderer: PictureRenderer;
beforeAll(async () => {
  renderer = await PictureRenderer.open();
});

const draw = (changes: Partial<ShareContent>) =>
  drawSharePicture(renderer, { ...CONTENT, ...changes });

/** The compressed shades of the picture of a name. */
function shadesOf(text: string, changes: Partial<ShareContent> = {}): Buffer {
  const png = draw({ text, ...changes });
  const at = png.indexOf('IDAT');
  return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
}

/** The first and last row with any ink. */
function inkRows(packed: Uint8Array): readonly [first: number, last: number] {
  const lines = inflateSync(packed);
  const isInked = (row: number) =>
    lines.subarray(row * (WIDTH + 1) + 1, (row + 1) * (WIDTH + 1)).some((shade) => shade > 0);
  const rows = Array.from({ length: HEIGHT }, (_, row) => row).filter(isInked);
  return [rows[0]!, rows.at(-1)!];
}

/** The first and last column with any ink. */
function inkColumns(packed: Uint8Array): readonly [first: number, last: number] {
  const lines = inflateSync(packed);
  let [first, last] = [WIDTH, 0];
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      if (lines[row * (WIDTH + 1) + 1 + column] === 0) continue;
      first = Math.min(first, column);
      last = Math.max(last, column);
    }
  }
  return [first, last];
}

test('the same content gives the same bytes, another rating different ones', () => {
  const first = shadesOf('Harbor Heating');
  expect(shadesOf('Harbor Heating')).toEqual(first);
  const other = shadesOf('Harbor Heating', { rating: 5 });
  expect(Buffer.compare(first, other)).not.toBe(0);
  const digest = createHash('sha256').update(inflateSync(first)).digest('hex');
  expect(digest.slice(0, 16)).toMatchInlineSnapshot(`"e1cae04cc39ee58c"`);
});

test("is a PNG of 1200 by 630 on the operator's colour", () => {
  const png = draw({});
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([WIDTH, HEIGHT]);
  const palette = png.indexOf('PLTE') + 4;
  expect(png.subarray(palette, palette + 3).toString('hex')).toBe('1f5c4d');
  expect(png.subarray(palette + 765, palette + 768).toString('hex')).toBe('fbfaf7');
});

describe('a name', () => {
  test.each([
    [
      'long',
      'The Long Established Family Company of Heating, Cooling, Plumbing and Drains of Merrow Harbor and All Around',
    ],
    ['a single long word', 'X'.repeat(190)],
    ['in wide letters', 'W'.repeat(60)],
    ['written right to left', 'מסעדת הים הגדולה של תל אביב והסביבה כולה מאז שנת אלף תשע מאות'],
  ])('that is %s stays inside the picture', (_kind, name) => {
    const packed = shadesOf(name);
    const [left, right] = inkColumns(packed);
    expect(left).toBeGreaterThanOrEqual(60);
    expect(right).toBeLessThanOrEqual(WIDTH - 60);
    const [top, bottom] = inkRows(packed);
    expect(top).toBeGreaterThan(40);
    expect(bottom).toBeLessThan(HEIGHT - 40);
  });

  test('in letters that the font lacks is omitted', () => {
    const nameless = shadesOf('');
    expect(shadesOf('日本語レストラン')).toEqual(nameless);
    expect(shadesOf('\u202e\u0007\ud800')).toEqual(nameless);
    expect(Buffer.compare(shadesOf('Harbor'), nameless)).not.toBe(0);
  });

  test('with markup is drawn as text', () => {
    const hostile = shadesOf('</text><rect width="1200" height="630" fill="#fff"/>&amp;');
    const [top] = inkRows(hostile);
    expect(top).toBeGreaterThan(40);
  });

  test('is drawn without symbols that the font lacks', () => {
    const isAscii = (codePoint: number) => codePoint < 128;
    expect(drawableText('Caf\u0065 🔧 & Co', isAscii)).toBe('Cafe & Co');
    expect(drawableText('🔧', isAscii)).toBe('');
    expect(drawableText('Café', isAscii)).toBe('');
  });
});

test('a business without reviews has a picture', () => {
  const [top, bottom] = inkRows(shadesOf('Harbor', { rating: null, note: 'Verified reviews' }));
  expect(top).toBeGreaterThan(100);
  expect(bottom).toBeLessThan(HEIGHT - 100);
});

test('the font covers Latin, Greek, Cyrillic, Hebrew and Arabic, but not Chinese', () => {
  const { resolve } = createRequire(import.meta.url);
  const has = glyphTest(readFileSync(resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')));
  const isDrawn = (text: string) => Array.from(text).map((one) => has(one.codePointAt(0)!));
  expect(isDrawn('AzéŁşßệ ΆωᾠЖёґאתبي')).not.toContain(false);
  expect(isDrawn('日한हก')).toEqual([false, false, false, false]);
  expect(has(0x1f527)).toBe(false);
});
