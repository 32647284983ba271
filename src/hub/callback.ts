// Requests to callbacks: the only ones that this program sends to anybody. They go to permitted
// addresses, over verified TLS, follow no redirect, end in time, and read no more than they must.

import { createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { type AddressPolicy, networkOf } from './addresses.ts';
import { targetOf, withParameters } from './callback-url.ts';
import { FORBIDDEN, guardedConnector } from './connector.ts';
import { HeldNames } from './held-names.ts';
import type { Resolve } from './names.ts';

/** Idle connections end soon, so that a reused one is rarely closed already at its other end. */
const KEEP_ALIVE_MS = 1_000;
/** Of an answer whose body says nothing; more, or more time, costs the connection. */
const MOST_IGNORED_BYTES = 16 * 1024;
const MOST_IGNORED_MS = 1_000;
/** A larger body is sent and signed in pieces, so that it is in memory once and stops nobody. */
const PIECE = 256 * 1024;

export interface CallbackOptions {
  readonly addresses: AddressPolicy;
  readonly resolve: Resolve;
  readonly userAgent: string;
  /** Connections to one host. */
  readonly connections: number;
}

/** Why a request may not be sent now. */
export interface Full {
  /** The network that has no free slot; null where it is the domain. */
  readonly network: string | null;
}

/**
 * Asked before a request is sent, with the networks of all addresses that it may connect to; null where
 * it may be sent.
 */
export type Admit = (networks: readonly string[]) => Full | null;

/** What came of a request: a status, or why there was none. */
export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The beginning of the body, as far as it was asked for. */
      readonly body: Buffer;
      /** The value of Retry-After in seconds; null without one that is a number. */
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was sent. */
  | { readonly kind: 'postponed'; readonly full: Full };

interface Sent {
  readonly callback: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly timeoutMs: number;
  /** Bytes of the answer that matter. */
  readonly wanted: number;
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
    const { host } = targetOf(sent.callback);
    const names = isIP(host) === 0 ? this.#names.use(host) : null;
    try {
      return await new Promise<Reply>((resolve) => {
        // Its time includes that of the lookup.
        const reader = new ReplyReader(sent, resolve);
        const literal = [{ address: host }];
        (names?.answer ?? Promise.resolve(literal)).then(
          (addresses) => {
            if (reader.isOver) return;
            const networks = new Set(addresses.map(({ address }) => networkOf(address)));
            const full = sent.admit([...networks]);
            if (full) reader.postpone(full);
            else this.#dispatch(sent, reader);
          },
          (error: unknown) => reader.fail(error as Error),
        );
      });
    } finally {
      names?.release();
    }
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

/** Reads an answer as far as it matters, within the time that there is. */
class ReplyReader implements Dispatcher.DispatchHandler {
  readonly #sent: Sent;
  readonly #resolve: (reply: Reply) => void;
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #status = 0;
  #retryAfter: number | null = null;
  #length = 0;
  #isOver = false;

  constructor(sent: Sent, resolve: (reply: Reply) => void) {
    this.#sent = sent;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#runOut(), sent.timeoutMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends before anything was sent. */
  postpone(full: Full): void {
    this.#end({ kind: 'postponed', full });
  }

  fail(error: Error): void {
    this.#end({ kind: 'failed', reason: reasonOf(error) });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#abort();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const wait = headers['retry-after'];
    this.#retryAfter = typeof wait === 'string' && /^\d{1,9}$/.test(wait) ? Number(wait) : null;
    if (this.#sent.wanted > 0) return;
    // The answer is there. Its body is only read so that the connection can be used again.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#runOut(), MOST_IGNORED_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length;
    const { wanted } = this.#sent;
    if (wanted > 0) this.#chunks.push(chunk);
    if (this.#length > (wanted || MOST_IGNORED_BYTES)) this.#finish(true);
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What breaks off after the status was answered all the same, if nothing more was wanted.
    if (this.#status > 0 && this.#sent.wanted === 0) this.#finish(false);
    else this.fail(error);
  }

  #runOut(): void {
    if (this.#status > 0 && this.#sent.wanted === 0) this.#finish(true);
    else {
      const seconds = this.#sent.timeoutMs / 1000;
      this.#end({ kind: 'failed', reason: `no whole answer within ${seconds} s` });
      this.#abort();
    }
  }

  #finish(isCutOff: boolean): void {
    const body = Buffer.concat(this.#chunks);
    const retryAfterSeconds = this.#retryAfter;
    this.#end({ kind: 'answered', status: this.#status, body, retryAfterSeconds });
    if (isCutOff) this.#abort();
  }

  #end(reply: Reply): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#resolve(reply);
  }

  #abort(): void {
    this.#controller?.abort(new Error('the answer is of no interest any more'));
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

/** Why a request got no answer, in words that name no address. */
function reasonOf(error: Error): string {
  if (error.message === FORBIDDEN) return FORBIDDEN;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
