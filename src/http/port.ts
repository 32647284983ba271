// Binds the port, or says which setting is wrong.

import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import type { Config } from '../config.ts';
import { InputError } from '../errors.ts';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Calls `listen` and explains its errors.
 *
 * @throws {InputError} naming the setting, if the system refuses the address or the port.
 */
export async function listenOn<T>({ host, port }: Address, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new InputError(
        `PORT: expected a port that is free, got ${port}, which another program has; is this one running already, in another ` +
          'window or as a service? Else choose another: PORT=8081, or "port": 8081 in public-reviews.config.json; 0 is any',
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

/** A free port: the configured one, or any if that is 0. */
export async function findPort(address: Address): Promise<number> {
  return listenOn(address, () => listenOnce({ host: address.host, port: address.port }));
}

/** Whether several processes can listen on one port and share its connections. */
export async function canShare(address: Address): Promise<boolean> {
  try {
    await listenOnce({ host: address.host, port: address.port, reusePort: true });
    return true;
  } catch {
    return false;
  }
}

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
