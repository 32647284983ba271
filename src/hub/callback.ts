// Sends requests to callbacks. They go to permitted addresses over verified TLS, follow no redirects, have a
// time limit, and read only the bytes they need.

import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Callback } from '../model/callback.ts';
import { clientOf } from '../model/addresses.ts';
import type { AddressPolicy } from './addresses.ts';
import { withParameters } from './callback-url.ts';
import { guardedConnector } from './connector.ts';
import type { Address, Resolve } from './resolver.ts';
import { type Busy, type Reply, type ReplyLimits, ReplyReader } from './reply.ts';

/** Short, so that the callback's server has rarely closed a connection that is used again. */
const KEEP_ALIVE_MS = 1_000;
/** Larger bodies are sent and signed in pieces: without a copy, and without blocking the event loop. */
const PIECE_BYTES = 256 * 1024;

export interface CallbackOptions {
  readonly addresses: AddressPolicy;
  readonly resolve: Resolve;
  readonly userAgent: string;
  readonly connections: number;
}

/**
 * Decides whether a request may be sent, given the networks of all addresses that it may connect to: null
 * if it may, else what is busy.
 */
export type Admit = (networks: readonly string[]) => Busy | null;

interface Sent extends ReplyLimits {
  readonly callback: Callback;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly admit: Admit;
}

export interface Delivery {
  readonly callback: Callback;
  readonly body: Buffer;
  readonly contentType: string;
  readonly links: string;
  readonly secret: string | null;
  readonly timeoutMs: number;
}

export class CallbackClient {
  readonly #agent: Agent;
  readonly #resolve: Resolve;
  readonly #userAgent: string;

  constructor({ addresses, resolve, userAgent, connections }: CallbackOptions) {
    this.#userAgent = userAgent;
    this.#resolve = resolve;
    this.#agent = new Agent({
      connect: guardedConnector(addresses, this.#resolve),
      connections,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // Off: ReplyReader limits the time of the whole request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a GET with parameters appended to the callback's query; reads `wantedBytes` of the response. */
  ask(
    callback: Callback,
    parameters: readonly (readonly [name: string, value: string])[],
    wantedBytes: number,
    timeoutMs: number,
    admit: Admit,
  ): Promise<Reply> {
    const path = withParameters(callback.path, parameters);
    return this.#send({
      callback,
      method: 'GET',
      path,
      headers: {},
      body: null,
      timeoutMs,
      wantedBytes,
      admit,
    });
  }

  /** Delivers content (WebSub, section 7). A 2xx status acknowledges it. */
  async deliver(delivery: Delivery, admit: Admit): Promise<Reply> {
    const { callback, body, contentType, links, secret, timeoutMs } = delivery;
    const headers: Record<string, string> = {
      'content-type': contentType,
      link: links,
      ...(secret === null ? {} : { 'x-hub-signature': await signatureOf(body, secret) }),
    };
    const target = { callback, method: 'POST', path: callback.path } as const;
    return this.#send({ ...target, headers, body, timeoutMs, wantedBytes: 0, admit });
  }

  #send(sent: Sent): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    // Starts the time limit, which includes the DNS lookup.
    const reader = new ReplyReader(sent, resolve);
    const { host } = sent.callback;
    const lookup = isIP(host) === 0 ? this.#resolve(host) : [{ address: host }];
    this.#begin(sent, reader, lookup).catch(reject);
    return promise;
  }

  /** Sends the request if `admit` allows it for its addresses. */
  async #begin(
    sent: Sent,
    reader: ReplyReader,
    lookup: Promise<readonly Address[]> | readonly Pick<Address, 'address'>[],
  ): Promise<void> {
    let addresses;
    try {
      addresses = await lookup;
    } catch (error) {
      reader.fail(error as Error);
      return;
    }
    if (reader.isDone) return;
    const networks = new Set(addresses.map(({ address }) => clientOf(address)));
    const busy = sent.admit([...networks]);
    if (busy) reader.postpone(busy);
    else this.#dispatch(sent, reader);
  }

  #dispatch(sent: Sent, reader: ReplyReader): void {
    const { body } = sent;
    this.#agent.dispatch(
      {
        origin: sent.callback.origin,
        path: sent.path,
        method: sent.method,
        headers: {
          'user-agent': this.#userAgent,
          ...sent.headers,
          ...(body ? { 'content-length': String(body.length) } : {}),
        },
        body: body && body.length > PIECE_BYTES ? Readable.from(piecesOf(body)) : body,
      },
      reader,
    );
  }

  /** Closes all connections; requests in flight fail. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Views of the body, in order. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE_BYTES)
    yield body.subarray(start, start + PIECE_BYTES);
}

/** The value of `X-Hub-Signature` (WebSub, section 7.1). */
async function signatureOf(body: Buffer, secret: string): Promise<string> {
  const hmac = createHmac('sha256', secret);
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    if (start > 0) await yieldToEventLoop();
    hmac.update(body.subarray(start, start + PIECE_BYTES));
  }
  return `sha256=${hmac.digest('hex')}`;
}
