// The cache of compiled code, which a start needs before any other module.

import { enableCompileCache } from 'node:module';

/** Makes Node cache compiled code in a folder that it can write, unless the environment names another. */
export function keepCompiled(folder: string): void {
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  enableCompileCache();
}
