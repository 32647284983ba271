// Runs a command that is killed at a chosen point.

import { bundledProgram } from './bundled-program.ts';
import { finish, type Workplace } from './process.ts';

const PRELOADED = new URL('kill-at.ts', import.meta.url).href;

/** Runs a command and kills it right before the first, or the n-th, statement or call that contains a text. */
export async function killedAt(
  place: Workplace,
  args: readonly string[],
  text: string,
  count = 1,
): Promise<void> {
  const child = place.start(args, {
    NODE_OPTIONS: `${bundledProgram()} --import=${PRELOADED}`,
    KILL_AT: `${text}\n${count}`,
  });
  const { stdout, stderr } = await finish(child);
  if (child.signalCode === 'SIGKILL') return;
  throw new Error(`${args.join(' ')} never came to "${text}":\n${stdout}${stderr}`);
}
