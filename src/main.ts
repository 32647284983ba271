#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// Starts the program. Node caches compiled code only for modules that are loaded after this file, so it imports
// nothing else by itself.

import { fileURLToPath } from 'node:url';
import { keepCompiled } from './config/compile-cache.ts';

// Beside the libraries, where only those can write who can change the program.
keepCompiled(fileURLToPath(new URL('../node_modules/.cache/public-reviews', import.meta.url)));
await import('./commands/program.ts');
