// Callbacks that answer when a test says so, at the addresses that a test gives them.

import type { Admit, CallbackClient, Delivery } from '../../src/hub/callback.ts';
import type { Reply } from '../../src/hub/reply.ts';
import { until } from './store.ts';

/** A request to a callback that waits for its answer. */
export interface Waiting {
  readonly callback: string;
  readonly parameters: URLSearchParams;
  readonly answer: (status: number, body?: string) => void;
  readonly fail: (error: Error) => void;
}

export class FakeCallbacks {
  readonly waiting: Waiting[] = [];
  /** Callbacks in the order in which requests were sent to them. */
  readonly sent: string[] = [];
  /** Requests that waited at once. */
  most = 0;
  /** Called for each request that is sent. */
  onSent: () => void = () => undefined;
  isClosed = false;
  /** The networks of a callback's host. */
  networksOf: (callback: string) => readonly string[] = (callback) => [
    `the network of ${new URL(callback).hostname}`,
  ];

  readonly client = {
    ask: (
      callback: string,
      parameters: [string, string][],
      _wanted: number,
      _timeoutMs: number,
      admit: Admit,
    ) => this.#take(callback, new URLSearchParams(parameters), admit),
    deliver: ({ callback }: Delivery, admit: Admit) =>
      this.#take(callback, new URLSearchParams(), admit),
    close: () => {
      this.isClosed = true;
      return Promise.resolve();
    },
  } as unknown as CallbackClient;

  async #take(callback: string, parameters: URLSearchParams, admit: Admit): Promise<Reply> {
    // As a lookup would, before anything is sent.
    await Promise.resolve();
    const full = admit(this.networksOf(callback));
    if (full) return { kind: 'postponed', full };
    this.sent.push(callback);
    this.onSent();
    return new Promise((resolve, reject) => {
      const end = () => this.waiting.splice(this.waiting.indexOf(waiting), 1);
      const waiting: Waiting = {
        callback,
        parameters,
        answer: (status, body = '') => {
          end();
          resolve({ kind: 'answered', status, body: Buffer.from(body), retryAfterSeconds: null });
        },
        fail: (error) => {
          end();
          reject(error);
        },
      };
      this.waiting.push(waiting);
      this.most = Math.max(this.most, this.waiting.length);
    });
  }

  /** Waits for a request to a callback. */
  async next(callback: string): Promise<Waiting> {
    const find = () => this.waiting.find((each) => each.callback === callback);
    await until(() => find() !== undefined, 60_000);
    return find() as Waiting;
  }

  answerAll(status = 204): void {
    while (this.waiting.length > 0) this.waiting[0]?.answer(status);
  }
}
