// Bundles libraries of hundreds of modules into one file each, for the processes that tests start: loading the
// modules one by one takes a fifth of the time of an import. Tests in the process of the runner, and those of the package,
// load the libraries as they are installed.

import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache');
/** Written by npm at every installation. */
const INSTALLED = join(ROOT, 'node_modules/.package-lock.json');
const PRELOADED = new URL('load-bundled-libraries.ts', import.meta.url);

/** ES modules of more than 50 files. */
const LIBRARIES = ['@observablehq/plot', 'culori/fn', 'feedsmith', 'kysely', 'kysely/migration'];

/** The environment with which a process loads the bundles; empty if there are none. */
export function withBundledLibraries(): Record<string, string> {
  const folder = folderOfBundles();
  if (!existsSync(folder)) return {};
  const preloaded = new URL(PRELOADED);
  preloaded.search = new URLSearchParams({ folder: pathToFileURL(folder).href }).toString();
  return { NODE_OPTIONS: `--import=${preloaded.href}` };
}

/** Global setup: bundles the libraries once after every installation. */
// oxlint-disable-next-line import/no-default-export -- vitest requires a default export
export default async function bundleLibraries(): Promise<void> {
  const folder = folderOfBundles();
  if (existsSync(folder)) return;
  const own = await mkdtemp(join(CACHE, 'libraries-'));
  // The bundler of the test runner.
  const runner = createRequire(fileURLToPath(import.meta.resolve('vitest')));
  const bundler = (await import(pathToFileURL(runner.resolve('vite')).href)) as Bundler;
  await bundler.build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: own,
      target: 'esnext',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(LIBRARIES.map((name) => [name, name])),
        treeshake: false,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  // The rename makes them appear complete to concurrent runs.
  try {
    await rename(own, folder);
  } catch (error) {
    await rm(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

interface Bundler {
  build(options: object): Promise<unknown>;
}

function folderOfBundles(): string {
  const { mtimeMs, size } = statSync(INSTALLED);
  return join(CACHE, `libraries-${Math.trunc(mtimeMs)}-${size}`);
}
