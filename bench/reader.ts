// A reader in its own process: requests one document at a constant rate and reports its waits.

import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestions } from './companion.ts';

export interface Reading {
  readonly url: string;
  readonly forMs: number;
  readonly everyMs: number;
}

/** Each wait from the request to the last byte, and its start after the first request, in ms. */
export type Waits = readonly { readonly atMs: number; readonly ms: number }[];

const agent = new Agent({ keepAlive: true });

async function read({ url, forMs, everyMs }: Reading): Promise<Waits> {
  const waits: Promise<{ atMs: number; ms: number }>[] = [];
  const begin = performance.now();
  // Requests do not wait for earlier answers.
  for (let next = begin; next < begin + forMs; next += everyMs) {
    const early = next - performance.now();
    if (early > 0) await sleep(early);
    waits.push(ask(url, begin));
  }
  return Promise.all(waits);
}

function ask(
  url: string,
  begin: number,
  askedAt = performance.now(),
): Promise<{ atMs: number; ms: number }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ atMs: askedAt - begin, ms: performance.now() - askedAt }),
      );
    });
    request.once('error', (error) => {
      // The server may close a connection that was idle while the next request is on its way.
      if (request.reusedSocket) resolve(ask(url, begin, askedAt));
      else reject(error);
    });
  });
}

answerQuestions(read);
