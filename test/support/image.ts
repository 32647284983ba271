// Builds the file tree of the container image from the Dockerfile, without Docker.

import { existsSync, globSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface Image {
  /** ENTRYPOINT and CMD. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Builds the image's working directory. Packages are symbolic links instead of copies. */
export async function buildImage(project: string, into: string): Promise<Image> {
  const instructions = parseDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'));
  const isIgnored = parseDockerignore(await readFile(join(project, '.dockerignore'), 'utf8'));
  const valuesOf = (name: string) =>
    instructions.filter((one) => one.name === name).map(({ value }) => value);
  for (const value of valuesOf('COPY')) await copy(project, into, value, isIgnored);
  if (!valuesOf('RUN').some((command) => command.includes('npm ci --omit=dev --omit=optional'))) {
    throw new Error('the Dockerfile no longer installs with `npm ci --omit=dev --omit=optional`');
  }
  await linkPackages(project, into);
  await mkdir(join(into, 'data'));
  const settings = valuesOf('ENV').flatMap((value) => value.split(/\s+/));
  return {
    command: [...valuesOf('ENTRYPOINT'), ...valuesOf('CMD')].flatMap(
      (value) => JSON.parse(value) as string[],
    ),
    environment: Object.fromEntries(settings.map((setting) => setting.split('=', 2))),
  };
}

interface Instruction {
  readonly name: string;
  readonly value: string;
}

function parseDockerfile(text: string): Instruction[] {
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

/** Docker's rules: a matched folder includes its content, and the last match decides. */
export function parseDockerignore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isException = line.startsWith('!');
      const pattern = line.slice(isException ? 1 : 0).replace(/^\/|\/$/g, '');
      const source = pattern
        .replaceAll(/[.+^$()[\]{}|\\]/g, '\\$&')
        .replaceAll(/\*\*\/|\*\*|\*|\?/g, (wildcard) => WILDCARDS[wildcard]!);
      return { isException, regExp: new RegExp(`^${source}(?:/.*)?$`) };
    });
  return (path) => rules.findLast(({ regExp }) => regExp.test(path))?.isException === false;
}

const WILDCARDS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

async function copy(
  project: string,
  into: string,
  value: string,
  isIgnored: (path: string) => boolean,
): Promise<void> {
  const names = value.split(/\s+/).filter((word) => !word.startsWith('--'));
  const destination = names.pop()!;
  for (const name of names) {
    const from = join(project, name);
    const isFolder = statSync(from).isDirectory();
    const files = isFolder
      ? globSync('**', { cwd: from }).filter((file) => statSync(join(from, file)).isFile())
      : [''];
    const kept = files.filter((file) => !isIgnored(join(name, file)));
    if (kept.length === 0) throw new Error(`.dockerignore excludes all of ${name}`);
    // Docker copies the content of a folder; a trailing slash makes the destination a folder.
    const isInto = destination.endsWith('/') || names.length > 1;
    const target = isFolder || !isInto ? destination : join(destination, basename(name));
    for (const file of kept) await cp(join(from, file), join(into, target, file));
  }
}

/**
 * Links the production packages of the lock file. Node must run with --preserve-symlinks, so that linked
 * packages resolve only each other and no development packages.
 */
async function linkPackages(project: string, into: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(into, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, optional, devOptional }] of Object.entries(lock.packages)) {
    const isTop = path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0;
    if (!isTop || dev || optional || devOptional) continue;
    if (!existsSync(join(project, path))) throw new Error(`${path} is not installed`);
    await mkdir(dirname(join(into, path)), { recursive: true });
    await symlink(join(project, path), join(into, path));
  }
}
