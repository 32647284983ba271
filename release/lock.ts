// The part of the lock file that an installation of the package needs: everything that production dependencies
// lead to.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of the lock file. */
export interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly name: string;
  readonly version: string;
  readonly lockfileVersion: number;
  /** By path; "" is the project itself. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export function readLock(project: string): Lock {
  return JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
}

/** The packages of an installation by path, in the order of the lock file, without the project itself. */
export function productionPackages({ packages }: Lock): Record<string, LockedPackage> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path]!;
    const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
    for (const name of names) {
      const target = resolve(packages, path, name);
      if (target === null || found.has(target)) continue;
      found.add(target);
      visit(target);
    }
  };
  visit('');
  return Object.fromEntries(Object.entries(packages).filter(([path]) => found.has(path)));
}

/** The path of a package as Node finds it: in the nearest `node_modules`; null if it is not installed. */
function resolve(packages: Lock['packages'], from: string, name: string): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return null;
  }
}
