// Reads files of logs from other servers, and asks witnesses: requests to addresses that an operator or a
// user of the command line has named.

const TIMEOUT_MS = 60_000;
/** A dataset of several million reviews. */
const MAX_BYTES = 2 ** 31;

/** A request that got no answer, or none that can be used. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

export interface FetchOptions {
  readonly maxBytes?: number;
  /** Sent by POST. */
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface Fetched {
  readonly status: number;
  readonly body: Buffer;
}

/** @throws {FetchError} without an answer, or if the answer is larger than `maxBytes` */
export async function fetchBytes(
  url: string,
  { maxBytes = MAX_BYTES, body, timeoutMs = TIMEOUT_MS }: FetchOptions = {},
): Promise<Fetched> {
  try {
    const answer = await fetch(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { 'cache-control': 'no-cache' },
      redirect: body === undefined ? 'follow' : 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body ?? []) {
      size += piece.length;
      if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
      pieces.push(piece);
    }
    return { status: answer.status, body: Buffer.concat(pieces) };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new FetchError(`${url}: ${reason}`, { cause: error });
  }
}
