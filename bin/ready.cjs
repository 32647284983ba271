// Says what is missing before anything can start. Node of any age must be able to read this file.
'use strict';

var existsSync = require('fs').existsSync;
var join = require('path').join;

var OLDEST = 24;
var root = join(__dirname, '..');
var isClone = existsSync(join(root, 'src'));

var problem = null;
if (isClone && !existsSync(join(root, 'node_modules'))) {
  problem = 'Run "npm ci" in ' + root + ' first: it installs what the program needs, Node too.';
} else if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  problem =
    'Public Reviews needs Node ' +
    OLDEST +
    ' or newer; this is Node ' +
    process.versions.node +
    '. Install the LTS version of nodejs.org, then open a new window.';
}
if (problem !== null) {
  console.error(problem);
  process.exitCode = 2;
}

exports.isReady = problem === null;
