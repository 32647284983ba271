// Hints name the command as it was called.

import { expect, test } from 'vitest';
import { commandName } from '../../src/model/command-name.ts';

test.each([
  // A clone: `node src/main.ts`, from its folder and from another, and `npx public-reviews`.
  ['/clone/src/main.ts', '/clone/src/model/command-name.ts', '/clone', 'node src/main.ts'],
  ['/clone/src/main.ts', '/clone/src/model/command-name.ts', '/home', 'node ../clone/src/main.ts'],
  ['/clone/bin/public-reviews.cjs', '/clone/src/model/a.ts', '/clone', 'npx public-reviews'],
  // The package in a folder, above it, in the cache of npx, and on the machine.
  [
    '/shop/node_modules/.bin/public-reviews',
    '/shop/node_modules/public-reviews/dist/model/command-name.js',
    '/shop/files',
    'npx public-reviews',
  ],
  [
    '/root/.npm/_npx/1a/node_modules/.bin/public-reviews',
    '/root/.npm/_npx/1a/node_modules/public-reviews/dist/model/command-name.js',
    '/shop',
    'npx public-reviews',
  ],
  [
    '/usr/local/bin/public-reviews',
    '/usr/local/lib/node_modules/public-reviews/dist/model/command-name.js',
    '/var/lib/public-reviews',
    'public-reviews',
  ],
])('%s of %s in %s', (started, module, folder, name) => {
  expect(commandName(started, module, folder)).toBe(name);
});
