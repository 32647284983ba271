// Files that are read whole: business files and mappings.

import { readFile } from 'node:fs/promises';
import { InputError } from '../errors.ts';
import type { Business } from '../model/business.ts';
import { parseBusiness } from './json.ts';
import { reasonOf } from './text.ts';

/**
 * Reads a business file that an option or argument names.
 *
 * @throws {InputError} with every issue.
 */
export async function readBusiness(file: string, option: string): Promise<Business> {
  const text = await readSmall(file, option, 'a file that can be read');
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: expected a business in JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return parseBusiness(file, record, null);
}

/** Reads a whole file of UTF-8 text that an option names. */
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
