// The processes and threads that tests start begin in half the time, with the program's own cache of compiled code
// and bundles of its modules. The vitest configuration loads this before each file.

import { fileURLToPath } from 'node:url';
import { keepCompiled } from '../../src/config/compile-cache.ts';
import { bundledProgram } from './bundled-program.ts';

keepCompiled(fileURLToPath(new URL('../../node_modules/.cache/public-reviews', import.meta.url)));
process.env['NODE_OPTIONS'] ??= bundledProgram();
