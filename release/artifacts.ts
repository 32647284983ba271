// What accompanies the package in a release: checksums, a bill of materials, and the licences of all dependencies.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { productionPackages, readLock } from './lock.ts';

/** Lines for `sha256sum --check`. */
export function checksumsOf(files: readonly string[]): string {
  const lines = files.map((file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${hash}  ${basename(file)}\n`;
  });
  return lines.join('');
}

/**
 * The bill of materials in CycloneDX JSON. `npm sbom` leaves out packages that development dependencies need too,
 * so it gets a project without those.
 */
export function buildSbom(project: string): string {
  const lock = readLock(project);
  const { license, dependencies } = lock.packages['']!;
  const { name, version, lockfileVersion } = lock;
  const parent = mkdtempSync(join(tmpdir(), 'public-reviews-sbom-'));
  try {
    // npm names the component after the folder.
    const folder = join(parent, name);
    mkdirSync(folder);
    const manifest = { name, version, license, dependencies };
    const packages = { '': manifest, ...productionPackages(lock) };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ name, version, lockfileVersion, packages }),
    );
    const args = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
    return execFileSync('npm', ['sbom', '--loglevel=error', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Every package of an installation with its licence, and the texts of the licences. */
export function listLicenses(project: string): string {
  const entries = Object.entries(productionPackages(readLock(project))).map(
    ([path, { version, license = 'see its text' }]) => {
      const name = path.replace(/^.*node_modules\//, '');
      return { title: `${name} ${version}: ${license}`, text: licenseText(join(project, path)) };
    },
  );
  const summary = entries.map(({ title }) => title).join('\n');
  const texts = entries.map(({ title, text }) => `${'='.repeat(78)}\n${title}\n\n${text}`);
  return `${summary}\n\n${texts.join('\n')}`;
}

/** The licence files of a package; some packages have none beside the name of the licence. */
function licenseText(folder: string): string {
  let names: string[] = [];
  try {
    names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)/i.test(name));
  } catch (error) {
    // Optional packages of other platforms are not installed.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (names.length === 0) return 'The package has no text of its licence.\n';
  return (
    names.map((name) => readFileSync(join(folder, name), 'utf8').trimEnd()).join('\n\n') + '\n'
  );
}
