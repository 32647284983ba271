// Words that the glossary of ARCHITECTURE.md retired stay retired, also as parts of identifiers.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEXT_FILE =
  /\.(?:ts|js|md|css|lua|wat|yaml|yml|sql|conf|cfg|json)$|(?:^|\/)(?:Dockerfile|Caddyfile)$/;
/** Texts of reviews, word lists, and the history of the schema. */
const EXCEPTIONS = [
  /^examples\//,
  /^bench\/data\//,
  /^src\/(?:insights|model)\/.*\.json$/,
  /^package-lock\.json$/,
  /^src\/store\/migrations\.ts$/,
  /^test\/store\/[\w-]*migration\.test\.ts$/,
];
/** Sections of documents that name retired words. */
const SECTIONS = new Map([
  ['ARCHITECTURE.md', 'Glossary'],
  ['CONTRIBUTING.md', 'Style'],
]);

/** Retired words: code type in the last column of the glossary. */
function retiredWords(): string[] {
  const glossary = /^## Glossary\n[\s\S]*?(?=\n## |$(?![\s\S]))/m.exec(read('ARCHITECTURE.md'))![0];
  const cells = [...glossary.matchAll(/^\|[^|]*\|[^|]*\|([^|]*)\|$/gm)].map(([, cell]) => cell!);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The words of a text, in lower case: `publishOwed` is one word of two parts, "publish-owed". */
function wordsOf(line: string): string[] {
  return (line.match(/[A-Za-z]\w*/g) ?? []).map((word) =>
    word
      .replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3-$2$4')
      .replaceAll('_', '-')
      .toLowerCase(),
  );
}

/** Lines that use a retired word, as `line number: word`. */
function violations(text: string, retired: readonly string[]): string[] {
  const parts = retired.flatMap(wordsOf);
  return text.split('\n').flatMap((line, index) => {
    const words = wordsOf(line).map((word) => `-${word}-`);
    const found = parts.filter((part) => words.some((word) => word.includes(`-${part}-`)));
    return found.map((part) => `${index + 1}: ${part}`);
  });
}

/** A document without the section that may name retired words; line numbers stay. */
function withoutSection(text: string, heading: string | undefined): string {
  if (heading === undefined) return text;
  let isInside = false;
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('## ')) isInside = line === `## ${heading}`;
    return isInside ? '' : line;
  });
  return lines.join('\n');
}

test('the glossary retires words', () => {
  expect(retiredWords()).toEqual(expect.arrayContaining(['owed', 'moot', 'keeper', 'alsoShow']));
});

test.each([
  ['What is owed.', ['1: owed']],
  ['\nawait publishOwed(store);', ['2: owed']],
  ['const OWED_SINCE = owed_since;', ['1: owed']],
  ['await alsoShow(snapshot);', ['1: also-show']],
  ['It is allowed, and showed that the flow is smooth.', []],
  ['It also shows the snapshot.', []],
])('in %j it finds %j', (text, found) => {
  expect(violations(text, ['owed', 'moot', 'alsoShow'])).toEqual(found);
});

test('no file uses a retired word', () => {
  const retired = retiredWords();
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => TEXT_FILE.test(path) && !EXCEPTIONS.some((pattern) => pattern.test(path)))
    .filter((path) => path !== 'test/rules/words.test.ts');
  expect(files).toContain('src/main.ts');
  const found = files.flatMap((path) => {
    const text = withoutSection(read(path), SECTIONS.get(path));
    const ofName = violations(path, retired).map(() => `${path}: its name`);
    return [...ofName, ...violations(text, retired).map((each) => `${path}:${each}`)];
  });
  expect(found).toEqual([]);
});
