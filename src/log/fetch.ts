// Reads files of logs from other servers, and asks witnesses and language models: requests to addresses that an
// operator or a user of the command line has named.

const TIMEOUT_MS = 60_000;
/** A dataset of a million reviews. As much is in memory at once, and as text. */
export const MAX_BYTES = 400_000_000;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A request that got no answer, or none that can be used. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
}

/** There is nothing at the path. */
export class NotFoundError extends FetchError {}

export interface FetchOptions {
  readonly maxBytes?: number;
  /** Sent by POST. */
  readonly body?: string;
  readonly timeoutMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Fetched {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter: string | null;
}

/**
 * Follows redirects of GET within the origin of `url`.
 *
 * @throws {FetchError} without an answer, if the answer is larger than `maxBytes`, or if it redirects elsewhere
 */
export async function fetchBytes(
  url: string,
  { maxBytes = MAX_BYTES, body, timeoutMs = TIMEOUT_MS, headers, signal }: FetchOptions = {},
): Promise<Fetched> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(url, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { 'cache-control': 'no-cache', ...headers },
      redirect: body === undefined ? 'manual' : 'error',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of answer.body ?? []) {
      size += piece.length;
      if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
      pieces.push(piece);
    }
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, body: Buffer.concat(pieces), retryAfter };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    const text = limit.aborted ? `no answer within ${timeoutMs / 1000} s` : reason;
    throw new FetchError(`${url}: ${text}`, { cause: error });
  }
}

/** A server must not lead its auditor to other servers, such as those of a private network. */
async function request(url: string, options: RequestInit): Promise<Response> {
  let target = url;
  for (let left = MAX_REDIRECTS; left >= 0; left--) {
    const answer = await fetchAgain(target, options);
    const location = answer.headers.get('location');
    if (!REDIRECTS.has(answer.status) || location === null) return answer;
    await answer.body?.cancel();
    const next = URL.parse(location, target);
    if (next?.origin !== new URL(url).origin) {
      throw new Error(`expected no redirect to another origin, got one to ${next?.origin}`);
    }
    target = next.href;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

/**
 * Who compares a large dataset does not notice meanwhile that the server has closed the idle connection. A POST is not
 * repeated: it may have arrived.
 */
async function fetchAgain(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch (error) {
    const { cause } = error as Error;
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    if (options.method === 'POST' || (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET'))
      throw error;
    return fetch(url, options);
  }
}
