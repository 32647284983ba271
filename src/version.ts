// The version of this program, as its package says it.

import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

export const { version: VERSION } = JSON.parse(readFileSync(manifest, 'utf8')) as {
  version: string;
};
