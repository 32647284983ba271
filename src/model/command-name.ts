// How the program is called here, for messages that name a command.

import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname, join, relative } from 'node:path';

const SITE = new AsyncLocalStorage<string>();

/** Runs something of a site: messages name it in the commands that they tell. */
export function forSite<T>(name: string, run: () => T): T {
  return SITE.run(name, run);
}

/** `node src/main.ts`, `npx public-reviews` in a clone or a folder that has the package, else `public-reviews`. */
export function commandName(...where: Parameters<typeof programName>): string {
  const [given = ''] = / --site[ =](?!all )\S+/.exec(` ${process.argv.join(' ')} `) ?? [];
  const site = SITE.getStore();
  return `${programName(...where)}${site === undefined ? given : ` --site ${site}`}`;
}

function programName(
  started = process.argv[1] ?? '',
  module = import.meta.filename,
  folder = process.cwd(),
): string {
  if (/[/\\]src[/\\]main\.ts$/.test(started)) return `node ${relative(folder, started)}`;
  const isNear = (from: string): boolean =>
    module.startsWith(join(from, 'node_modules', 'public-reviews')) ||
    (dirname(from) !== from && isNear(dirname(from)));
  const isClone = module.endsWith('.ts');
  return isClone || module.includes('_npx') || isNear(folder)
    ? 'npx public-reviews'
    : 'public-reviews';
}
