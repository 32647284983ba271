// Files of logos: what is taken, what is left out of them, and what is refused.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draw } from '../../src/intake/logo/draw.ts';
import { cleanJpeg } from '../../src/intake/logo/jpeg.ts';
import { cleanPng } from '../../src/intake/logo/png.ts';
import { isLogoPath, readLogo } from '../../src/intake/logo/read-pictures.ts';
import { logoFormatOf } from '../../src/model/business-pictures.ts';
import { jpegOf, jpegSegment, pngChunk, pngOf, SVG_LOGO, SVG_START } from '../support/logos.ts';

let folder: string;
let business: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-logo-'));
  business = join(folder, 'business.json');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function readNamed(name: string, content: Uint8Array | string) {
  await writeFile(join(folder, name), content);
  return readLogo(business, name);
}

const textOf = (text: string) => Buffer.from(text, 'latin1');

describe('a logo', () => {
  test.each([
    ['logo.png', pngOf(60, 40), 'png'],
    ['logo.jpg', jpegOf(), 'jpg'],
    ['logo.svg', SVG_LOGO, 'png'],
    // The content decides, not the name.
    ['logo.gif', `\ufeff<?xml version="1.0"?>\n<!-- a -->\n${SVG_LOGO}`, 'png'],
  ])('may be %s', async (name, content, format) => {
    const { logo, notes } = await readNamed(name, content);
    expect(logoFormatOf(logo.bytes)).toBe(format);
    expect(notes).toEqual([]);
    // An ICO file of two pictures.
    expect(Buffer.from(logo.icon!).subarray(0, 8).toString('hex')).toBe('0000010002002020');
  });

  test('that is more than twice as wide as high is no icon', async () => {
    expect((await readNamed('wide.png', pngOf(81, 40))).logo.icon).toBeNull();
  });

  test.each([
    ['gone.png', null, 'which does not exist'],
    ['empty.png', '', 'an empty file'],
    ['a.gif', 'GIF89a', 'a GIF picture'],
    ['a.webp', 'RIFFabcdWEBPVP8 ', 'a WebP picture'],
    ['a.pdf', '%PDF-1.4', 'a PDF document'],
    ['a.txt', 'logo', 'a file with another content'],
    ['large.svg', `<svg>${' '.repeat(1024 * 1024)}`, 'a file of 1.0 MB'],
    ['a.html', '<!DOCTYPE html><html>', 'one that cannot be drawn: '],
    ['empty.svg', `${SVG_START}><g/></svg>`, 'one that cannot be drawn: it shows nothing'],
    ['bomb.png', pngOf(60_000, 60_000, { rows: 1 }), 'one of 60,000 × 60,000 pixels, where 4,096'],
    ['short.png', pngOf(3, 2, { rows: 1 }), 'one that cannot be drawn: it shows nothing'],
    // A picture that its checksums do not cover.
    ['bad.jpg', jpegOf({ size: [0, 200, 0, 200] }).fill(0, 90, 120), 'a damaged JPEG: '],
  ])('may not be %s', async (name, content, got) => {
    if (content !== null) await writeFile(join(folder, name), content);
    await expect(readLogo(business, name)).rejects.toThrow(
      `${business}: logo_url: expected a PNG, JPEG or SVG file of at most 1 MB, got "${name}", ${got}`,
    );
  });

  test('may not be a folder, a device or a pipe', async () => {
    await expect(readLogo(business, '.')).rejects.toThrow('got ".", which is a folder');
    await expect(readLogo(business, '/dev/zero')).rejects.toThrow('which is no regular file');
  });

  test('is a path, where an address would have a scheme', () => {
    const paths = ['logo.png', '../logo.svg', '/home/logo.png', 'C:\\logo.png'];
    const others = ['https://a/b.png', 'data:image/png;base64,', 'ftp://a', '//a/b', '', null, 5];
    expect([...paths, ...others].filter(isLogoPath)).toEqual(paths);
  });

  test('that takes too long to draw is refused', async () => {
    const endless = draw({ svg: SVG_LOGO, sizes: [32] }, 0);
    await expect(endless).rejects.toThrow('it was not drawn within 0 s');
  });
});

describe('a PNG', () => {
  test('keeps what shows the picture, and nothing after its end', () => {
    const extra = [
      pngChunk('tEXt', textOf('Author\0Mike')),
      pngChunk('eXIf', textOf('place')),
      pngChunk('gAMA', Buffer.of(0, 0, 177, 143)),
    ];
    const file = Buffer.concat([pngOf(3, 2, { extra }), textOf('<script>alert(1)</script>')]);
    const { bytes, width, height } = cleanPng(file);
    const expected = pngOf(3, 2, { extra: extra.slice(2) });
    expect([Buffer.from(bytes).equals(expected), width, height]).toEqual([true, 3, 2]);
  });

  test.each<[string, Buffer, string]>([
    ['ends early', pngOf(3, 2).subarray(0, -3), 'the file ends early'],
    ['was altered', pngOf(3, 2).fill(7, 45, 46), 'a checksum is wrong'],
    [
      'has a second header',
      pngOf(3, 2, { extra: [pngChunk('IHDR', Buffer.alloc(13))] }),
      'misplaced',
    ],
    [
      'has an unknown chunk',
      pngOf(3, 2, { extra: [pngChunk('ABCD', Buffer.alloc(1))] }),
      'unknown',
    ],
    ['has no pixels', pngOf(0, 2), 'one without pixels'],
  ])('that %s is refused', (_what, file, reason) => {
    expect(() => cleanPng(file)).toThrow(reason);
  });
});

describe('a JPEG', () => {
  test('keeps what shows the picture, and nothing after its end', () => {
    const camera = jpegSegment(0xe1, ...textOf('Exif\0\0place'));
    const comment = jpegSegment(0xfe, ...textOf('<script>'));
    const jfif = jpegSegment(0xe0, ...textOf('JFIF\0\x01\x01\0\0\x01\0\x01\0\0'));
    const file = Buffer.concat([jpegOf({ extra: [jfif, camera, comment] }), textOf('PK\x03\x04')]);
    const { bytes, width, height } = cleanJpeg(file);
    expect([Buffer.from(bytes).equals(jpegOf({ extra: [jfif] })), width, height]).toEqual([
      true,
      8,
      8,
    ]);
  });

  test('of a camera that was turned is reported', () => {
    // One entry: the orientation, a short number.
    const little = 'Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0';
    const big = 'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0';
    const notesOf = (data: string) =>
      cleanJpeg(jpegOf({ extra: [jpegSegment(0xe1, ...textOf(data))] })).notes;
    const note = 'the camera was turned, which is not kept: save the picture upright';
    expect([little, big].map(notesOf)).toEqual([[note], [note]]);
    const upright = little.replace('\x06', '\x01');
    const broken = [
      little.slice(0, 20),
      little.slice(0, 14),
      'Exif\0\0',
      `${big.slice(0, 14)}\xff\xff`,
    ];
    expect([upright, ...broken].map(notesOf)).toEqual([[], [], [], [], []]);
  });

  test.each<[string, Buffer, string]>([
    ['ends early', jpegOf().subarray(0, -1), 'it ends early'],
    ['ends in a segment', jpegOf().subarray(0, 30), 'it ends early'],
    ['has no picture', Buffer.of(0xff, 0xd8, 0xff, 0xd9), 'it has no picture'],
    ['no browser decodes', jpegOf({ extra: [jpegSegment(0xc3, 8)] }), 'the marker c3 is unknown'],
    ['is too large', jpegOf({ size: [255, 255, 255, 255] }), 'one of 65,535 × 65,535 pixels'],
  ])('that %s is refused', (_what, file, reason) => {
    expect(() => cleanJpeg(file)).toThrow(reason);
  });
});

describe('an SVG', () => {
  const drawn = async (content: string) => {
    const { logo, notes } = await readNamed('drawn.svg', `${SVG_START}>${content}</svg>`);
    return { png: cleanPng(Buffer.from(logo.bytes)), notes };
  };
  const PATH = '<path d="M0 0h60v40z"/>';

  test('becomes a PNG of its own shape, with nothing but the picture', async () => {
    const { png, notes } = await drawn(`<script>alert(1)</script>${PATH}`);
    expect([png.width, png.height, notes]).toEqual([1024, 683, []]);
    expect(Buffer.from(png.bytes).includes('alert')).toBe(false);
    const high = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 60">${PATH}</svg>`;
    const { logo } = await readNamed('high.svg', high);
    expect(cleanPng(Buffer.from(logo.bytes))).toMatchObject({ width: 683, height: 1024 });
  });

  test('with text is reported', async () => {
    expect((await drawn('<text y="30">Harbor</text>')).notes).toEqual([
      'its text is drawn in a plain font: convert it to paths to keep its look',
    ]);
  });

  const laughs = (element: (id: number) => string) =>
    Array.from({ length: 9 }, (_, id) => element(id)).join('') + `<g id="i9">${PATH}</g>`;
  test.each([
    [
      'entities in entities',
      `<!DOCTYPE svg [<!ENTITY a "${'ha'.repeat(99)}">${laughs((id) => `<!ENTITY i${id + 1} "${`&i${id};`.repeat(10)}">`)}]>${SVG_START}>&i9;</svg>`,
    ],
    [
      'an element that is drawn a billion times',
      `${SVG_START}>${laughs((id) => `<g id="i${id}">${`<use href="#i${id + 1}"/>`.repeat(10)}</g>`)}</svg>`,
    ],
    ['an element in itself', `${SVG_START}><g id="a"><use href="#a"/></g></svg>`],
    [
      'a picture of another address',
      `${SVG_START}><image href="https://evil.example/a.png"/></svg>`,
    ],
    ['no XML', `${SVG_START}><g></svg>`],
    ['no namespace', '<svg viewBox="0 0 1 1"/>'],
  ])('with %s is refused', async (_what, file) => {
    await expect(readNamed('bad.svg', file)).rejects.toThrow('one that cannot be drawn: ');
  });
});
