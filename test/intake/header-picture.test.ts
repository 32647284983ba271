// The picture at the top of the first page: which files are taken, and what is left out of them.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readHeader } from '../../src/intake/logo/read-pictures.ts';
import { cleanWebp } from '../../src/intake/logo/webp.ts';
import { headerFormatOf } from '../../src/model/business-pictures.ts';
import {
  jpegOf,
  LOSSLESS_PICTURE,
  LOSSY_PICTURE,
  pngOf,
  SVG_LOGO,
  webpChunk,
  webpHeader,
  webpOf,
} from '../support/logos.ts';

let folder: string;
let business: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'header-'));
  business = join(folder, 'business.json');
});
afterAll(() => rm(folder, { recursive: true }));

describe('a file', () => {
  test.each<[string, Buffer, string, number, number]>([
    ['a.png', pngOf(1300, 2), 'png', 1300, 2],
    ['a.jpg', jpegOf(), 'jpg', 8, 8],
    ['a.webp', webpOf(LOSSY_PICTURE), 'webp', 24, 10],
    // The content decides, not the name.
    ['b.png', webpOf(LOSSLESS_PICTURE), 'webp', 24, 10],
  ])('may be %s', async (name, content, format, width, height) => {
    await writeFile(join(folder, name), content);
    const read = await readHeader(business, name);
    expect(headerFormatOf(read.header.bytes)).toBe(format);
    expect([read.width, read.height]).toEqual([width, height]);
    const narrow =
      width < 1200 ? [`only ${width} pixels wide: 1200 or more are sharp on wide screens`] : [];
    expect(read.notes).toEqual(narrow);
  });

  test.each<[string, string | Buffer | null, string]>([
    ['gone.png', null, 'which does not exist'],
    ['logo.svg', SVG_LOGO, 'a file with another content'],
    ['a.gif', 'GIF89a', 'a GIF picture'],
    ['large.jpg', Buffer.concat([jpegOf(), Buffer.alloc(1024 * 1024)]), 'a file of 1.0 MB'],
    ['bomb.png', pngOf(60_000, 60_000, { rows: 1 }), 'one of 60,000 × 60,000 pixels, where 4,096'],
    ['short.png', pngOf(3, 2, { rows: 1 }), 'one that cannot be drawn: it shows nothing'],
    ['short.webp', webpOf(LOSSY_PICTURE).subarray(0, -9), 'a damaged WebP: it ends early'],
  ])('may not be %s', async (name, content, got) => {
    if (content !== null) await writeFile(join(folder, name), content);
    await expect(readHeader(business, name)).rejects.toThrow(
      `${business}: site.header: expected a PNG, JPEG or WebP file of at most 1 MB, got "${name}", ${got}`,
    );
  });
});

describe('a WebP', () => {
  test('keeps what shows the picture, and nothing after its end', () => {
    const profile = webpChunk('ICCP', Buffer.from('profile'));
    const file = webpOf(
      webpHeader(0x20 | 0x08 | 0x04),
      profile,
      LOSSY_PICTURE,
      webpChunk('EXIF', Buffer.from('place')),
      webpChunk('XMP ', Buffer.from('author')),
    );
    const { bytes, width, height } = cleanWebp(Buffer.concat([file, Buffer.from('<script>')]));
    const expected = webpOf(webpHeader(0x20), profile, LOSSY_PICTURE);
    expect([Buffer.from(bytes).equals(expected), width, height]).toEqual([true, 24, 10]);
  });

  test.each<[string, Buffer, string]>([
    [
      'is an animation',
      webpOf(webpHeader(2), webpChunk('ANIM', Buffer.alloc(6))),
      'an animated WebP',
    ],
    ['has no picture', webpOf(webpHeader(0)), 'it has no picture'],
    ['has two pictures', webpOf(LOSSY_PICTURE, LOSSLESS_PICTURE), 'it has several pictures'],
    ['has its header last', webpOf(LOSSY_PICTURE, webpHeader(0)), 'its header is misplaced'],
    [
      'is another format inside',
      webpOf(webpChunk('VP8 ', Buffer.from('<html>0123'))),
      'the picture is unknown',
    ],
    [
      'says another size',
      webpOf(webpChunk('VP8X', Buffer.alloc(10)), LOSSY_PICTURE),
      'another size',
    ],
    [
      'has a chunk without end',
      webpOf(LOSSY_PICTURE, webpChunk('EXIF', Buffer.alloc(4)).fill(255, 4, 8)),
      'it ends early',
    ],
  ])('that %s is refused', (_what, file, reason) => {
    expect(() => cleanWebp(file)).toThrow(reason);
  });
});
