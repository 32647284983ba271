// The settings file: a JSON object whose keys are the names of variables in lower case.

import { existsSync, readFileSync } from 'node:fs';
import { formatIssue, InputError, show } from '../errors.ts';
import { nearestName } from '../model/closeness.ts';
import { type ImportSource, importSourcesSchema } from '../model/import-source.ts';
import { issuesOf } from '../model/issues.ts';
import { parseWritten } from '../model/written-json.ts';

export interface SettingsFile {
  /** As the user named it, for messages. */
  readonly path: string;
  /** Values by the names of their variables, in the form that a variable has. */
  readonly values: Readonly<Record<string, string>>;
  /** Sources that are kept in step. */
  readonly sources: readonly ImportSource[];
  /** One line for each bad key or value. */
  readonly problems: readonly string[];
}

/** The only key that no variable has. */
const SOURCES = 'sources';
const EXAMPLE = '{ "base_url": "https://reviews.example.com", "authors": "initials" }';

/**
 * Reads a settings file. Keys that begin with `//` are comments. Null if it does not exist, unless it `mustExist`.
 *
 * @throws {InputError} if it cannot be read, or is not a JSON object.
 */
export function readSettingsFile(
  path: string,
  names: readonly string[],
  { mustExist }: { readonly mustExist: boolean },
): SettingsFile | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && existsSync(`${path}.txt`)) {
      const rename = `ren ${path}.txt ${path}`;
      throw new InputError(`expected ${path}, got ${path}.txt: rename it; on Windows: ${rename}`);
    }
    if (code === 'ENOENT' && !mustExist) return null;
    throw new InputError(
      `${path}: expected a settings file that can be read, got ${code === 'ENOENT' ? 'no file' : (code ?? String(error))}`,
      { cause: error },
    );
  }
  return parseSettings(path, text, names);
}

/** @throws {InputError} if the text is not a JSON object. */
export function parseSettings(path: string, text: string, names: readonly string[]): SettingsFile {
  const record = parseWritten(path, 'settings', text, EXAMPLE);
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw new InputError(`${path}: expected an object such as ${EXAMPLE}, got ${show(record)}`);
  }
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const keys = new Map(names.map((name) => [settingKey(name), name]));
  for (const [key, value] of Object.entries(record)) {
    if (key === '$schema' || key.startsWith('//') || key === SOURCES) continue;
    const name = keys.get(key);
    const given = textOf(value);
    if (name === undefined) {
      problems.push(
        `${path}: expected ${hintFor(key, [...keys.keys(), SOURCES])}, got the unknown key ${show(key)}`,
      );
    } else if (given === null) {
      problems.push(
        `${path}: ${key}: expected a text, a number, true, false, or a list of texts, got ${show(value)}`,
      );
    } else if (given !== '') values[name] = given;
  }
  const sources = importSourcesSchema.safeParse(
    (record as Readonly<Record<string, unknown>>)[SOURCES] ?? [],
  );
  for (const issue of sources.success ? [] : issuesOf(sources.error)) {
    problems.push(`${path}: ${formatIssue({ ...issue, path: [SOURCES, ...issue.path] })}`);
  }
  return { path, values, sources: sources.data ?? [], problems };
}

export function settingKey(name: string): string {
  return name.toLowerCase();
}

/** A value as a variable has it; null if it has no such form. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  const parts = value.map(textOf);
  return parts.every((part) => part !== null) ? parts.join(',') : null;
}

function hintFor(key: string, known: readonly string[]): string {
  const close = nearestName(settingKey(key), known);
  return close === undefined ? 'a key that docs/operating.md names' : show(close);
}
