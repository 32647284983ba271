// Downloads a source into a file: HTTP only, within limits of size and time, and to no other origin than the one
// that the settings name.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InputError } from '../../errors.ts';

/** A million reviews have some 500 MB. */
const MAX_BYTES = 2 ** 30;
const TIMEOUT_MS = 600_000;
/** An answer that is slower would keep other sources waiting. */
const LEAST_BYTES = 256 * 1024;
const PACE_MS = 60_000;
const MAX_REDIRECTS = 5;
/** A longer validator would make the next request too large for most servers, and every one after it. */
const LONGEST_VALIDATOR = 1_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What a server said of the content, for the next request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export interface Download extends Validators {
  readonly contentType: string;
}

export interface DownloadLimits {
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** In each of these periods, 256 KiB must arrive, or the rest of the answer. */
  readonly paceMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server that is overloaded, or that was asked too often. */
export class BusyServer extends InputError {
  /** How long it asks us to wait, in ms. */
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

const LONGEST_WAIT_MS = 24 * 3_600_000;

/** Why an answer is none: many servers say it as JSON, of which no more is read than what arrives first. */
async function refusalOf(url: string, answer: Response): Promise<InputError> {
  const { status, headers, body } = answer;
  const reader = body?.getReader();
  const start = (await reader?.read().catch(() => null))?.value as Uint8Array | undefined;
  await reader?.cancel().catch(() => undefined);
  const text = Buffer.from(start ?? []).toString();
  const [, said] = /"(?:message|error_description|error)":\s*"([^"\\]{1,300})"/.exec(text) ?? [];
  const message = `${url}: expected status 200, got ${status}${said === undefined ? '' : `: ${said}`}`;
  if (status !== 429 && status < 500) return new InputError(message);
  const after = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - Date.now();
  return new BusyServer(message, Math.min(Math.max(ms, 0) || 0, LONGEST_WAIT_MS));
}

/** The answer to a form. @throws {InputError} naming the URL and what is wrong. */
export async function postForm(url: string, body: URLSearchParams): Promise<Response> {
  const signal = AbortSignal.timeout(PACE_MS);
  const answer = await fetch(url, { method: 'POST', body, redirect: 'error', signal }).catch(
    (cause: unknown) => {
      throw new InputError(`${url}: ${(cause as Error).message}`, { cause });
    },
  );
  if (answer.status !== 200) throw await refusalOf(url, answer);
  return answer;
}

export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  return digest.digest('base64url');
}

/**
 * Writes the content at a URL to a file. Null if it is unchanged.
 *
 * @throws {InputError} naming the URL and what is wrong.
 */
export async function download(
  url: string,
  path: string,
  known: Validators | null,
  {
    maxBytes = MAX_BYTES,
    timeoutMs = TIMEOUT_MS,
    paceMs = PACE_MS,
    headers: given = {},
  }: DownloadLimits = {},
): Promise<Download | null> {
  const stop = new AbortController();
  const { signal } = stop;
  const fail = (message: string) => stop.abort(new InputError(`${url}: ${message}`));
  const seconds = (ms: number) => `${ms / 1000} s`;
  let bytes = 0;
  let bytesBefore = 0;
  const timer = setTimeout(
    () => fail(`no complete answer within ${seconds(timeoutMs)}`),
    timeoutMs,
  );
  const pace = setInterval(() => {
    const arrived = bytes - bytesBefore;
    bytesBefore = bytes;
    if (arrived >= LEAST_BYTES) return;
    fail(
      `expected the rest of the answer or ${LEAST_BYTES} bytes of it in ${seconds(paceMs)}, got ${arrived}`,
    );
  }, paceMs);
  try {
    const answer = await request(url, known, given, signal);
    if (answer.status === 304 && known) {
      await answer.body?.cancel();
      return null;
    }
    if (answer.status !== 200 || !answer.body) throw await refusalOf(url, answer);
    const limit = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes <= maxBytes) done(null, chunk);
        else done(new InputError(`${url}: expected at most ${maxBytes} bytes, got more`));
      },
    });
    await pipeline(Readable.fromWeb(answer.body as never), limit, createWriteStream(path), {
      signal,
    });
    const { headers } = answer;
    return {
      etag: validatorOf(headers, 'etag'),
      lastModified: validatorOf(headers, 'last-modified'),
      contentType: headers.get('content-type') ?? '',
    };
  } catch (error) {
    if (error instanceof InputError) throw error;
    if (signal.aborted) throw signal.reason;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new InputError(`${url}: ${reason}`, { cause: error });
  } finally {
    clearTimeout(timer);
    clearInterval(pace);
  }
}

function validatorOf(headers: Headers, name: string): string | null {
  const value = headers.get(name);
  return value !== null && value.length <= LONGEST_VALIDATOR ? value : null;
}

async function request(
  url: string,
  known: Validators | null,
  given: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { ...given, 'user-agent': 'public-reviews (sync)' };
  if (known?.etag) headers['if-none-match'] = known.etag;
  if (known?.lastModified) headers['if-modified-since'] = known.lastModified;
  let target = url;
  for (let left = MAX_REDIRECTS; left >= 0; left--) {
    const answer = await fetch(target, { headers, redirect: 'manual', signal });
    const location = answer.headers.get('location');
    if (!REDIRECTS.has(answer.status) || location === null) return answer;
    await answer.body?.cancel();
    const next = URL.parse(location, target);
    // A source must not lead the server to others, such as those of a private network.
    if (next?.origin !== new URL(url).origin) {
      throw new InputError(
        `${url}: expected no redirect to another origin, got one to ${next?.origin ?? location}; ` +
          'name that URL in the settings',
      );
    }
    target = next.href;
  }
  throw new InputError(`${url}: expected at most ${MAX_REDIRECTS} redirects, got more`);
}
