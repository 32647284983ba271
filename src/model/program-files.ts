// The files that threads and child processes run: TypeScript in a clone, JavaScript in the package.

import { extname } from 'node:path';

/** Options of threads and processes. Early releases of Node 24 warn about features that the program uses. */
export const QUIET: readonly string[] = ['--disable-warning=ExperimentalWarning'];

/** The module `name` beside the one at `url`, with its extension: `./thread` beside `task-threads.ts` is
 * `thread.ts`. */
export function moduleBeside(url: string, name: string): URL {
  return new URL(name + extname(new URL(url).pathname), url);
}
