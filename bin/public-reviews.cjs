#!/usr/bin/env node
// Starts the program if this Node can run it. Node of any age must be able to read this file.
'use strict';

var OLDEST = 24;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    'Public Reviews needs Node ' +
      OLDEST +
      ' or newer; this is Node ' +
      process.versions.node +
      '. Install the LTS version of nodejs.org, then open a new window.',
  );
  process.exitCode = 2;
} else {
  void require('./start.cjs').start();
}
