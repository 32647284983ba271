// The linter finds what it is there for: mistakes are planted and looked for.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A function of this many lines, comments included. */
function writeFunction(name: string, lines: number): string {
  return `export function ${name}(): number {\n${'  // Counts.\n'.repeat(lines - 3)}  return 1;\n}\n`;
}

const LONG_FUNCTIONS = writeFunction('long', 80) + writeFunction('tooLong', 81);

/** The planted files, by name. */
const IN_TESTS = {
  'library.ts':
    "import { rm } from 'node:fs/promises';\n\nexport function clear(): void {\n  rm('x');\n}\n",
  'store.ts':
    "import { Database } from '../../../src/store/database.ts';\n\n" +
    'export function end(database: Database): void {\n  database.close();\n}\n',
  'condition.ts':
    'export function check(isReady: () => Promise<boolean>): string {\n' +
    "  return isReady() ? 'yes' : 'no';\n}\n",
  'long.ts': LONG_FUNCTIONS,
  'correct.ts': 'export const ANSWER = 42;\n',
};
/** Where no rule is switched off. Not in src, which other tests read meanwhile. */
const STRICT = { 'strict.ts': LONG_FUNCTIONS };

let folders: string[];
/** The rules that each file breaks, by its name. One run finds them all, because it loads the types once. */
let broken: Readonly<Record<string, readonly string[]>>;
beforeAll(async () => {
  // Inside the project, so that its configuration and its types are the ones that count.
  folders = [
    await mkdtemp(join(ROOT, 'test/rules/planted-')),
    await mkdtemp(join(ROOT, 'planted-')),
  ];
  const found: Record<string, string[]> = {};
  const paths: string[] = [];
  for (const [place, files] of [IN_TESTS, STRICT].entries()) {
    for (const [name, code] of Object.entries(files)) {
      const path = join(folders[place]!, name);
      await writeFile(path, code);
      paths.push(path);
      found[name] = [];
    }
  }
  const { stdout } = await promisify(execFile)('oxlint', ['--format=json', ...paths], {
    cwd: ROOT,
  }).catch((error: { stdout: string }) => error);
  const { diagnostics, number_of_files: count } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
    number_of_files: number;
  };
  expect(count).toBe(paths.length);
  for (const { code, filename } of diagnostics) found[basename(filename)]!.push(code);
  broken = found;
});
afterAll(() => Promise.all(folders.map((each) => rm(each, { recursive: true }))));

test('a forgotten await of a library function is found', () => {
  expect(broken['library.ts']).toContain('typescript(no-floating-promises)');
});

test('a forgotten await of our own store is found', () => {
  expect(broken['store.ts']).toContain('typescript(no-floating-promises)');
});

test('a promise taken for a condition is found', () => {
  expect(broken['condition.ts']).toContain('typescript(no-misused-promises)');
});

test('a function of more than 80 lines is found, except in tests', () => {
  expect(broken['strict.ts']).toEqual(['eslint(max-lines-per-function)']);
  expect(broken['long.ts']).toEqual([]);
});

test('code without a mistake passes', () => {
  expect(broken['correct.ts']).toEqual([]);
});
