// How the program is called here, for messages that name a command.

import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname, join, relative } from 'node:path';

const SITE = new AsyncLocalStorage<string>();

/** Runs something of a site, if there is one: messages name it in the commands that they tell. */
export function forSite<T>(name: string | null, run: () => T): T {
  return name === null ? run() : SITE.run(name, run);
}

/** The site that this is done for; null if the store is the only one. */
export function currentSite(): string | null {
  const given = / --site[ =](?!all )(\S+)/.exec(` ${process.argv.join(' ')} `);
  return SITE.getStore() ?? given?.[1] ?? null;
}

/** How the server is kept from using a store. */
export function stopServer(): string {
  return currentSite() === null
    ? 'stop the server'
    : 'touch public-reviews.config.json of this site, wait ten seconds';
}

/** `node src/main.ts`, `npx public-reviews` in a clone or a folder that has the package, else `public-reviews`. */
export function commandName(...where: Parameters<typeof programName>): string {
  const site = currentSite();
  return `${programName(...where)}${site === null ? '' : ` --site ${site}`}`;
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
