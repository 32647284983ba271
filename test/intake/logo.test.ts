// Files of logos: what is taken, what is left out of them, and what is refused.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { draw } from '../../src/intake/logo/draw.ts';
import { cleanJpeg } from '../../src/intake/logo/jpeg.ts';
import { cleanPng } from '../../src/intake/logo/png.ts';
import { isLogoPath, readLogo } from '../../src/intake/logo/read-pictures.ts';
import { cleanSvg } from '../../src/intake/logo/svg.ts';
import { logoFormatOf } from '../../src/model/logo.ts';
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
const svg = (content: string) => cleanSvg(Buffer.from(`${SVG_START}>${content}</svg>`));
/** The content of a cleaned SVG. */
const cleaned = (content: string) =>
  /^<svg [^>]*?(?:\/>|>(.*)<\/svg>)\n$/s.exec(Buffer.from(svg(content).bytes).toString())![1] ?? '';

describe('a logo', () => {
  test.each([
    ['logo.png', pngOf(60, 40), 'png'],
    ['logo.jpg', jpegOf(), 'jpg'],
    ['logo.svg', SVG_LOGO, 'svg'],
    // The content decides, not the name.
    ['logo.gif', `\ufeff<?xml version="1.0"?>\n<!-- a -->\n${SVG_LOGO}`, 'svg'],
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
    ['a.html', '<!DOCTYPE html><html>', 'XML that starts with <html> instead of <svg xmlns='],
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
  const PATH = '<path d="M0 0h9v9z"/>';

  test('keeps shapes, gradients, text, local references and styles', () => {
    const content =
      '<defs><linearGradient id="a" gradientTransform="rotate(45)"><stop offset="0" stop-color="#fff"/>' +
      '</linearGradient></defs><style>.b{fill:url(#a)}@media (prefers-color-scheme:dark){.b{fill:rgb(1,2,3)}}' +
      '</style><g class="b" style="opacity:.5" transform="translate(1 2)"><use href="#a"/>' +
      '<text font-family="&apos;Open Sans&apos;">Harbor &amp; <tspan>Sons</tspan></text></g>';
    expect(cleaned(content)).toBe(content);
    expect(svg(content).notes).toEqual([
      'its text is drawn in the fonts of each reader: convert it to paths to keep its look',
    ]);
  });

  test.each([
    ['<script>alert(1)</script>', '<script>'],
    ['<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>', '<foreignObject>'],
    ['<a href="javascript:alert(1)"><rect/></a>', '<a>'],
    ['<image href="https://evil.example/a.png"/>', '<image>'],
    ['<animate attributeName="href" values="javascript:alert(1)"/>', '<animate>'],
    ['<set attributeName="onload" to="alert(1)"/>', '<set>'],
    ['<iframe xmlns="http://www.w3.org/1999/xhtml" src="//evil.example"/>', '<iframe>'],
    ['<text xmlns="http://www.w3.org/1999/xhtml">a</text>', '<text>'],
    ['<style>@\\69mport "//evil.example"</style>', 'a style sheet', '<style></style>'],
    ['<style>g{fill:u\\72l(//evil.example)}</style>', 'a style sheet', '<style></style>'],
    ['<style>g{fill:url(//evil.example)}</style>', 'a style sheet', '<style></style>'],
    ['<style>g{background:image-set("//a" 1x)}</style>', 'a style sheet', '<style></style>'],
    ['<style><![CDATA[</style><script>]]></style>', 'a style sheet', '<style></style>'],
  ])('loses %s', (content, left, rest = '') => {
    expect(cleaned(content + PATH)).toBe(rest + PATH);
    expect(svg(content).notes).toEqual([`left out of the SVG: ${left}`]);
  });

  test.each([
    'onload="alert(1)"',
    'ONCLICK="alert(1)"',
    'href="https://evil.example/a.svg#b"',
    'href="data:image/svg+xml,%3Csvg"',
    'href="&#106;avascript:alert(1)"',
    'style="fill:url(https://evil.example)"',
    'style="fill:url( &quot;//evil.example&quot; )"',
    'fill="url(https://evil.example#a)"',
    'style="f:u/**/rl(//evil.example)"',
    'style="@import &quot;//evil.example&quot;"',
    'style="fill:\\75rl"',
    'style="behavior:expression(alert(1))"',
    'xmlns:x="http://www.w3.org/1999/xlink" x:href="//evil.example"',
    'formaction="//evil.example"',
  ])('loses the attribute %s', (attribute) => {
    expect(cleaned(`<path d="M0 0h9v9z" ${attribute}/>`)).toBe(PATH);
    expect(svg(`<path ${attribute}/>`).notes).toHaveLength(1);
  });

  test('loses silently what drawing programs keep for themselves', () => {
    const content =
      '<metadata><a/></metadata><s:namedview xmlns:s="http://sodipodi.example/" s:zoom="1"/>' +
      '<style>@import url("//fonts.example/a.css"); @font-face{src:url(a.woff)}.a{fill:red}</style>';
    expect(cleaned(content)).toBe('<style>.a{fill:red}</style>');
    expect(svg(content).notes).toEqual([]);
  });

  test('is written as well-formed XML without a document type, comments and instructions', () => {
    const start = '<?xml version="1.0"?><?xml-stylesheet href="//evil.example"?>';
    const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/a.dtd">';
    const file = `${start}${type}<!-- a -->${SVG_START}><title>a &lt;b> "c"</title></svg>`;
    const text = Buffer.from(cleanSvg(Buffer.from(file)).bytes).toString();
    expect(text).toBe(`${SVG_START}><title>a &lt;b&gt; &quot;c&quot;</title></svg>\n`);
    new SaxesParser({ xmlns: true }).write(text).close();
    expect(cleanSvg(Buffer.from(text)).bytes.toString()).toBe(text);
  });

  test('gets a viewBox from its width and height, so that it scales', () => {
    const sized = '<svg xmlns="http://www.w3.org/2000/svg" width="120px" height="40"/>';
    const { bytes, width, height } = cleanSvg(Buffer.from(sized));
    expect([bytes.toString(), width, height]).toEqual([
      `${sized.slice(0, -2)} viewBox="0 0 120 40"/>\n`,
      120,
      40,
    ]);
    expect(() => cleanSvg(Buffer.from(sized.replace('120px', '100%')))).toThrow(
      'an SVG with neither a viewBox nor a width and height',
    );
  });

  const laughs = (element: (id: number) => string) =>
    Array.from({ length: 9 }, (_, id) => element(id)).join('') +
    '<g id="i9"><path d="M0 0h1"/></g>';
  test.each([
    [
      'declares entities',
      `<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${SVG_START}>&b;</svg>`,
      'an SVG that declares entities',
    ],
    [
      'draws an element a billion times',
      `${SVG_START}>${laughs((id) => `<g id="i${id}">${`<use href="#i${id + 1}"/>`.repeat(10)}</g>`)}</svg>`,
      'elements, where 20,000 are the most',
    ],
    [
      'fills patterns with patterns',
      `${SVG_START}>${laughs((id) => `<pattern id="i${id}">${`<path fill="url(#i${id + 1})"/>`.repeat(10)}</pattern>`)}</svg>`,
      'elements, where 20,000 are the most',
    ],
    ['refers to itself', `${SVG_START}><g id="a"><use href="#a"/></g></svg>`, 'refers to itself'],
    [
      'refers in a long chain',
      `${SVG_START}>${Array.from({ length: 5000 }, (_, id) => `<use id="a${id}" href="#a${id + 1}"/>`).join('')}</svg>`,
      'in a chain that is too long',
    ],
    ['is nested too deep', `${SVG_START}>${'<g>'.repeat(100_000)}`, 'more than 64 levels deep'],
    ['skips too deep', `${SVG_START}>${'<a>'.repeat(100_000)}`, 'more than 64 levels deep'],
    ['is no XML', `${SVG_START}><g></svg>`, 'is not well-formed XML: line 1:'],
    ['names an unknown entity', `${SVG_START}>&nbsp;</svg>`, 'undefined entity'],
    ['has no namespace', '<svg viewBox="0 0 1 1"/>', 'instead of <svg xmlns='],
  ])('that %s is refused', (_what, file, reason) => {
    expect(() => cleanSvg(Buffer.from(file))).toThrow(reason);
  });

  test('that is not in UTF-8 is refused', () => {
    expect(() => cleanSvg(textOf('<svg>\xe9</svg>'))).toThrow('not in UTF-8');
  });
});
