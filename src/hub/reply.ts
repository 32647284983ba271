// What comes of a request to a callback. An answer is read as far as it matters, in the time that there is.

import { FORBIDDEN } from './connector.ts';

/** Of an answer whose body says nothing; more, or more time, costs the connection. */
const MOST_IGNORED_BYTES = 16 * 1024;
const MOST_IGNORED_MS = 1_000;

/** Why a request may not be sent now. */
export interface Full {
  /** The network that has no free slot; null where it is the domain. */
  readonly network: string | null;
}

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

export interface ReplyLimits {
  readonly timeoutMs: number;
  /** Bytes of the answer that matter. */
  readonly wanted: number;
}

/** What a request is on, as the dispatcher of requests hands it over. */
interface Connection {
  abort(reason: Error): void;
}

/** Reads an answer as far as it matters, within the time that there is. */
export class ReplyReader {
  readonly #limits: ReplyLimits;
  readonly #resolve: (reply: Reply) => void;
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout;
  #controller: Connection | null = null;
  #status = 0;
  #retryAfter: number | null = null;
  #length = 0;
  #isOver = false;

  constructor(limits: ReplyLimits, resolve: (reply: Reply) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#runOut(), limits.timeoutMs);
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

  onRequestStart(controller: Connection): void {
    this.#controller = controller;
    if (this.#isOver) this.#abort();
  }

  onResponseStart(
    _controller: Connection,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    const wait = headers['retry-after'];
    this.#retryAfter = typeof wait === 'string' && /^\d{1,9}$/.test(wait) ? Number(wait) : null;
    if (this.#limits.wanted > 0) return;
    // The answer is there. Its body is only read so that the connection can be used again.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#runOut(), MOST_IGNORED_MS);
  }

  onResponseData(_controller: Connection, chunk: Buffer): void {
    this.#length += chunk.length;
    const { wanted } = this.#limits;
    if (wanted > 0) this.#chunks.push(chunk);
    if (this.#length > (wanted || MOST_IGNORED_BYTES)) this.#finish(true);
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Connection, error: Error): void {
    // What breaks off after the status was answered all the same, if nothing more was wanted.
    if (this.#status > 0 && this.#limits.wanted === 0) this.#finish(false);
    else this.fail(error);
  }

  #runOut(): void {
    if (this.#status > 0 && this.#limits.wanted === 0) this.#finish(true);
    else {
      const seconds = this.#limits.timeoutMs / 1000;
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

/** Why a request got no answer, in words that name no address. */
function reasonOf(error: Error): string {
  if (error.message === FORBIDDEN) return FORBIDDEN;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
