// Global setup: puts each library of hundreds of modules into one file, for the programs that tests start. Reading
// and linking modules is most of what a start costs: kysely alone has 257, which every process and every thread
// loads. Our own modules stay what they are. The tests in test/deploy run everything as it is installed.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const CACHE = join(MODULES, '.cache');
/** What imports them. Other programs have their own versions. */
const IMPORTERS = [join(ROOT, 'src/'), join(MODULES, '@modelcontextprotocol/server/')];
/** The library of MCP imports `zod/v4`. Its schemas and ours are of the same classes. */
const IMPORTED = [
  'kysely',
  'kysely/migration',
  'zod',
  'zod/v4',
  'culori/fn',
  'feedsmith',
  '@observablehq/plot',
];
const HOOKS = 'hooks.cjs';

/** An option for `NODE_OPTIONS` that makes a program and its threads load the bundles. The path may have blanks. */
export function bundledLibraries(): string {
  return `--require=${JSON.stringify(join(folderOfBundles(), HOOKS))}`;
}

// oxlint-disable-next-line import/no-default-export -- vitest requires a default export
export default async function setUp(): Promise<void> {
  const folder = folderOfBundles();
  if (existsSync(folder)) return;
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(join(CACHE, 'libraries-'));
  await bundle(own);
  await writeFile(join(own, HOOKS), hooksFor(folder));
  // Makes the files appear complete to concurrent runs, of which one wins.
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
}

/** Its name is a digest of the versions and of this file, so that whatever changes is bundled again. */
function folderOfBundles(): string {
  const packages = new Set(IMPORTED.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]));
  const digest = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const name of packages) {
    const manifest = readFileSync(join(MODULES, name, 'package.json'), 'utf8');
    digest.update((JSON.parse(manifest) as { version: string }).version);
  }
  return join(CACHE, `libraries-${digest.digest('hex').slice(0, 16)}`);
}

async function bundle(folder: string): Promise<void> {
  // Imported here, because only the process of the runner needs it.
  const { rolldown } = await import('rolldown');
  const input = Object.fromEntries(IMPORTED.map((name) => [fileOf(name), name]));
  const bundled = await rolldown({ input, cwd: MODULES, platform: 'node', treeshake: false });
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
  await bundled.write({ dir: folder, format: 'esm', ...names });
  await bundled.close();
}

function hooksFor(folder: string): string {
  const files = IMPORTED.map((name) => [name, join(folder, `${fileOf(name)}.mjs`)] as const);
  return `
    const { registerHooks } = require('node:module');
    const { pathToFileURL } = require('node:url');
    const files = new Map(${JSON.stringify(files)});
    const importers = ${JSON.stringify(IMPORTERS.map((path) => pathToFileURL(path).href))};
    registerHooks({
      resolve(specifier, context, next) {
        const file = files.get(specifier);
        const isOurs = () => importers.some((folder) => context.parentURL?.startsWith(folder));
        if (file === undefined || !isOurs()) return next(specifier, context);
        return { url: pathToFileURL(file).href, format: 'module', shortCircuit: true };
      },
    });`;
}

function fileOf(name: string): string {
  return name.replaceAll('/', '-');
}
