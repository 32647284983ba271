// Makes what operators get: the package of `npm pack`, an installation of it, and the file tree of the container
// image. Packages of the registry are links to those of the project, so nothing is downloaded.

import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { productionPackages, readLock } from '../../release/lock.ts';
import { parseDockerignore } from './dockerignore.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Linked packages resolve only each other, as installed ones do, and no development packages. */
export const WITH_LINKED_PACKAGES = {
  NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main',
};

const run = promisify(execFile);

/** Copies what Docker sends to the builder, with the project's packages. */
export async function buildContext(into: string): Promise<void> {
  const isIgnored = parseDockerignore(await readFile(join(PROJECT, '.dockerignore'), 'utf8'));
  const skipped = new Set(['node_modules', 'dist', 'data']);
  const top = readdirSync(PROJECT).filter((name) => !skipped.has(name) && name !== '.git');
  const paths = top.flatMap((name) =>
    statSync(join(PROJECT, name)).isDirectory()
      ? globSync('**', { cwd: join(PROJECT, name) }).map((path) => join(name, path))
      : [name],
  );
  for (const path of paths) {
    const from = join(PROJECT, path);
    if (!isIgnored(path) && statSync(from).isFile()) await cp(from, join(into, path));
  }
  await symlink(join(PROJECT, 'node_modules'), join(into, 'node_modules'));
}

/** Runs `npm pack` in a folder with the project; returns the path of the package. */
export async function pack(project: string, into: string): Promise<string> {
  await run('npm', ['pack', '--pack-destination', into], { cwd: project });
  const [name] = globSync('*.tgz', { cwd: into });
  if (name === undefined) throw new Error('npm pack wrote no file');
  return join(into, name);
}

/** Unpacks a package into a folder. */
export async function unpack(file: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  await run('tar', ['-xzf', file, '-C', into, '--strip-components=1']);
}

/** Links the packages that an installation has into `node_modules` of a folder. */
export async function linkDependencies(into: string): Promise<void> {
  for (const path of Object.keys(productionPackages(readLock(PROJECT)))) {
    // Nested packages come with their parents.
    if (path.lastIndexOf('node_modules/') > 0) continue;
    if (!existsSync(join(PROJECT, path))) throw new Error(`${path} is not installed`);
    await mkdir(dirname(join(into, path)), { recursive: true });
    await symlink(join(PROJECT, path), join(into, path));
  }
}

/** Installs the package in a folder, as `npm install` does; returns the path of the program. */
export async function install(file: string, folder: string): Promise<string> {
  const own = join(folder, 'node_modules/public-reviews');
  await unpack(file, own);
  await linkDependencies(folder);
  const { bin } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  const program = join(own, bin['public-reviews']!);
  await mkdir(join(folder, 'node_modules/.bin'));
  await symlink(program, join(folder, 'node_modules/.bin/public-reviews'));
  return program;
}

export interface Image {
  /** ENTRYPOINT and CMD. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly user: string;
  readonly volumes: readonly string[];
  readonly stopSignal: string;
}

/** What the commands of the Dockerfile's first two stages make, and where. */
const STAGES: Readonly<Record<string, { readonly command: string; readonly path: string }>> = {
  package: {
    command:
      'npm pack --pack-destination /tmp && mkdir /package && ' +
      'tar -xzf /tmp/*.tgz -C /package --strip-components=1',
    path: '/package',
  },
  dependencies: {
    command: 'npm ci --omit=dev --omit=optional',
    path: '/app/node_modules',
  },
};

/** Builds `/app` of the image as its last stage copies it. `file` is the package of the build context. */
export async function buildImage(file: string, into: string): Promise<Image> {
  const instructions = parseDockerfile(await readFile(join(PROJECT, 'Dockerfile'), 'utf8'));
  const last = instructions.findLastIndex(({ name }) => name === 'FROM');
  const valuesOf = (name: string, from = last) =>
    instructions.slice(from).flatMap((one) => (one.name === name ? [one.value] : []));
  for (const copied of valuesOf('COPY')) {
    const [, stage = '', from, to] = /^--from=(\w+) (\S+) (\S+)$/.exec(copied) ?? [];
    const { command, path } = STAGES[stage] ?? { command: '', path: '' };
    const target = { package: './', dependencies: 'node_modules' }[stage];
    if (!valuesOf('RUN', 0).includes(command) || from !== path || to !== target) {
      throw new Error(`this test does not know what this copies: COPY ${copied}`);
    }
    if (stage === 'package') await unpack(file, into);
    else await linkDependencies(into);
  }
  await mkdir(join(into, 'data'));
  const settings = valuesOf('ENV').flatMap((value) => value.split(/\s+/));
  const inside = (text: string) => text.replaceAll('/app/', `${into}/`);
  return {
    command: [...valuesOf('ENTRYPOINT'), ...valuesOf('CMD')]
      .flatMap((value) => JSON.parse(value) as string[])
      .map(inside),
    environment: Object.fromEntries(settings.map((setting) => inside(setting).split('=', 2))),
    user: valuesOf('USER').join(),
    volumes: valuesOf('VOLUME'),
    stopSignal: valuesOf('STOPSIGNAL').join(),
  };
}

function parseDockerfile(text: string): { readonly name: string; readonly value: string }[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name, value] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`not an instruction: ${line}`);
      return { name, value };
    });
}

/** The space on disk of an installation with this package, in bytes: whole blocks, as `du` counts them. */
export function installedBytes(folder: string): number {
  const BLOCK = 4096;
  const sizeOf = (path: string): number =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
      .reduce((sum, size) => sum + Math.ceil(size / BLOCK) * BLOCK, 0);
  const packages = Object.keys(productionPackages(readLock(PROJECT)));
  const tops = packages.filter((path) => path.lastIndexOf('node_modules/') === 0);
  return tops.reduce((sum, path) => sum + sizeOf(join(PROJECT, path)), sizeOf(folder));
}

/** Every file below a folder that is not a link, with its time of change. */
export function filesOf(folder: string): Record<string, number> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, basename(entry.name)));
  return Object.fromEntries(paths.map((path) => [path, statSync(path).mtimeMs]));
}
