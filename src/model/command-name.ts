// How the program is called here, for messages that name a command.

import { dirname, join, relative } from 'node:path';

/** `node src/main.ts`, `npx public-reviews` in a clone or a folder that has the package, else `public-reviews`. */
export function commandName(...where: Parameters<typeof programName>): string {
  const [ofSite = ''] = / --site[ =](?!all )\S+/.exec(` ${process.argv.join(' ')} `) ?? [];
  return `${programName(...where)}${ofSite}`;
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
