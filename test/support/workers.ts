// A server with several workers, and clients whose every request takes a connection of its own: only so
// does the system share them out.

import { type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import type { RequestOptions } from './http.ts';
import type { Server } from './process.ts';
import type { RunningServer } from './running-server.ts';

/** What makes a server of two workers whose processes can be known. */
export const TWO = ['--workers', '2'];
export const TOLD = { LOG_LEVEL: 'info' };

/** The processes of the workers that live, in the order in which they became ready; the first is the
 * lead, unless it was replaced. */
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

/** Asks on a connection of its own. One that hangs is an error too. */
export function askFresh(
  server: RunningServer,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
): Promise<FreshAnswer> {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(20_000);
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

/** Asks so many times, one after another: with two workers, the chance that one of them answers all of
 * 30 is one in 500 million. */
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
