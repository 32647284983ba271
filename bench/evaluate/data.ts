// The files of bench/data.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../data');

/** The text of a file of `bench/data`, by its path there. */
export function readData(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8');
}

export function hasData(path: string): boolean {
  return existsSync(join(FOLDER, path));
}

/** The values of an NDJSON file. */
export function readItems<T>(path: string): T[] {
  return readData(path)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** The NDJSON files of a folder, by name without their ending, in the order of their names. */
export function readFolder<T>(folder: string): (readonly [name: string, items: T[]])[] {
  return globSync('*.ndjson', { cwd: join(FOLDER, folder) })
    .toSorted()
    .map((file) => [basename(file, '.ndjson'), readItems<T>(`${folder}/${file}`)]);
}
