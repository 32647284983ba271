// Breaks publishing while a file exists. Preloaded by node (see `breakPublish`) into the program and the
// processes and threads that it starts.

import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const file = process.env['BROKEN_PUBLISH_FILE'] ?? '';
const DERIVE = '/src/insights/derive.ts';

registerHooks({
  load(url, context, next) {
    if (!url.endsWith(DERIVE)) return next(url, context);
    // `real` makes it another module, which this hook lets pass.
    const source = `
      import { existsSync, readFileSync } from 'node:fs';
      import { deriveFromAnalyses as derive } from ${JSON.stringify(`${url}?real`)};
      export function deriveFromAnalyses(...parameters) {
        const file = new URL(${JSON.stringify(pathToFileURL(file).href)});
        if (existsSync(file)) {
          const how = readFileSync(file, 'utf8');
          if (how === 'hang') for (;;);
          if (how === 'die') process.kill(process.pid, 'SIGKILL');
          for (const all = []; how === 'eat'; ) all.push(new Array(100_000).fill(all));
          throw new TypeError('no sum');
        }
        return derive(...parameters);
      }`;
    return { format: 'module', shortCircuit: true, source };
  },
});
