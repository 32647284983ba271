// Requests to callbacks: the only ones that this program sends to anybody. They go to permitted
// addresses, over verified TLS, follow no redirect, end in time, and read no more than they must.

import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent } from 'undici';
import { type AddressPolicy, networkOf } from './addresses.ts';
import { targetOf, withParameters } from './callback-url.ts';
import { guardedConnector } from './connector.ts';
import { HeldNames } from './held-names.ts';
import type { Address, Resolve } from './resolver.ts';
import { type Full, type Reply, type ReplyLimits, ReplyReader } from './reply.ts';

/** Idle connections end soon, so that a reused one is rarely closed already at its other end. */
const KEEP_ALIVE_MS = 1_000;
/** A larger body is sent and signed in pieces, so that it is in memory once and stops nobody. */
const PIECE = 256 * 1024;

export interface CallbackOptions {
  readonly addresses: AddressPolicy;
  readonly resolve: Resolve;
  readonly userAgent: string;
  /** Connections to one host. */
  readonly connections: number;
}

/**
 * Asked before a request is sent, with the networks of all addresses that it may connect to; null where
 * it may be sent.
 */
export type Admit = (networks: readonly string[]) => Full | null;

interface Sent extends ReplyLimits {
  readonly callback: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly admit: Admit;
}

export interface Delivery {
  readonly callback: string;
  readonly body: Buffer;
  readonly contentType: string;
  /** Value of the Link header. */
  readonly links: string;
  readonly secret: string | null;
  readonly timeoutMs: number;
}

export class CallbackClient {
  readonly #agent: Agent;
  readonly #names: HeldNames;
  readonly #userAgent: string;

  constructor({ addresses, resolve, userAgent, connections }: CallbackOptions) {
    this.#userAgent = userAgent;
    this.#names = new HeldNames(resolve, () => performance.now());
    this.#agent = new Agent({
      connect: guardedConnector(addresses, this.#names.resolve),
      connections,
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      // The time limit of a request is one for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** Sends a GET with parameters behind the callback's own; `wanted` bytes of the answer are read. */
  ask(
    callback: string,
    parameters: readonly (readonly [name: string, value: string])[],
    wanted: number,
    timeoutMs: number,
    admit: Admit,
  ): Promise<Reply> {
    const path = withParameters(targetOf(callback).path, parameters);
    return this.#send({
      callback,
      method: 'GET',
      path,
      headers: {},
      body: null,
      timeoutMs,
      wanted,
      admit,
    });
  }

  /** Delivers content (WebSub, section 7); the status says whether it was acknowledged. */
  async deliver(delivery: Delivery, admit: Admit): Promise<Reply> {
    const { callback, body, contentType, links, secret, timeoutMs } = delivery;
    const headers: Record<string, string> = {
      'content-type': contentType,
      link: links,
      ...(secret === null ? {} : { 'x-hub-signature': await signatureOf(body, secret) }),
    };
    const { path } = targetOf(callback);
    const target = { callback, method: 'POST', path } as const;
    return this.#send({ ...target, headers, body, timeoutMs, wanted: 0, admit });
  }

  async #send(sent: Sent): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    // The time that there is includes that of the lookup.
    const reader = new ReplyReader(sent, resolve);
    const { host } = targetOf(sent.callback);
    const names = isIP(host) === 0 ? this.#names.use(host) : null;
    this.#begin(sent, reader, names?.answer ?? [{ address: host }]).catch(reject);
    try {
      return await promise;
    } finally {
      names?.release();
    }
  }

  /** Sends the request, if it may be sent to these addresses. */
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
    if (reader.isOver) return;
    const networks = new Set(addresses.map(({ address }) => networkOf(address)));
    const full = sent.admit([...networks]);
    if (full) reader.postpone(full);
    else this.#dispatch(sent, reader);
  }

  #dispatch(sent: Sent, reader: ReplyReader): void {
    const { body } = sent;
    this.#agent.dispatch(
      {
        origin: targetOf(sent.callback).origin,
        path: sent.path,
        method: sent.method,
        headers: {
          'user-agent': this.#userAgent,
          ...sent.headers,
          ...(body ? { 'content-length': String(body.length) } : {}),
        },
        body: body && body.length > PIECE ? Readable.from(piecesOf(body)) : body,
      },
      reader,
    );
  }

  /** Ends every connection; requests under way fail. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** Views of the body, one after another as the connection takes them. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; start += PIECE)
    yield body.subarray(start, start + PIECE);
}

/** The value of `X-Hub-Signature` (WebSub, section 7.1). */
async function signatureOf(body: Buffer, secret: string): Promise<string> {
  const hmac = createHmac('sha256', secret);
  for (let start = 0; start < body.length; start += PIECE) {
    if (start > 0) await nextTurn();
    hmac.update(body.subarray(start, start + PIECE));
  }
  return `sha256=${hmac.digest('hex')}`;
}
