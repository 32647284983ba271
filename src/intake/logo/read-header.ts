// Reads the file of the picture at the top of the first page, checks it by its content, and cleans it.

import { dirname, resolve } from 'node:path';
import { InputError, show } from '../../errors.ts';
import {
  HEADER_FORMATS,
  headerFormatOf,
  type HeaderFormat,
  type HeaderPicture,
} from '../../model/business-pictures.ts';
import { reasonOf } from '../text/text.ts';
import { proveDrawable } from './icon.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { type CleanLogo, LogoProblem } from './problem.ts';
import { describeOther, readLimited } from './read-logo.ts';
import { cleanWebp } from './webp.ts';

interface ReadHeader {
  readonly header: HeaderPicture;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** What the operator should know about the file. */
  readonly notes: readonly string[];
}

const CLEAN: Readonly<Record<HeaderFormat, (file: Buffer) => CleanLogo>> = {
  png: cleanPng,
  jpg: cleanJpeg,
  webp: cleanWebp,
};

/** Narrower pictures are blurred on wide screens. */
const GOOD_WIDTH = 1200;

/**
 * Reads the picture that a business file names.
 *
 * @throws {InputError} saying what was expected.
 */
export async function readHeader(businessFile: string, path: string): Promise<ReadHeader> {
  const refuse = (got: string, cause?: unknown) =>
    new InputError(
      `${businessFile}: site.header: expected a PNG, JPEG or WebP file of at most 1 MB, got ${show(path)}, ${got}`,
      { cause },
    );
  try {
    const file = await readLimited(resolve(dirname(businessFile), path));
    const format = headerFormatOf(file);
    if (format === null) throw refuse(describeOther(file));
    const clean = CLEAN[format](file);
    const { bytes, width, height, notes } = clean;
    // The renderer reads no WebP.
    if (format !== 'webp') await proveDrawable(clean, HEADER_FORMATS[format].contentType);
    const narrow = `only ${width} pixels wide: ${GOOD_WIDTH} or more are sharp on wide screens`;
    const all = width < GOOD_WIDTH ? [...notes, narrow] : notes;
    return { header: { bytes }, width, height, notes: all };
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (error instanceof LogoProblem) throw refuse(error.message, error);
    // Errors of the file system have codes; others are faults.
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw refuse(`which ${reasonOf(error)}`, error);
  }
}
