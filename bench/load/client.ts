// The client without wrk, in its own process: sends the requests of a list over persistent connections
// and reads only the ends of the answers.

import { answerQuestions } from '../companion.ts';
import { ask } from './ask.ts';

export interface Attack {
  readonly origin: string;
  readonly requests: readonly Uint8Array[];
  readonly connections: number;
  readonly forMs: number;
  /** The index of the first request. */
  readonly from: number;
}

export interface Answered {
  readonly calls: number;
  readonly seconds: number;
}

async function attack({ origin, requests, connections, forMs, from }: Attack): Promise<Answered> {
  let [place, calls] = [from, 0];
  const next = () => requests[place++ % requests.length] as Uint8Array;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const begin = performance.now();
  const sockets = Array.from({ length: connections }, () =>
    ask(origin, { next, onAnswer: () => void (calls += 1), onError: reject }),
  );
  setTimeout(resolve, forMs);
  await promise;
  const seconds = (performance.now() - begin) / 1000;
  for (const socket of sockets) socket.destroy();
  return { calls, seconds };
}

answerQuestions(attack);
