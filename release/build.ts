// Before `npm pack`: compiles src/ to dist/ and copies the files that are not code.

import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const [source, target] = [join(ROOT, 'src'), join(ROOT, 'dist')];

rmSync(target, { recursive: true, force: true });
// `npm run check` checks the types: here that would take most of the time.
execFileSync('tsc', ['--noCheck', '--project', join(ROOT, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
// The compiler writes only the JSON files that code imports.
const isData = (path: string) => !/\.(?:ts|wat)$/.test(path);
cpSync(source, target, { recursive: true, filter: isData });
