// The requests of `doctor`: to the public address of the operator's own server, and to the server on this
// machine.

import { request as requestHttp, type IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { TLSSocket } from 'node:tls';

const LIMIT_MS = 10_000;
const LONGEST_BODY = 64 * 1024 * 1024;

interface DoctorRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface DoctorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly tls: TlsFacts | null;
}

export interface TlsFacts {
  /** Why the certificate is not trusted; null if it is. */
  readonly fault: string | null;
  /** When the certificate expires, ms since 1970. */
  readonly expiresAtMs: number;
}

/** Sends a request, and reads the answer. A certificate that is not trusted is reported, not refused. */
export function ask(url: string, options: DoctorRequest = {}): Promise<DoctorAnswer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp;
    const request = send(
      url,
      {
        method,
        headers,
        agent: false,
        rejectUnauthorized: false,
        signal: AbortSignal.timeout(LIMIT_MS),
      },
      (response) => {
        const tls = factsOf(response.socket as Partial<TLSSocket>);
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > LONGEST_BODY) request.destroy(new Error('the answer is too long'));
        });
        response.once('error', reject);
        response.once('end', () => {
          const { statusCode = 0, headers: answered } = response;
          resolve({ status: statusCode, headers: answered, body: Buffer.concat(chunks), tls });
        });
      },
    );
    request.once('error', reject);
    request.end(body);
  });
}

function factsOf(socket: Partial<TLSSocket>): TlsFacts | null {
  const certificate = socket.getPeerCertificate?.();
  if (!certificate) return null;
  const fault = socket.authorized === true ? null : String(socket.authorizationError);
  return { fault, expiresAtMs: Date.parse(certificate.valid_to) };
}
