// The hub's peer, in its own process: its HTTP client, posting the same bodies with the same headers to
// the same callbacks, and nothing else.

import { createHmac } from 'node:crypto';
import { Agent, type Dispatcher } from 'undici';
import { answerQuestions } from '../companion.ts';

export interface Posting {
  readonly callbacks: readonly { readonly url: string; readonly secret: string }[];
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly concurrency: number;
}

/** Connections are closed between rounds, like the hub's; TLS sessions are kept. */
const KEEP_ALIVE_MS = 1_000;

const agent = new Agent({
  connections: Number(process.env['CONNECTIONS_PER_HOST']),
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: KEEP_ALIVE_MS,
});

export interface Posted {
  /** The number of 2xx answers. */
  readonly acknowledged: number;
  readonly cpuSeconds: number;
}

async function post(posting: Posting): Promise<Posted> {
  const cpu = process.cpuUsage();
  const { callbacks, concurrency } = posting;
  const targets = callbacks.map(({ url, secret }) => {
    const { origin, pathname } = new URL(url);
    return { origin, path: pathname, secret };
  });
  const body = Buffer.from(posting.body);
  const headers = { ...posting.headers, 'content-length': String(body.length) };
  let [next, acknowledged] = [0, 0];
  const work = async () => {
    for (;;) {
      const target = targets[next++];
      if (!target) return;
      const { origin, path, secret } = target;
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const status = await statusOf({
        origin,
        path,
        method: 'POST',
        headers: { ...headers, 'x-hub-signature': `sha256=${signature}` },
        body,
      });
      if (status >= 200 && status < 300) acknowledged += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const { user, system } = process.cpuUsage(cpu);
  return { acknowledged, cpuSeconds: (user + system) / 1e6 };
}

function statusOf(options: Dispatcher.DispatchOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    agent.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => {
        status = code;
      },
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

answerQuestions(post);
