// Reads the files of a logo and of the picture of the first page, checks them by their content, and cleans them.

import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { InputError, show } from '../../errors.ts';
import {
  HEADER_FORMATS,
  headerFormatOf,
  type HeaderFormat,
  LOGO_FORMATS,
  logoFormatOf,
  type LogoFormat,
  MAX_LOGO_BYTES,
} from '../../model/business-pictures.ts';
import { reasonOf } from '../text/text.ts';
import others from './other-formats.json' with { type: 'json' };
import { drawIcon, drawSvg, proveDrawable } from './icon.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { type CleanLogo, LogoProblem } from './problem.ts';
import { cleanWebp } from './webp.ts';

const RASTER = { png: cleanPng, jpg: cleanJpeg };
const CLEAN_LOGO: Readonly<Record<LogoFormat, (file: Buffer) => CleanLogo | Promise<CleanLogo>>> = {
  ...RASTER,
  svg: drawSvg,
};
const CLEAN_HEADER: Readonly<Record<HeaderFormat, (file: Buffer) => CleanLogo>> = {
  ...RASTER,
  webp: cleanWebp,
};

/** Narrower pictures are blurred on wide screens. */
const GOOD_WIDTH = 1200;

/**
 * Whether the `logo_url` of a business file names a file beside it, and not an address. A drive letter is no
 * scheme.
 */
export function isLogoPath(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !/^[a-z][\w+.-]+:|^\/\//i.test(value);
}

/** Reads the logo that a business file names. @throws {InputError} saying what was expected. */
export function readLogo(businessFile: string, path: string) {
  const named = { businessFile, path, key: 'logo_url', formats: 'PNG, JPEG or SVG' };
  return readPicture(named, async (file) => {
    const format = logoFormatOf(file);
    if (format === null) return null;
    const clean = await CLEAN_LOGO[format](file);
    const drawn = format === 'svg' ? 'png' : format;
    const icon = await drawIcon(clean, LOGO_FORMATS[drawn].contentType);
    return { logo: { bytes: clean.bytes, icon }, notes: clean.notes };
  });
}

/**
 * Reads the picture at the top of the first page that a business file names.
 *
 * @throws {InputError} saying what was expected.
 */
export function readHeader(businessFile: string, path: string) {
  const named = { businessFile, path, key: 'site.header', formats: 'PNG, JPEG or WebP' };
  return readPicture(named, async (file) => {
    const format = headerFormatOf(file);
    if (format === null) return null;
    const clean = CLEAN_HEADER[format](file);
    const { bytes, width, height, notes } = clean;
    // The renderer reads no WebP.
    if (format !== 'webp') await proveDrawable(clean, HEADER_FORMATS[format].contentType);
    const narrow = `only ${width} pixels wide: ${GOOD_WIDTH} or more are sharp on wide screens`;
    return {
      header: { bytes },
      width,
      height,
      notes: width < GOOD_WIDTH ? [...notes, narrow] : notes,
    };
  });
}

/** `take` returns null for a file of another format. */
async function readPicture<T>(
  { businessFile, path, key, formats }: Record<'businessFile' | 'path' | 'key' | 'formats', string>,
  take: (file: Buffer) => Promise<T | null>,
): Promise<T> {
  const refuse = (got: string, cause?: unknown) =>
    new InputError(
      `${businessFile}: ${key}: expected a ${formats} file of at most 1 MB, got ${show(path)}, ${got}`,
      { cause },
    );
  try {
    const file = await readLimited(resolve(dirname(businessFile), path));
    const taken = await take(file);
    if (taken === null) throw refuse(describeOther(file));
    return taken;
  } catch (error) {
    if (error instanceof LogoProblem) throw refuse(error.message, error);
    // Errors of the file system have codes; others are faults.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw refuse(`which ${reasonOf(error)}`, error);
  }
}

/** Never reads more than the limit, whatever grows meanwhile, and no devices, which may have no end. */
async function readLimited(path: string): Promise<Buffer> {
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
function describeOther(file: Buffer): string {
  if (file.length === 0) return 'an empty file';
  const start = file.toString('latin1', 0, 16);
  const known = others.find(({ text, at }) => start.startsWith(text, at));
  return known?.what ?? 'a file with another content';
}
