// `npm run release`: makes the package and what accompanies it in releases/VERSION.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSbom, checksumsOf, listLicenses } from './artifacts.ts';
import { releaseProblems } from './problems.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');

const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };
const uncommitted = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
const problems = releaseProblems({ version, changelog: read('CHANGELOG.md'), uncommitted });
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(2);
}

const folder = join(ROOT, 'releases', version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: ROOT, stdio: 'inherit' });
const base = join(folder, `${name}-${version}`);
writeFileSync(`${base}.cdx.json`, buildSbom(ROOT));
writeFileSync(`${base}.licenses.txt`, listLicenses(ROOT));
const files = ['.tgz', '.cdx.json', '.licenses.txt'].map((ending) => base + ending);
writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(files));
console.log(`${folder} has the package, its bill of materials, the licences and the checksums.`);
console.log(`Then: git tag v${version}, and npm publish ${base}.tgz`);
