// Collects the garbage of a running server, so that its heap is what it still holds. V8 itself collects old
// objects once in minutes; until then a heap grows that has no leak.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** For `NODE_OPTIONS` of the server: its inspector listens on a free port. */
export const INSPECTOR_OPTION = '--inspect-port=0';
const RETRY_MS = 50;

export class Collector {
  readonly #socket: WebSocket;
  readonly #ended = new AbortController();

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('close', () => this.#ended.abort(new Error('the server has ended')));
  }

  /** Opens the inspector of a process, which writes its address to the log. */
  static async attach(processId: number, log: string): Promise<Collector> {
    process.kill(processId, 'SIGUSR1');
    let address: string | undefined;
    while (address === undefined) {
      await sleep(RETRY_MS);
      [address] = /ws:\/\/\S+/.exec(await readFile(log, 'utf8')) ?? [];
    }
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return new Collector(socket);
  }

  /** Fails if the server has ended. */
  async collect(): Promise<void> {
    const { signal } = this.#ended;
    signal.throwIfAborted();
    const answer = once(this.#socket, 'message', { signal });
    this.#socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }));
    await answer;
  }

  close(): void {
    this.#socket.close();
  }
}
