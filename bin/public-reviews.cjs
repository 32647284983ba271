#!/usr/bin/env node
// Starts the program if this Node can run it. Node of any age must be able to read this file.
'use strict';

if (require('./ready.cjs').isReady) void require('./start.cjs').start();
