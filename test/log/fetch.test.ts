// Requests for files of logs.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { fetchBytes } from '../../src/log/fetch.ts';

/** A server that closes its connections when it is told to, and says so in shared memory. */
const SERVER = `
  const { createServer } = require('node:http');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((request, response) => response.end('tile'));
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
  parentPort.on('message', () => {
    server.closeAllConnections();
    setImmediate(() => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  });
`;

test('a file is read although the server closed its connections while the reader was busy', async () => {
  const closed = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(SERVER, { eval: true, workerData: closed });
  try {
    const [port] = (await once(server, 'message')) as [number];
    const url = `http://127.0.0.1:${port}/`;
    await Promise.all(Array.from({ length: 8 }, () => fetchBytes(url)));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    server.postMessage('close');
    // As a comparison of many reviews does, this keeps their end from being noticed.
    Atomics.wait(closed, 0, 0);
    expect(await fetchBytes(url)).toMatchObject({ status: 200, body: Buffer.from('tile') });
  } finally {
    await server.terminate();
  }
});
