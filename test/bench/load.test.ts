import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Companion } from '../../bench/companion.ts';
import { rateOf } from '../../bench/load.ts';
import { AnswerReader } from '../../bench/load/answer-reader.ts';
import type { Answered, Attack } from '../../bench/load/client.ts';
import { parseTaken } from '../../bench/load/wrk.ts';
import { bytesOf } from '../../bench/requests.ts';
import { familyOf } from '../../bench/usage.ts';
import { until } from '../support/patience.ts';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const PATHS = ['/a', '/b', '/c'];

function listOf(origin: string): Buffer[] {
  return PATHS.map((path) => bytesOf(origin, { path, headers: { 'X-Sent': 'yes' } }));
}

function startClient(): Companion<Attack, Answered> {
  const file = new URL('../../bench/load/client.ts', import.meta.url);
  const client = Companion.start<Attack, Answered>(file, null);
  onTestFinished(() => client.stop());
  return client;
}

/** The first requests in their order, of a server that one connection asks. */
async function askedBy(work: (origin: string) => Promise<{ calls: number }>): Promise<string[]> {
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(`${request.url} ${String(request.headers['x-sent'])}`);
    response.end('answer');
  });
  // How much a client does in its time depends on the machine.
  await until(async () => {
    asked.length = 0;
    return (await work(origin)).calls > 10;
  });
  return asked.slice(0, 7);
}

/** Expects that a load fails at the first answer. On a slow machine there is none in its time; then it is repeated. */
async function expectFailure(work: () => Promise<{ calls: number }>, reason: RegExp) {
  await until(async () => {
    const [result] = await Promise.allSettled([work()]);
    if (result.status === 'fulfilled') expect(result.value.calls).toBe(0);
    else expect(String(result.reason)).toMatch(reason);
    return result.status === 'rejected';
  });
}

const IN_TURN = ['/b', '/c', '/a', '/b', '/c', '/a', '/b'].map((path) => `${path} yes`);

describe('a load', () => {
  test('sends the requests in turn, from the given index', async () => {
    const asked = await askedBy((origin) =>
      rateOf({ title: 'x', origin, processIds: [process.pid] }, listOf(origin), {
        connections: 1,
        forMs: 500,
        from: 1,
      }),
    );
    expect(asked).toEqual(IN_TURN);
  });

  test('does the same without wrk', async () => {
    const asked = await askedBy((origin) =>
      startClient().ask({ origin, requests: listOf(origin), connections: 1, forMs: 500, from: 1 }),
    );
    expect(asked).toEqual(IN_TURN);
  });

  test('with an error as an answer fails', async () => {
    const origin = await serve((_request, response) => {
      response.statusCode = 503;
      response.end();
    });
    const measured = { title: 'x', origin, processIds: [process.pid] };
    const options = { connections: 1, forMs: 300 };
    const requests = listOf(origin);
    await expectFailure(() => rateOf(measured, requests, options), /./);
    const attack = { origin, requests, ...options, from: 0 };
    await expectFailure(() => startClient().ask(attack), /ended with code 1/);
  });
});

test('the output of wrk is parsed, and refused if requests failed', () => {
  expect(parseTaken('Running 1s\nTAKEN 500 2000000 0\n')).toEqual({ calls: 500, seconds: 2 });
  expect(() => parseTaken('TAKEN 500 2000000 3\n')).toThrow('3 requests failed');
  expect(() => parseTaken('unable to connect')).toThrow('wrk said');
});

describe('the end of an answer is found', () => {
  /** Which pieces complete an answer. */
  const taken = (...pieces: string[]) => {
    const reader = new AnswerReader();
    return pieces.map((piece) => reader.take(Buffer.from(piece)));
  };
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n';

  test('by length, in one piece or several', () => {
    expect(taken(`${HEAD}body`, `${HEAD}body`)).toEqual([true, true]);
    expect(taken(HEAD.slice(0, 20), HEAD.slice(20), 'bo', 'dy')).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  test('by the last chunk, in one piece or several', () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(taken(`${head}4\r\nbody\r\n0\r\n\r\n`, `${head}0\r\n\r\n`)).toEqual([true, true]);
    expect(taken(`${head}0\r\n\r\n`)).toEqual([true]);
    expect(taken(head, '4\r\nbody\r\n0\r', '\n\r\n')).toEqual([false, false, true]);
  });

  test('after the head if there is no body, whatever the length header says', () => {
    expect(taken('HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n')).toEqual([true]);
    expect(taken('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n')).toEqual([true]);
  });
});

test('the descendants of a process include itself', () => {
  expect(familyOf([process.pid])).toContain(process.pid);
});
