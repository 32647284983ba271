// Fake callbacks that respond when the test says so, with networks that the test sets.

import type { Admit, CallbackClient, Delivery } from '../../src/hub/callback.ts';
import type { Callback } from '../../src/model/callback.ts';
import type { Reply } from '../../src/hub/reply.ts';
import { until } from './patience.ts';

/** A request to a callback that waits for its response. */
export interface Waiting {
  readonly callback: string;
  readonly parameters: URLSearchParams;
  readonly answer: (status: number, body?: string) => void;
  readonly fail: (error: Error) => void;
}

export class FakeCallbacks {
  readonly waiting: Waiting[] = [];
  /** Callbacks in the order in which requests were sent. */
  readonly sent: string[] = [];
  /** The most requests that waited at the same time. */
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
      callback: Callback,
      parameters: [string, string][],
      _wantedBytes: number,
      _timeoutMs: number,
      admit: Admit,
    ) => this.#take(callback.href, new URLSearchParams(parameters), admit),
    deliver: ({ callback }: Delivery, admit: Admit) =>
      this.#take(callback.href, new URLSearchParams(), admit),
    close: () => {
      this.isClosed = true;
      return Promise.resolve();
    },
  } as unknown as CallbackClient;

  async #take(callback: string, parameters: URLSearchParams, admit: Admit): Promise<Reply> {
    // Asynchronous, like the DNS lookup before a real request.
    await Promise.resolve();
    const busy = admit(this.networksOf(callback));
    if (busy) return { kind: 'postponed', busy };
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
    await until(() => find() !== undefined);
    return find() as Waiting;
  }

  answerAll(status = 204): void {
    while (this.waiting.length > 0) this.waiting[0]?.answer(status);
  }
}
