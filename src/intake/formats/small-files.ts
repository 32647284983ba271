// Files that are read whole: business files and mappings.

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { InputError } from '../../errors.ts';
import type { Business } from '../../model/business.ts';
import { type Logo, type HeaderPicture, headerPath } from '../../model/business-pictures.ts';
import { notesOnBusiness } from '../../model/business-notes.ts';
import { parseWritten } from '../../model/written-json.ts';
import { parseBusiness } from './json.ts';
import { isLogoPath, readHeader, readLogo } from '../logo/read-pictures.ts';
import { utf16Of } from '../text/encoding.ts';
import { reasonOf } from '../text/text.ts';

/** A business file, and the pictures whose files it names. */
export interface ReadBusiness {
  readonly business: Business;
  readonly logo: Logo | null;
  readonly header: HeaderPicture | null;
  readonly notes: readonly string[];
}

/**
 * Reads a business file that an option or argument names.
 *
 * @throws {InputError} with every issue.
 */
export async function readBusiness(file: string, option: string): Promise<ReadBusiness> {
  const text = await readSmall(file, option, 'a file that can be read');
  const example = '{ "name": "Elm Street Dental", "telephone": "802 555 0147" }';
  const record = parseWritten(file, 'a business', text, example) as Record<string, unknown>;
  const path = record?.['logo_url'];
  const site = record?.['site'] as Record<string, unknown> | null | undefined;
  const headerFile = site?.['header'];
  const isLogoFile = isLogoPath(path);
  const isHeaderFile = isLogoPath(headerFile);
  const given = {
    ...record,
    ...(isLogoFile && { logo_url: null }),
    ...(isHeaderFile && { site: { ...site, header: null } }),
  };
  const business = parseBusiness(file, isLogoFile || isHeaderFile ? given : record, null);
  const readLogoFile = isLogoFile ? await readLogo(file, path) : { logo: null, notes: [] };
  const notesOf = (name: unknown, notes: readonly string[]) =>
    notes.map((note) => `${String(name)}: ${note}`);
  const { logo } = readLogoFile;
  const notes = [
    ...notesOnBusiness(business, record['vertical']).map((note) => `${file}: ${note}`),
    ...notesOf(path, readLogoFile.notes),
  ];
  if (!isHeaderFile || !business.site) return { business, logo, header: null, notes };
  const { header, width, height, notes: more } = await readHeader(file, headerFile);
  const shown = { url: headerPath(header), width, height };
  return {
    business: { ...business, site: { ...business.site, header: shown } },
    logo,
    header,
    notes: [...notes, ...notesOf(headerFile, more)],
  };
}

/**
 * Reads a whole file of UTF-8 or UTF-16 text that an option names.
 *
 * @throws {InputError} if it cannot be read, or is no UTF-8.
 */
export async function readSmall(file: string, option: string, expected: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    // A shell of Windows writes UTF-16.
    return new TextDecoder(utf16Of(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) {
      const what = `${file}: expected text in UTF-8, got other bytes; save it again with the encoding UTF-8`;
      throw new InputError(what, { cause: error });
    }
    const what = `${option}: expected ${expected}, got "${resolve(file)}", which ${reasonOf(error)}`;
    throw new InputError(what, { cause: error });
  }
}
