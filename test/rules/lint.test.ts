// The linter finds what it is there for: a mistake is planted and looked for.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
/** Where no rule is switched off. Not in src, which other tests read meanwhile. */
let strictFolder: string;

beforeAll(async () => {
  // Inside the project, so that its configuration and its types are the ones that count.
  folder = await mkdtemp(join(ROOT, 'test/rules/planted-'));
  strictFolder = await mkdtemp(join(ROOT, 'planted-'));
});
afterAll(() => Promise.all([folder, strictFolder].map((each) => rm(each, { recursive: true }))));

/** The rules that a piece of code breaks. */
async function lint(code: string, where = folder): Promise<string[]> {
  const file = join(where, 'planted.ts');
  await writeFile(file, code);
  const { stdout } = await promisify(execFile)('oxlint', ['--format=json', file], {
    cwd: ROOT,
  }).catch((error: { stdout: string }) => error);
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  return diagnostics.map(({ code: rule }) => rule);
}

test('a forgotten await of a library function is found', async () => {
  const code =
    "import { rm } from 'node:fs/promises';\n\nexport function clear(): void {\n  rm('x');\n}\n";
  expect(await lint(code)).toContain('typescript(no-floating-promises)');
});

test('a forgotten await of our own store is found', async () => {
  const code =
    "import { Database } from '../../../src/store/database.ts';\n\n" +
    'export function end(database: Database): void {\n  database.close();\n}\n';
  expect(await lint(code)).toContain('typescript(no-floating-promises)');
});

test('a promise taken for a condition is found', async () => {
  const code =
    'export function check(isReady: () => Promise<boolean>): string {\n' +
    "  return isReady() ? 'yes' : 'no';\n}\n";
  expect(await lint(code)).toContain('typescript(no-misused-promises)');
});

/** A function of this many lines, comments included. */
function writeFunction(name: string, lines: number): string {
  return `export function ${name}(): number {\n${'  // Counts.\n'.repeat(lines - 3)}  return 1;\n}\n`;
}

test('a function of more than 80 lines is found, except in tests', async () => {
  const code = writeFunction('long', 80) + writeFunction('tooLong', 81);
  expect(await lint(code, strictFolder)).toEqual(['eslint(max-lines-per-function)']);
  expect(await lint(code)).toEqual([]);
});

test('code without a mistake passes', async () => {
  expect(await lint('export const ANSWER = 42;\n')).toEqual([]);
});
