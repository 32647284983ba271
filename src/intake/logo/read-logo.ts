// Reads the file of a logo, checks it by its content, and cleans it.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { InputError, show } from '../../errors.ts';
import {
  type Logo,
  LOGO_FORMATS,
  logoFormatOf,
  type LogoFormat,
  MAX_LOGO_BYTES,
} from '../../model/business-pictures.ts';
import { reasonOf } from '../text/text.ts';
import { drawIcon } from './icon.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { type CleanLogo, LogoProblem } from './problem.ts';
import { cleanSvg } from './svg.ts';

export interface ReadLogo {
  readonly logo: Logo;
  /** What the operator should know about the file. */
  readonly notes: readonly string[];
}

const CLEAN: Readonly<Record<LogoFormat, (file: Buffer) => CleanLogo>> = {
  png: cleanPng,
  jpg: cleanJpeg,
  svg: cleanSvg,
};

/** Other formats, for messages: a text in the file, and where it is. */
const OTHERS: readonly (readonly [text: string, at: number, format: string])[] = [
  ['GIF8', 0, 'a GIF picture'],
  ['WEBP', 8, 'a WebP picture'],
  ['ftypavi', 4, 'an AVIF picture'],
  ['BM', 0, 'a BMP picture'],
  ['\0\0\x01\0', 0, 'an icon'],
  ['%PDF', 0, 'a PDF document'],
  ['\x1f\x8b', 0, 'a compressed file'],
];

/**
 * Whether the `logo_url` of a business file names a file beside it, and not an address. A drive letter is no
 * scheme.
 */
export function isLogoPath(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^[a-z][\w+.-]+:|^\/\//i.test(value);
}

/**
 * Reads the logo that a business file names.
 *
 * @throws {InputError} saying what was expected.
 */
export async function readLogo(businessFile: string, path: string): Promise<ReadLogo> {
  const refuse = (got: string, cause?: unknown) =>
    new InputError(
      `${businessFile}: logo_url: expected a PNG, JPEG or SVG file of at most 1 MB, got ${show(path)}, ${got}`,
      { cause },
    );
  let file: Buffer;
  try {
    file = await readLimited(resolve(dirname(businessFile), path));
  } catch (error) {
    throw error instanceof LogoProblem
      ? refuse(error.message)
      : refuse(`which ${reasonOf(error)}`, error);
  }
  const format = logoFormatOf(file);
  if (format === null) throw refuse(describeOther(file));
  try {
    const clean = CLEAN[format](file);
    const icon = await drawIcon(clean, LOGO_FORMATS[format].contentType);
    return { logo: { bytes: clean.bytes, icon }, notes: clean.notes };
  } catch (error) {
    if (error instanceof LogoProblem) throw refuse(error.message, error);
    throw error;
  }
}

/** Never reads more than the limit, whatever grows meanwhile, and no devices, which may have no end. */
export async function readLimited(path: string): Promise<Buffer> {
  // Opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new LogoProblem('which is a folder');
    if (!stats.isFile()) throw new LogoProblem('which is no regular file');
    const buffer = Buffer.alloc(MAX_LOGO_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > MAX_LOGO_BYTES) {
      throw new LogoProblem(`a file of ${(stats.size / 1024 / 1024).toFixed(1)} MB`);
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}

/** What a file of another format is, in words that follow "got". */
export function describeOther(file: Buffer): string {
  if (file.length === 0) return 'an empty file';
  const start = file.toString('latin1', 0, 16);
  const known = OTHERS.find(([text, at]) => start.startsWith(text, at));
  return known?.[2] ?? 'a file with another content';
}
