// After floods the server's memory returns: a flood is repeated, and with ten times as many distinct requests
// the memory is within 10% of what it was after the first ones. The server is a process of its own.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RawConnection } from '../support/hostile-client.ts';
import { BOTH, INITIALIZE } from '../support/rpc.ts';

const MAX_RATIO = 1.1;
const CONNECTIONS = 32;

let server: ChildProcess;
let port: number;
beforeAll(async () => {
  const file = fileURLToPath(new URL('../support/hostile-server.ts', import.meta.url));
  server = fork(file, {
    execArgv: ['--disable-warning=ExperimentalWarning', '--expose-gc'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  port = Number(line.toString());
});
afterAll(() => server.kill());

/** The bytes in use after a garbage collection. */
async function memory(): Promise<number> {
  const answer = once(server, 'message');
  server.send('memory');
  const [bytes] = (await answer) as [number];
  return bytes;
}

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

async function flood(from: number, count: number, requestOf: (index: number) => Sent) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = from;
  const send = ({ path, method = 'GET', headers = {}, body }: Sent) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { host: '127.0.0.1', port, agent, path, method, headers };
      request(options, (response) => {
        response.resume().once('end', () => resolve(response.statusCode));
      })
        .once('error', reject)
        .end(body);
    });
  /** A busy server sheds requests: they are repeated. */
  const sendUntilAnswered = async (sent: Sent) => {
    while ((await send(sent)) === 503);
  };
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let at = next++; at < from + count; at = next++) {
        await sendUntilAnswered(requestOf(at));
      }
    }),
  );
  agent.destroy();
}

const CALL = { 'Content-Type': 'application/json', Accept: BOTH };

const FLOODS: readonly (readonly [string, number, (index: number) => Sent])[] = [
  [
    'distinct searches',
    10_000,
    (at) => ({ path: `/api/reviews/search?query=visit+${at}&limit=1` }),
  ],
  ['distinct unknown paths', 10_000, (at) => ({ path: `/${at}` })],
  ['distinct subjects', 1_000, (at) => ({ path: `/technicians/${at}` })],
  [
    'distinct encodings',
    10_000,
    (at) => ({ path: '/', headers: { 'Accept-Encoding': `br;q=0.${at}` } }),
  ],
  [
    'calls with distinct arguments',
    5_000,
    (at) => ({
      path: '/mcp',
      method: 'POST',
      headers: CALL,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: at,
        method: 'tools/call',
        params: { name: `tool_${at}`, arguments: { [`name_${at}`]: at } },
      }),
    }),
  ],
  [
    'sessions',
    2_000,
    () => ({ path: '/mcp', method: 'POST', headers: CALL, body: JSON.stringify(INITIALIZE) }),
  ],
];

test.each(FLOODS)('after %s', async (_what, count, requestOf) => {
  await flood(0, count, requestOf);
  const before = await memory();
  await flood(count, 10 * count, requestOf);
  expect((await memory()) / before).toBeLessThan(MAX_RATIO);
});

test('after pages with distinct filters, the cache has its limit', async () => {
  const pageOf = (at: number) => ({
    path: `/reviews?query=${at}`,
    headers: { Accept: 'text/html' },
  });
  // Enough to fill 16 MiB.
  await flood(0, 6_000, pageOf);
  const before = await memory();
  await flood(6_000, 6_000, pageOf);
  expect((await memory()) / before).toBeLessThan(MAX_RATIO);
});

test('after five thousand connections that send nothing, half a request, or reset', async () => {
  const attack = async () => {
    const connections = await Promise.all(
      Array.from({ length: 5_000 }, () => RawConnection.open(port)),
    );
    for (const [index, connection] of connections.entries()) {
      if (index % 2 === 1) connection.write('GET / HTTP/1.1\r\nHost: a\r\n');
    }
    for (const connection of connections) connection.socket.resetAndDestroy();
    await Promise.all(connections.map((connection) => connection.closed()));
  };
  await attack();
  const before = await memory();
  await attack();
  expect((await memory()) / before).toBeLessThan(MAX_RATIO);
});
