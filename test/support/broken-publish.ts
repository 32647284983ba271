// Breaks publishing while a file exists. Preloaded by node (see `breakPublish`) into the program and the
// processes and threads that it starts.

import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const file = process.env['BROKEN_PUBLISH_FILE'] ?? '';
const DERIVE = '/src/insights/derive.ts';
const PROGRAM = '/src/publishing/run/4-program.ts';

registerHooks({
  resolve(specifier, context, next) {
    // Not from a bundle, where the module cannot be replaced.
    if (specifier.endsWith(PROGRAM)) return { url: specifier, shortCircuit: true };
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith(DERIVE)) return next(url, context);
    // `?real` makes the URL another module, which this hook does not replace.
    const source = `
      import { existsSync, readFileSync, writeFileSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      import { deriveFromAnalyses as derive } from ${JSON.stringify(`${url}?real`)};
      export function deriveFromAnalyses(...parameters) {
        const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
        if (existsSync(file)) {
          const how = readFileSync(file, 'utf8');
          if (how === 'throw') throw new TypeError('no sum');
          if (how === 'die') process.kill(process.pid, 'SIGKILL');
          for (const all = []; how === 'eat'; ) all.push(new Array(100_000).fill(all));
          writeFileSync(new URL(file.href + '.reached'), '');
          if (how === 'hang') for (;;);
          const mended = async () => {
            while (existsSync(file)) await sleep(10);
          };
          return mended().then(() => derive(...parameters));
        }
        return derive(...parameters);
      }`;
    return { format: 'module', shortCircuit: true, source };
  },
});
