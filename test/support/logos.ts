// Small pictures for tests of logos.

import { crc32, deflateSync } from 'node:zlib';

export const SVG_START = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"';
export const SVG_LOGO = `${SVG_START}><rect width="60" height="40" fill="#1f5c4d"/></svg>`;

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A green PNG file. `rows` are those that it has, whatever its header says. */
export function pngOf(
  width: number,
  height: number,
  { rows = height, extra = [] }: { rows?: number; extra?: readonly Buffer[] } = {},
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const row = Buffer.concat([
    Buffer.of(0),
    ...Array.from({ length: width }, () => Buffer.of(31, 92, 77)),
  ]);
  return Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: rows }, () => row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function jpegSegment(marker: number, ...content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.of(0xff, marker, length >> 8, length & 255, ...content);
}

/** A grey JPEG file of 8 by 8 pixels: one block, whose only coefficient is zero. */
export function jpegOf({
  extra = [],
  size = [0, 8, 0, 8],
}: { extra?: readonly Buffer[]; size?: readonly number[] } = {}): Buffer {
  const oneCode = [1, ...Array.from({ length: 15 }, () => 0), 0];
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    ...extra,
    jpegSegment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    jpegSegment(0xc0, 8, ...size, 1, 1, 0x11, 0),
    jpegSegment(0xc4, 0x00, ...oneCode),
    jpegSegment(0xc4, 0x10, ...oneCode),
    jpegSegment(0xda, 1, 1, 0, 0, 63, 0),
    Buffer.of(0x3f, 0xff, 0xd9),
  ]);
}

/** A chunk of a WebP file. */
export function webpChunk(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** A WebP file of these chunks. */
export function webpOf(...chunks: readonly Buffer[]): Buffer {
  return webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
}

/** A green picture of 24 by 10 pixels, lossy and lossless. */
export const LOSSY_PICTURE = webpChunk(
  'VP8 ',
  Buffer.from('0AIAnQEqGAAKAD7RVKNLqCSjIbAIAQAaCUAYUAZSgAD+7B8+evVLXJx6iAAAAA==', 'base64'),
);
export const LOSSLESS_PICTURE = webpChunk(
  'VP8L',
  Buffer.from('LxdAAgAHUK5+tKn/gYjofwA=', 'base64'),
);

/** The extended header of a picture of 24 by 10 pixels. */
export function webpHeader(flags: number): Buffer {
  return webpChunk('VP8X', Buffer.of(flags, 0, 0, 0, 23, 0, 0, 9, 0, 0));
}
