// Requests that a client sends before it has the answers to the earlier ones of its connection. They are
// handled one after the other, with other connections in between: Node would handle all that one packet
// brings at once.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HTTP_LIMITS } from './limits.ts';

/** Node assigns the connection to a response when the answers before it are sent. */
export function isPipelined({ socket }: ServerResponse): boolean {
  return socket === null;
}

export class Pipelines {
  readonly #waiting = new WeakMap<Socket, number>();
  readonly #onRefused: () => void;

  /** `onRefused` is called when a connection with too many waiting requests is closed. */
  constructor(onRefused: () => void) {
    this.#onRefused = onRefused;
  }

  /** Handles a pipelined request after the answers before it. */
  add({ socket }: IncomingMessage, response: ServerResponse, handle: () => void): void {
    const waiting = this.#waiting.get(socket) ?? 0;
    if (socket.destroyed) return;
    if (waiting >= HTTP_LIMITS.pipelined.value) {
      socket.destroy();
      this.#onRefused();
      return;
    }
    this.#waiting.set(socket, waiting + 1);
    response.once('socket', () => {
      this.#waiting.set(socket, (this.#waiting.get(socket) ?? 1) - 1);
      setImmediate(() => {
        if (!socket.destroyed) handle();
      });
    });
  }
}
