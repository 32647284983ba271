// Takes the port that readers come to, or says in words why it cannot be had.

import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import type { Config } from '../config.ts';
import { InputError } from '../errors.ts';

type Place = Pick<Config, 'host' | 'port'>;

/**
 * Runs what listens.
 *
 * @throws {InputError} naming the setting, where the system refuses the address or the port.
 */
export async function listenOn<T>({ host, port }: Place, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new InputError(
        `PORT: expected a port that is free, got ${port}, which another program has; ` +
          'choose another, or 0 for any',
        { cause: error },
      );
    }
    if (code === 'EACCES') {
      throw new InputError(
        `PORT: expected a port that this user may listen on, got ${port}; choose one from 1024 on`,
        { cause: error },
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new InputError(`HOST: expected an address of this machine, got "${host}"`, {
        cause: error,
      });
    }
    throw error;
  }
}

/** A port that can be had: the one that is wanted, or where that is 0, any. */
export async function findPort(place: Place): Promise<number> {
  return listenOn(place, () => listenOnce({ host: place.host, port: place.port }));
}

/** Whether the system lets several processes listen on one port, and shares its connections out. */
export async function canShare(place: Place): Promise<boolean> {
  try {
    await listenOnce({ host: place.host, port: place.port, reusePort: true });
    return true;
  } catch {
    return false;
  }
}

/** Listens, and ends that at once; returns the port. */
async function listenOnce(options: ListenOptions): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ ...options }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
