// Preloaded into processes that tests start: resolves libraries to their bundles (bundled-libraries.ts).

import { readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';

const folder = `${new URL(import.meta.url).searchParams.get('folder')}/`;
const files = readdirSync(new URL(folder), { recursive: true, encoding: 'utf8' });
const bundles = new Map(
  files
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => [file.slice(0, -'.mjs'.length), new URL(file, folder).href] as const),
);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = bundles.get(specifier);
    if (url === undefined) return nextResolve(specifier, context);
    return { url, format: 'module', shortCircuit: true };
  },
});
