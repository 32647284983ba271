// How the person who runs this program calls it, for commands that messages name.

import { relative } from 'node:path';

/** As it was called: `npx public-reviews`, `node src/main.ts`, or the installed `public-reviews`. */
export function commandName({
  argv,
  env,
}: { argv: readonly string[]; env: NodeJS.ProcessEnv } = process): string {
  const [, script = ''] = argv;
  if (env['npm_command'] === 'exec' || /[/\\]node_modules[/\\]\.bin[/\\]/.test(script)) {
    return 'npx public-reviews';
  }
  const isSource = /[/\\]src[/\\]main\.ts$/.test(script);
  return isSource ? `node ${shellArgument(relative(process.cwd(), script))}` : 'public-reviews';
}

/** An argument as shells take it. */
export function shellArgument(text: string): string {
  return /^[\w./:=@%+,\\-]+$/.test(text) ? text : `"${text.replaceAll(/["$`]/g, '\\$&')}"`;
}
