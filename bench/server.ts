// A server in its own process, which prints its origin on its first line.

import { type ChildProcess, spawn } from 'node:child_process';
import type { Server as NetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { pin } from './cores.ts';

export class Server {
  readonly #child: ChildProcess;
  readonly origin: string;

  private constructor(child: ChildProcess, origin: string) {
    this.#child = child;
    this.origin = origin;
  }

  /** Starts a file on the measured core; `environment` is its whole environment. */
  static async start(
    file: URL,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Server> {
    const path = fileURLToPath(file);
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', path], {
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.pid !== undefined) pin(child.pid, 'measured');
    return new Server(child, await originOf(child, path));
  }

  get processIds(): readonly number[] {
    return this.#child.pid === undefined ? [] : [this.#child.pid];
  }

  async stop(): Promise<void> {
    await end(this.#child, 'SIGKILL');
  }
}

/** Kills a process unless it has exited. */
export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** The first origin that a process prints. */
export function originOf(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with code ${code}`)));
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [origin] = /http:\/\/\S+(?=\s)/.exec(said) ?? [];
      if (origin !== undefined) resolve(origin);
    });
  });
}

/** The child's side: prints the origin. */
export function tellOrigin(server: Pick<NetServer, 'address'>): void {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
}
