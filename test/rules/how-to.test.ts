// The table "How to" of ARCHITECTURE.md names all files of each kind of change: those that have the identifiers of its
// example.

import { existsSync, globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const FILES = globSync('{src/**/*.ts,src/intake/readers/*.json,docs/*.md}', { cwd: ROOT }).map(
  (path) => ({
    path,
    text: read(path),
  }),
);

/** What a cell has in code type. */
const codeOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const ROWS = read('ARCHITECTURE.md')
  .split('\n## How to\n')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .flatMap((line) => {
    const [, kind = '', like = '', needs = ''] = line.split('|').map((cell) => cell.trim());
    const files = codeOf(needs).filter((code) => /^(?:src|docs)\/.*\.\w+$/.test(code));
    return files.length === 0 ? [] : [{ kind, identifiers: codeOf(like), files }];
  });

test('there are seven kinds', () => {
  expect(ROWS).toHaveLength(7);
});

test.each(ROWS)('a new $kind needs the files that it names', ({ identifiers, files }) => {
  // Queries are methods with a name of their own.
  const isNamedElsewhere = (path: string) => path === 'src/snapshot/queries.ts';
  const found = FILES.filter(({ text }) => identifiers.some((each) => hasWord(text, each)));
  const paths = found.map(({ path }) => path);
  const unnamed = paths.filter((path) => !files.some((each) => matchesGlob(path, each)));
  const unneeded = files.filter(
    (each) => !isNamedElsewhere(each) && !paths.some((path) => matchesGlob(path, each)),
  );
  expect({ unnamed, unneeded }).toEqual({ unnamed: [], unneeded: [] });
});

test('the functions and constants that rows of "What is where" name are in the files of their rows', () => {
  const rows = read('ARCHITECTURE.md')
    .split('\n## What is where\n')[1]!
    .split('\n## ')[0]!
    .split('\n');
  const missing = rows.flatMap((row) => {
    const [identifiers, others] = [codeOf(row).filter(isIdentifier), codeOf(row)];
    const paths = others.filter((code) => /^(?:src|bench|test)\//.test(code));
    const texts = FILES.filter(({ path }) => paths.some((each) => path.startsWith(each)));
    return identifiers.filter((one) => !texts.some(({ text }) => hasWord(text, one)));
  });
  expect(missing).toEqual([]);
});

/** Such as `planEntries`, `#page`, `ANALYSER`, `Subscription`. */
function isIdentifier(code: string): boolean {
  if (existsSync(`${ROOT}/${code}`)) return false;
  return /^#?[a-z]+[A-Z]\w*$|^[A-Z][A-Z_]+$|^[A-Z][a-z]\w+$/.test(code);
}

/** Whether a text has an identifier, and not as a part of another one. */
function hasWord(text: string, identifier: string): boolean {
  const escaped = RegExp.escape(identifier);
  return new RegExp(`(?<![a-zA-Z])${escaped}(?![a-zA-Z])`).test(text);
}
