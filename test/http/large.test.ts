// Large bodies and readers that are slow, gone, or in a hurry.

import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const MIB = 1024 * 1024;
let snapshot: Snapshot;
let server: TestServer;
beforeAll(async () => {
  // In replies, because texts are analysed and indexed, which takes longer than all the tests.
  const text = 'They came twice and the pump still drips. '.repeat(1500);
  const reviews = Array.from({ length: 180 }, (_, place) =>
    review({ text: `${place}`, ownerReply: { text: `${place} ${text}`, date: '2024-05-20' } }),
  );
  snapshot = await snapshotOf(reviews);
  server = await TestServer.open(snapshot);
});
afterAll(() => server.close());

const bodyOf = () => snapshot.documents.get('/reviews.json')!.body as Buffer;

/** Starts a request and leaves its body unread. */
function startReading(path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path, agent: false }, (response) => {
      response.pause();
      resolve(response);
    }).once('error', reject);
  });
}

function readRest(response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.once('error', reject);
    response.once('end', () => resolve(Buffer.concat(chunks)));
    response.resume();
  });
}

describe('a body of 10 MiB', () => {
  test('arrives whole', async () => {
    expect(bodyOf().length).toBeGreaterThan(10 * MIB);
    const answer = await server.ask('/reviews.json');
    expect(answer.headers['content-length']).toBe(String(bodyOf().length));
    expect(answer.body.equals(bodyOf())).toBe(true);
  });

  test.each(['/reviews.json', '/reviews.json?x', '/api/reviews/since/2024-01-01'])(
    'of %s arrives whole at a reader that stops, while others are answered',
    async (path) => {
      const slow = await startReading(path);
      for (let round = 0; round < 20; round++) {
        expect((await server.ask('/feed.xml')).status).toBe(200);
        expect((await server.ask('/api/reviews/search?limit=1')).status).toBe(200);
      }
      const received = await readRest(slow);
      expect(String(received.length)).toBe(slow.headers['content-length']);
      const [start, reviews] = [received.indexOf('"reviews":['), bodyOf().indexOf('"reviews":[')];
      expect(received.subarray(start).equals(bodyOf().subarray(reviews))).toBe(true);
    },
  );

  test('waits at the server in small pieces, not whole, for each slow reader', async () => {
    const sent: number[] = [];
    const watched = await TestServer.open(null, {
      prepare: (http) =>
        void http.app.server.prependListener('request', (_request, response) => {
          const write = response.write.bind(response) as (chunk: Buffer) => boolean;
          response.write = ((chunk: Buffer) => {
            sent.push(chunk.length);
            return write(chunk);
          }) as typeof response.write;
        }),
    });
    watched.http.show(snapshot);
    const answer = await watched.ask('/reviews.json');
    expect(answer.body).toHaveLength(bodyOf().length);
    expect(Math.max(...sent)).toBe(256 * 1024);
    await watched.close();
  });

  test('asked for by 20 readers that go away midway harms nobody', async () => {
    await Promise.all(
      Array.from({ length: 20 }, async (_, place) => {
        const response = await startReading(place % 2 ? '/reviews.json' : '/reviews.json?x');
        const gone = new Promise((resolve) => response.once('close', resolve));
        response.on('error', () => undefined);
        response.destroy();
        await gone;
      }),
    );
    const answer = await server.ask('/reviews.json');
    expect(answer.body.equals(bodyOf())).toBe(true);
  });

  test('arrives whole for each of several requests that are sent at once on one connection', async () => {
    const request = (path: string, connection: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
    const received = await new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(server.port, '127.0.0.1');
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.once('error', reject);
      socket.once('close', () => resolve(Buffer.concat(chunks)));
      socket.write(
        request('/reviews.json', 'keep-alive') +
          request('/healthz', 'keep-alive') +
          request('/reviews.json', 'close'),
      );
    });
    const first = received.indexOf(bodyOf());
    const second = received.indexOf(bodyOf(), first + 1);
    const between = received.subarray(first + bodyOf().length, second).toString();
    expect(first).toBeGreaterThan(0);
    expect(between).toContain('{"status":"ok"}HTTP/1.1 200 OK');
    expect(second + bodyOf().length).toBe(received.length);
  });
});
