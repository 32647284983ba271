// The link preview picture: deterministic, in the operator's colour, for any business name.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { glyphTest } from '../../src/site/pictures/glyphs.ts';
import { drawRatingPicture } from '../../src/site/pictures/draw-rating-picture.ts';
import { drawableText } from '../../src/site/pictures/picture-renderer.ts';
import { ratingPicture } from '../../src/site/pictures/rating-picture.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';

const RATING = { review_count: 4, distribution: { 1: 0, 2: 0, 3: 1, 4: 1, 5: 2 } };
const BETTER = { review_count: 4, distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 4 } };
const NONE = { review_count: 0, distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } };
const WIDTH = 1200;
const HEIGHT = 630;

const shadesOf = async (name: string, rating = RATING) => {
  const { rating: packed } = await drawRatingPicture(name, rating);
  return packed!;
};

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

test('the same content gives the same bytes, another rating different ones', async () => {
  const first = await shadesOf('Harbor Heating');
  expect(await shadesOf('Harbor Heating')).toEqual(first);
  const other = await shadesOf('Harbor Heating', BETTER);
  expect(Buffer.compare(first, other)).not.toBe(0);
  const digest = createHash('sha256').update(inflateSync(first)).digest('hex');
  expect(digest.slice(0, 16)).toMatchInlineSnapshot(`"0010963e5f5b7919"`);
});

test("is a PNG of 1200 by 630 on the operator's colour", async () => {
  const packed = Buffer.from(await shadesOf('Harbor Heating'));
  const snapshot = { picture: () => packed } as unknown as Snapshot;
  const png = ratingPicture(snapshot, '#1f5c4d')!;
  expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([WIDTH, HEIGHT]);
  const palette = png.indexOf('PLTE') + 4;
  expect(png.subarray(palette, palette + 3).toString('hex')).toBe('1f5c4d');
  expect(png.subarray(palette + 765, palette + 768).toString('hex')).toBe('fbfaf7');
  const pale = ratingPicture(snapshot, '#ffee99')!;
  expect(pale.subarray(palette, palette + 3).toString('hex')).not.toBe('ffee99');
  expect(ratingPicture({ picture: () => null } as unknown as Snapshot, '#1f5c4d')).toBeNull();
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
  ])('that is %s stays inside the picture', async (_kind, name) => {
    const packed = await shadesOf(name);
    const [left, right] = inkColumns(packed);
    expect(left).toBeGreaterThanOrEqual(60);
    expect(right).toBeLessThanOrEqual(WIDTH - 60);
    const [top, bottom] = inkRows(packed);
    expect(top).toBeGreaterThan(40);
    expect(bottom).toBeLessThan(HEIGHT - 40);
  });

  test('in letters that the font lacks is omitted', async () => {
    const nameless = await shadesOf('');
    expect(await shadesOf('日本語レストラン')).toEqual(nameless);
    expect(await shadesOf('\u202e\u0007\ud800')).toEqual(nameless);
    expect(Buffer.compare(await shadesOf('Harbor'), nameless)).not.toBe(0);
  });

  test('with markup is drawn as text', async () => {
    const hostile = await shadesOf('</text><rect width="1200" height="630" fill="#fff"/>&amp;');
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

test('a business without reviews has a picture', async () => {
  const [top, bottom] = inkRows(await shadesOf('Harbor', NONE));
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
