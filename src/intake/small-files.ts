// Files that are read whole: business files and mappings.

import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import type { Business } from '../model/business.ts';
import type { Logo } from '../model/logo.ts';
import { parseBusiness } from './json.ts';
import { isLogoPath, readLogo } from './logo/read-logo.ts';
import { reasonOf } from './text.ts';

/** A business file, and the logo whose file it names. */
export interface ReadBusiness {
  readonly business: Business;
  readonly logo: Logo | null;
  /** What the operator should know about the logo. */
  readonly notes: readonly string[];
}

/**
 * Reads a business file that an option or argument names.
 *
 * @throws {InputError} with every issue.
 */
export async function readBusiness(file: string, option: string): Promise<ReadBusiness> {
  const text = await readSmall(file, option, 'a file that can be read');
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(text) as typeof record;
  } catch (error) {
    throw new InputError(`${file}: expected a business in JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const path = record?.['logo_url'];
  if (!isLogoPath(path))
    return { business: parseBusiness(file, record, null), logo: null, notes: [] };
  const business = parseBusiness(file, { ...record, logo_url: null }, null);
  const { logo, notes } = await readLogo(file, path);
  return { business, logo, notes: notes.map((note) => `${path}: ${note}`) };
}

/**
 * Reads a whole file of UTF-8 text that an option names.
 *
 * @throws {InputError} if it cannot be read, or is no UTF-8.
 */
export async function readSmall(file: string, option: string, expected: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new InputError(`${file}: expected text in UTF-8, got other bytes`, { cause: error });
    }
    throw new InputError(
      `${option}: expected ${expected}, got "${file}", which ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
}
