// Global setup: puts the program into a few files, with its libraries, for the processes that tests start. Reading
// and linking the modules of a server is most of what its start costs. The modules say the same: each keeps its
// own address, the files beside it, and the threads and processes that it starts. Programs that replace a module,
// and those of the tests themselves, load `bundled-libraries.ts` alone.

import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { bundledLibraries } from './bundled-libraries.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Node gives modules the address without links. */
const SOURCES = realpathSync(join(ROOT, 'src'));
const CACHE = join(ROOT, 'node_modules/.cache');
const PREFIX = 'program-';
const HOOKS = 'hooks.cjs';
const DAY_MS = 86_400_000;
/** What processes and threads begin with; nothing else imports these. */
const ENTRIES = [
  'commands/program.ts',
  'intake/logo/draw-thread.ts',
  'intake/sync/sync-process.ts',
  'publishing/run/4-program.ts',
  'publishing/thread.ts',
  'search/index-thread.ts',
  'site/pictures/share-picture-thread.ts',
];
/** They start threads from files beside them, or read such files. */
const LEFT_OUT = /^(?:node:|pino$|@resvg\/|pg-native$)/;

/** Options for `NODE_OPTIONS` that make a program and its threads load the bundles. */
export function bundledProgram(): string {
  const hooks = join(folderOfProgram(), HOOKS);
  // A source that was edited during a run has no bundle.
  const own = existsSync(hooks) ? ` --require=${JSON.stringify(hooks)}` : '';
  return bundledLibraries() + own;
}

// oxlint-disable-next-line import/no-default-export -- vitest requires a default export
export default async function setUp(): Promise<void> {
  const folder = folderOfProgram();
  if (existsSync(folder)) return;
  await mkdir(CACHE, { recursive: true });
  await removeOld();
  const own = await mkdtemp(join(CACHE, PREFIX));
  await bundle(own);
  await writeFile(join(own, HOOKS), hooksFor(folder));
  // Makes the files appear complete to concurrent runs, of which one wins.
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
}

/** Each state of the sources has a bundle. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const isOld = async () => (await stat(path)).mtimeMs < Date.now() - DAY_MS;
    if (name.startsWith(PREFIX) && (await isOld()))
      await rm(path, { recursive: true, force: true });
  }
}

/** Its name is a digest of the sources, of the versions of libraries, and of this file. */
function folderOfProgram(): string {
  const digest = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(SOURCES);
  digest.update(readFileSync(join(ROOT, 'node_modules/.package-lock.json')));
  for (const path of globSync('**/*.{ts,json}', { cwd: SOURCES }).toSorted()) {
    digest.update(`\n${path}\n`).update(readFileSync(join(SOURCES, path)));
  }
  return join(CACHE, `${PREFIX}${digest.digest('hex').slice(0, 16)}`);
}

async function bundle(folder: string): Promise<void> {
  // Imported here, because only the process of the runner needs it.
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    input: Object.fromEntries(ENTRIES.map((path) => [nameOf(path), join(SOURCES, path)])),
    cwd: SOURCES,
    platform: 'node',
    treeshake: false,
    external: LEFT_OUT,
    plugins: [KEEP_ADDRESSES],
  });
  const names = { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' };
  await bundled.write({ dir: folder, format: 'esm', ...names });
  await bundled.close();
}

const KEEP_ADDRESSES: Plugin = {
  name: 'keep-addresses',
  transform(code, path) {
    if (!code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
      .replaceAll('import.meta.filename', JSON.stringify(path));
  },
};

function hooksFor(folder: string): string {
  const files = ENTRIES.map((path) => [
    pathToFileURL(join(SOURCES, path)).href,
    pathToFileURL(join(folder, `${nameOf(path)}.mjs`)).href,
  ]);
  return `
    const { registerHooks } = require('node:module');
    const files = new Map(${JSON.stringify(files)});
    registerHooks({
      resolve(specifier, context, next) {
        const resolved = next(specifier, context);
        const url = files.get(resolved.url);
        return url === undefined ? resolved : { url, format: 'module', shortCircuit: true };
      },
    });`;
}

function nameOf(path: string): string {
  return path.replaceAll('/', '-').replace(/\.ts$/, '');
}
