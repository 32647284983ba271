// Connections that are slow, idle, half-open, pipelined, too many or never read. Each ends within its limit;
// others get their answers meanwhile.

import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { answer } from '../../src/http/answer.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { Bystanders, RawConnection } from '../support/hostile-client.ts';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

/** Short, so that the tests are; the defaults are in src/http/limits.ts. */
const TIMEOUTS = { requestMs: 2_000, idleMs: 1_000, checkMs: 100, drainMs: 1_000 };
const DRIP_MS = 50;
/** More than any system buffers. */
const HUGE = Buffer.alloc(64 * 1024 * 1024, 'a');

let server: TestServer;
let bystanders: Bystanders;
beforeAll(async () => {
  const reviews = Array.from({ length: 50 }, (_, index) => review({ id: ulidOf(index + 1) }));
  server = await TestServer.open(await snapshotOf(reviews), {
    parts: { timeouts: TIMEOUTS },
    prepare: (http) => {
      http.routeRead('/huge', ({ request, response }) => answer(request, response, [], [HUGE]));
    },
  });
  bystanders = await Bystanders.of(server);
});
afterAll(() => server.close());

const drips: NodeJS.Timeout[] = [];
afterEach(() => {
  for (const timer of drips.splice(0)) clearInterval(timer);
});

/** Sends a text once and then a byte at a time, without end. */
function drip(connection: RawConnection, start: string, bytes: string): void {
  connection.write(start);
  let sent = 0;
  drips.push(
    setInterval(() => {
      if (!connection.isClosed) connection.write(bytes[sent++ % bytes.length] as string);
    }, DRIP_MS),
  );
}

const POST = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const FORM =
  'POST /api/websub/hub HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n';

describe('slow clients are closed after the time limit', () => {
  /** What a client does, and the statuses that it gets until the server closes the connection. */
  const SLOW: readonly (readonly [string, (connection: RawConnection) => void, number[]])[] = [
    ['nothing is sent', () => undefined, [408]],
    ['a request line without end', (each) => drip(each, 'GET /', 'a'), [408]],
    [
      'headers without end',
      (each) => drip(each, 'GET / HTTP/1.1\r\nHost: a\r\n', 'X: y\r\n'),
      [408],
    ],
    ['a body that stops', (each) => each.write(`${POST}Content-Length: 100\r\n\r\n{`), [408]],
    [
      'a body without end',
      (each) => drip(each, `${POST}Content-Length: 60000\r\n\r\n`, ' '),
      [408],
    ],
    [
      'chunks without end',
      (each) => drip(each, `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
      [408],
    ],
    ['a form that stops', (each) => each.write(`${FORM}Content-Length: 100\r\n\r\nhub.`), [408]],
    ['a form without end', (each) => drip(each, `${FORM}Content-Length: 8000\r\n\r\n`, 'a'), [408]],
    [
      'an expected continuation that never comes',
      (each) => each.write(`${POST}Content-Length: 10\r\nExpect: 100-continue\r\n\r\n`),
      [100, 408],
    ],
    [
      'one request and then none',
      (each) => each.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'),
      [200],
    ],
    [
      'one request and then a slow one',
      (each) => drip(each, 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /aaaaaaaaaaaaaaa'),
      [200, 408],
    ],
    ['a tunnel', (each) => each.write('CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'), []],
  ];

  test.concurrent.each(SLOW)('%s', async (_what, attack, statuses) => {
    const connection = await RawConnection.open(server.port);
    await bystanders.during(async () => {
      attack(connection);
      await connection.closed();
    });
    // A reset may overtake the last answer, because the client is still sending.
    expect([statuses, statuses.slice(0, -1)]).toContainEqual(connection.statuses);
  });
});

test('slow clients are counted', async () => {
  const { text } = await server.ask('/metrics');
  expect(text).toMatch(/^http_requests_total\{route="unknown",status="408"\} [1-9]/m);
});

describe('connections', () => {
  test('that are idle, half-open or reset, a thousand at once, are all closed', async () => {
    await bystanders.during(async () => {
      const connections = await Promise.all(
        Array.from({ length: 1_000 }, () => RawConnection.open(server.port)),
      );
      for (const [index, connection] of connections.entries()) {
        if (index % 4 === 1) connection.write('GET / HTTP/1.1\r\n');
        if (index % 4 === 2) connection.socket.end();
        if (index % 4 === 3) connection.socket.resetAndDestroy();
      }
      await Promise.all(connections.map((connection) => connection.closed()));
    });
    await until(async () => (await openConnections(server)) < 50);
  });

  test('that are reset while their answer is sent leave nothing', async () => {
    await bystanders.during(async () => {
      for (let round = 0; round < 30; round++) {
        const connection = await RawConnection.open(server.port);
        connection.write('GET /huge HTTP/1.1\r\nHost: a\r\n\r\n');
        await until(() => connection.received !== '');
        connection.socket.resetAndDestroy();
      }
    });
    await until(async () => (await openConnections(server)) < 50);
  });

  test('that are never read are closed, and counted', async () => {
    const connections = await Promise.all(
      Array.from({ length: 20 }, () => RawConnection.open(server.port)),
    );
    const sockets: Promise<unknown>[] = [];
    await bystanders.during(async () => {
      for (const connection of connections) {
        sockets.push(once(connection.socket, 'close'));
        connection.stopReading();
        connection.write('GET /huge HTTP/1.1\r\nHost: a\r\n\r\n');
      }
      await until(async () => (await refused(server, 'stalled')) >= connections.length);
    });
    for (const connection of connections) connection.end();
    await Promise.all(sockets);
  });

  test('beyond the limit are closed; when some end, others are served', async () => {
    const limited = await TestServer.open(server.http.snapshot, {
      environment: { MAX_CONNECTIONS: '20' },
    });
    const open = () => RawConnection.open(limited.port);
    const connections = await Promise.all(Array.from({ length: 20 }, open));
    await until(async () => (await openConnections(limited)) === 20);
    const more = await Promise.all(Array.from({ length: 30 }, open));
    await Promise.all(more.map((connection) => connection.closed()));
    expect(more.map(({ received }) => received).join('')).toBe('');
    for (const connection of connections) connection.end();
    await until(async () => (await openConnections(limited)) === 0);
    expect((await limited.ask('/reviews.json')).status).toBe(200);
    expect(await refused(limited, 'all')).toBe(30);
    await limited.close();
  });
});

describe('pipelines', () => {
  const searches = (count: number) =>
    Array.from(
      { length: count },
      (_, index) =>
        `GET /api/reviews/search?query=boiler&limit=${1 + (index % 50)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ).join('');
  const MOST = HTTP_LIMITS.pipelined;

  test('of as many requests as may wait are answered completely and in order', async () => {
    const connection = await RawConnection.open(server.port);
    await bystanders.during(async () => {
      connection.write(searches(MOST + 1));
      await connection.answers(MOST + 1);
    });
    expect(connection.statuses).toEqual(Array(MOST + 1).fill(200));
    const limits = [...connection.received.matchAll(/"limit":(\d+)\}/g)].map(([, limit]) =>
      Number(limit),
    );
    expect(limits).toEqual(Array.from({ length: MOST + 1 }, (_, index) => 1 + (index % 50)));
    connection.end();
  });

  test('give way to other connections between two requests', async () => {
    const order: string[] = [];
    const other = await TestServer.open(server.http.snapshot, {
      prepare: (http) => {
        const record = ({
          request,
          response,
        }: Parameters<Parameters<typeof http.routeRead>[1]>[0]) => {
          order.push(request.url as string);
          answer(request, response, [], [Buffer.from('a')]);
        };
        http.routeRead('/pipelined', record);
        http.routeRead('/other', record);
      },
    });
    const [pipeline, single] = [
      await RawConnection.open(other.port),
      await RawConnection.open(other.port),
    ];
    pipeline.write('GET /pipelined HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(MOST));
    single.write('GET /other HTTP/1.1\r\nHost: a\r\n\r\n');
    await Promise.all([pipeline.answers(MOST), single.answers(1)]);
    expect(order.indexOf('/other')).toBeLessThan(MOST / 2);
    pipeline.end();
    single.end();
    await other.close();
  });

  test('of more requests are closed, and counted', async () => {
    const before = await refused(server, 'pipeline');
    const connection = await RawConnection.open(server.port);
    await bystanders.during(async () => {
      connection.write(searches(5_000));
      await connection.closed();
    });
    expect(connection.statuses.length).toBeLessThanOrEqual(MOST + 1);
    expect(await refused(server, 'pipeline')).toBe(before + 1);
  });

  test('whose answers are never read cost one answer, not all', async () => {
    const connection = await RawConnection.open(server.port);
    connection.stopReading();
    await bystanders.during(async () => {
      connection.write('GET /huge HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(MOST));
      const before = await refused(server, 'stalled');
      await until(async () => (await refused(server, 'stalled')) > before);
    });
    connection.end();
  });

  test('of calls of MCP and forms with bodies are answered in order', async () => {
    const call = (id: number) => {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
      return `${POST}Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const connection = await RawConnection.open(server.port);
    connection.write(Array.from({ length: 50 }, (_, id) => call(id)).join(''));
    await connection.answers(50);
    const ids = [...connection.received.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: 50 }, (_, id) => id));
    connection.end();
  });
});

function openConnections(of: TestServer): Promise<number> {
  return new Promise((resolve, reject) => {
    of.http.app.server.getConnections((error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}

async function refused(of: TestServer, limit: string): Promise<number> {
  const { text } = await of.ask('/metrics');
  const pattern = new RegExp(
    `^public_reviews_refused_connections_total\\{limit="${limit}"\\} (\\d+)$`,
    'm',
  );
  return Number(pattern.exec(text)?.[1]);
}
