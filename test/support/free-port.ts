// A free port, for programs that cannot choose one themselves.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems choose themselves, so that no other socket gets it before it is used. */
const [FIRST, END] = [20_000, 32_000];

/** A port of the loopback interface that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isListening = await new Promise<boolean>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
