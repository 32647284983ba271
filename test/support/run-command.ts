// Runs a command in the test's process, and returns what it wrote.

import { vi } from 'vitest';

export interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/** @throws what the command throws. */
export async function capture(command: () => Promise<unknown>): Promise<Written> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += String(text);
      return true;
    }),
  );
  try {
    await command();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return written;
}
