// Reads the response to a request within its time limit, and only as many bytes as matter.

import { FORBIDDEN } from './connector.ts';

/** Limits for a body that is ignored. Beyond them the connection is closed instead of reused. */
const MAX_IGNORED_BYTES = 16 * 1024;
const MAX_IGNORED_MS = 1_000;
const MAX_INTERIM = 16;

/** What keeps a request from being sent now. */
export interface Busy {
  /** The network at its limits; null if it is the domain. */
  readonly network: string | null;
}

export type Reply =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The wanted bytes of the body, or all of a shorter one; up to a chunk more. */
      readonly body: Buffer;
      /** The value of Retry-After; null if it is absent or a date. */
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was sent. */
  | { readonly kind: 'postponed'; readonly busy: Busy };

export interface ReplyLimits {
  readonly timeoutMs: number;
  /** Bytes of the response body that matter. */
  readonly wantedBytes: number;
}

/** The part of undici's request controller that is used. */
interface Controller {
  abort(reason: Error): void;
}

/** An undici dispatch handler for one request. Its time limit starts when it is created. */
export class ReplyReader {
  readonly #limits: ReplyLimits;
  readonly #resolve: (reply: Reply) => void;
  readonly #chunks: Buffer[] = [];
  #timer: NodeJS.Timeout;
  #controller: Controller | null = null;
  #status = 0;
  #interim = 0;
  #retryAfter: number | null = null;
  #length = 0;
  #isDone = false;

  constructor(limits: ReplyLimits, resolve: (reply: Reply) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => this.#timeOut(), limits.timeoutMs);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Ends the request before it is sent. */
  postpone(busy: Busy): void {
    this.#end({ kind: 'postponed', busy });
  }

  fail(error: Error): void {
    this.#end({ kind: 'failed', reason: reasonOf(error) });
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isDone) this.#abort();
  }

  onResponseStart(
    _controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) {
      this.#interim += 1;
      if (this.#interim > MAX_INTERIM) this.#refuse(`more than ${MAX_INTERIM} interim responses`);
      return;
    }
    this.#status = status;
    const wait = headers['retry-after'];
    this.#retryAfter = typeof wait === 'string' && /^\d{1,9}$/.test(wait) ? Number(wait) : null;
    if (this.#limits.wantedBytes > 0) return;
    // The status is the whole result. The body is read only so that the connection can be reused.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#timeOut(), MAX_IGNORED_MS);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.#length += chunk.length;
    const { wantedBytes } = this.#limits;
    if (wantedBytes > 0) this.#chunks.push(chunk);
    if (this.#length > (wantedBytes || MAX_IGNORED_BYTES)) this.#finish(true);
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Controller, error: Error): void {
    // If only the status matters, an error after it changes nothing.
    if (this.#status > 0 && this.#limits.wantedBytes === 0) this.#finish(false);
    else this.fail(error);
  }

  #timeOut(): void {
    if (this.#status > 0 && this.#limits.wantedBytes === 0) this.#finish(true);
    else {
      const seconds = this.#limits.timeoutMs / 1000;
      this.#refuse(`no complete response within ${seconds} s`);
    }
  }

  #refuse(reason: string): void {
    this.#end({ kind: 'failed', reason });
    this.#abort();
  }

  #finish(isCutOff: boolean): void {
    const body = Buffer.concat(this.#chunks);
    const retryAfterSeconds = this.#retryAfter;
    this.#end({ kind: 'answered', status: this.#status, body, retryAfterSeconds });
    if (isCutOff) this.#abort();
  }

  #end(reply: Reply): void {
    if (this.#isDone) return;
    this.#isDone = true;
    clearTimeout(this.#timer);
    this.#resolve(reply);
  }

  #abort(): void {
    this.#controller?.abort(new Error('the rest of the response is not needed'));
  }
}

/** Why a request failed, without revealing an address. */
function reasonOf(error: Error): string {
  if (error.message === FORBIDDEN) return FORBIDDEN;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.message;
}
