// How the process ends: within the time that Docker and systemd give it.

import { afterEach, expect, test, vi } from 'vitest';
import { closeInTime } from '../../src/commands/serve.ts';
import { until } from '../support/patience.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a server that does not close in time is ended with exit code 1, and that is logged', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const errors: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  const logger = { error: (...logged: unknown[]) => errors.push(logged) } as never;
  const closing = closeInTime({ close: () => closed.promise }, logger, 20);
  await until(() => exit.mock.calls.length > 0);
  expect(exit).toHaveBeenCalledWith(1);
  expect(errors).toEqual([[{ limitMs: 20 }, 'closing took too long; the process ends now']]);
  closed.resolve();
  await closing;
});
