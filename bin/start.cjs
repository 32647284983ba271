// Loads the program: the compiled one of the package, or the source of a clone.
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

exports.start = () => {
  // Early releases of Node 24 warn about features that the program uses.
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const print of printers) print(warning);
  });
  const source = join(__dirname, '../src/main.ts');
  const main = existsSync(source) ? source : join(__dirname, '../dist/main.js');
  return import(pathToFileURL(main).href);
};
