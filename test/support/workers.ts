// A server with several workers, and clients that open a connection for each request, because the system
// distributes connections among workers.

import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import type { RequestOptions } from './http.ts';
import { PATIENCE_MS } from './patience.ts';
import type { Server } from './process.ts';
import type { RunningServer } from './running-server.ts';

export const TWO = ['--workers', '2'];
/** With this, the log has the process ids of the workers, which `workersOf` reads. */
export const LOGGED = { LOG_LEVEL: 'info' };

/**
 * The process ids of the running workers, in the order in which they became ready; the first is the lead,
 * unless it was replaced.
 */
export function workersOf(server: Server): number[] {
  const ready = [...server.log.matchAll(/"pid":(\d+),.*"msg":"Server listening at/g)];
  return [...new Set(ready.map(([, pid]) => Number(pid)))].filter(isAlive);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export interface FreshAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request on a new connection. Rejects after `PATIENCE_MS`. */
export function askFresh(
  server: RunningServer,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<FreshAnswer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const options = { host: '127.0.0.1', port, path, method, headers, agent: false, signal };
    const request = sendRequest(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode as number, headers: response.headers, text });
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

/**
 * Sends a request repeatedly, each on a new connection: with two workers, the chance that one of them answers
 * all of 30 is one in 500 million.
 */
export async function askOften(
  server: RunningServer,
  path: string,
  options: RequestOptions = {},
  times = 30,
): Promise<FreshAnswer[]> {
  const answers: FreshAnswer[] = [];
  while (answers.length < times) answers.push(await askFresh(server, path, options));
  return answers;
}
