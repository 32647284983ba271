// The rules of ARCHITECTURE.md that a reader of the code relies on.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SRC = join(ROOT, 'src');
const IMPORT =
  /^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm;

interface SourceFile {
  /** Relative to src/. */
  readonly path: string;
  readonly text: string;
  /** Paths relative to src/, or names of packages. */
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
  .map((path) => {
    const text = readFileSync(join(SRC, path), 'utf8');
    const imports = [...text.matchAll(IMPORT)].map(([, from, bare, dynamic]) => {
      const target = from ?? bare ?? dynamic ?? '';
      return target.startsWith('.') ? relative(SRC, resolve(SRC, dirname(path), target)) : target;
    });
    return { path, text, imports };
  });

/** The folder, or for a file at the root its name: a module of the table. */
function moduleOf(path: string): string {
  return path.split('/')[0]!.replace(/\.ts$/, '');
}

function allowedImports(): Map<string, Set<string>> {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const table = text.split('## Who may import whom')[1]!.split('\n## ')[0]!;
  const names = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  return new Map(
    [...table.matchAll(/^\| (`\w+`) \| (.*?) ?\|$/gm)].map(([, module, imports]) => [
      names(module!)[0]!,
      new Set(names(imports!)),
    ]),
  );
}

/** What may read the environment. */
const ENVIRONMENT = new Set(['config.ts', 'config/compile-cache.ts']);

const isOurs = (target: string) => target.endsWith('.ts');

describe('modules', () => {
  const allowed = allowedImports();

  test('are the ones in the table', () => {
    expect([...new Set(files.map(({ path }) => moduleOf(path)))].toSorted()).toEqual(
      [...allowed.keys()].toSorted(),
    );
  });

  test('import only what the table allows', () => {
    const broken = files.flatMap(({ path, imports }) =>
      imports
        .filter(isOurs)
        .filter((target) => {
          const [from, to] = [moduleOf(path), moduleOf(target)];
          return from !== to && !allowed.get(from)?.has(to);
        })
        .map((target) => `${path} imports ${target}`),
    );
    expect(broken).toEqual([]);
  });

  test('use each other: no row of the table allows what nothing needs', () => {
    const used = new Set(
      files.flatMap(({ path, imports }) =>
        imports.filter(isOurs).map((target) => `${moduleOf(path)} ${moduleOf(target)}`),
      ),
    );
    const unused = [...allowed].flatMap(([module, targets]) =>
      [...targets].map((target) => `${module} ${target}`).filter((pair) => !used.has(pair)),
    );
    expect(unused).toEqual([]);
  });

  test('do not import one another in a circle', () => {
    const importsOf = new Map(files.map(({ path, imports }) => [path, imports.filter(isOurs)]));
    const circles: string[] = [];
    // Each file once: there are millions of ways through the imports.
    const visited = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail, path].join(' > '));
      if (visited.has(path)) return;
      visited.add(path);
      for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
    };
    for (const { path } of files) visit(path, []);
    expect(circles).toEqual([]);
  });
});

test('a server loads nothing that only a publish needs: the analyser, and what draws', () => {
  const loadedBy = new Map(
    files.map(({ path, text }) => [
      path,
      [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+'([^']+)'/gm)].map(
        ([, target]) =>
          target!.startsWith('.') ? relative(SRC, resolve(SRC, dirname(path), target!)) : target!,
      ),
    ]),
  );
  const loaded = new Set<string>();
  const visit = (path: string): void => {
    if (loaded.has(path)) return;
    loaded.add(path);
    loadedBy.get(path)?.forEach(visit);
  };
  visit('serving/serve.ts');
  expect(loaded).toContain('site/site.ts');
  expect(
    [...loaded].filter((path) =>
      /^(?:@observablehq|@mixmark-io|@resvg|franc|publishing\/publish\.ts|site\/pictures\.ts|insights\/(?!reuse))/.test(
        path,
      ),
    ),
  ).toEqual([]);
});

describe('a file', () => {
  const breaking = (isBroken: (file: SourceFile) => boolean) =>
    files.filter(isBroken).map(({ path }) => path);

  test('speaks SQL only in store', () => {
    expect(
      breaking(
        ({ path, imports }) =>
          moduleOf(path) !== 'store' &&
          imports.some((target) => /^(?:kysely|node:sqlite|pg)(?:\/|$)/.test(target)),
      ),
    ).toEqual([]);
  });

  test('reads the environment only in config', () => {
    expect(
      breaking(({ path, text }) => !ENVIRONMENT.has(path) && text.includes('process.env')),
    ).toEqual([]);
  });

  test('is loaded after the cache of compiled code is on, except those that turn it on', () => {
    const importsOf = (path: string) => files.find((file) => file.path === path)?.imports;
    expect(importsOf('main.ts')).toEqual([
      'node:url',
      'config/compile-cache.ts',
      'commands/program.ts',
    ]);
    expect(files.find(({ path }) => path === 'main.ts')?.text).toContain(
      "\nawait import('./commands/program.ts');",
    );
    expect(importsOf('config/compile-cache.ts')).toEqual(['node:module']);
  });

  test('sends a request to another host only through the hub, the readers of logs and sources, a language model, or to our own address', () => {
    expect(
      breaking(
        ({ text, imports }) =>
          /\bfetch\(/.test(text) ||
          imports.some((target) => /^(?:undici|node:https|node:tls)$/.test(target)),
      ).toSorted(),
    ).toEqual([
      'commands/doctor/requests.ts',
      'hub/callback.ts',
      'hub/connector.ts',
      'intake/sync/fetch-source.ts',
      'log/fetch.ts',
    ]);
  });

  test('has a name that says something, and no default export', () => {
    expect(
      breaking(
        ({ path, text }) =>
          /(?:^|\/)(?:index|utils?|helpers?|common|misc)\.ts$/.test(path) ||
          /^export default/m.test(text),
      ),
    ).toEqual([]);
  });

  test('opens with what it is responsible for', () => {
    expect(breaking(({ text }) => !/^(?:#!.*\n)?\/\/ \S/.test(text))).toEqual([]);
  });

  test('keeps nothing that changes at the level of the module', () => {
    expect(breaking(({ text }) => /^(?:export )?(?:let|var) /m.test(text))).toEqual([]);
  });
});
