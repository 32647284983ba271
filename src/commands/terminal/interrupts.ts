// A command that a signal ends says what was done, and what happens next.

import { linesWithoutControls } from '../../errors.ts';

/** As shells count them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs `work`. A signal meanwhile ends the process, after what `outcome` says at that moment. `clear` removes what is left
 * then, and when the work fails.
 */
export async function interruptible<T>(
  outcome: () => string,
  work: () => Promise<T>,
  clear: () => void = () => undefined,
): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    clear();
    process.stderr.write(linesWithoutControls(`\ninterrupted: ${outcome()}\n`));
    process.exit(EXIT_CODES[signal as keyof typeof EXIT_CODES]);
  };
  process.on('SIGINT', end).on('SIGTERM', end);
  try {
    return await work();
  } catch (error) {
    clear();
    throw error;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}
