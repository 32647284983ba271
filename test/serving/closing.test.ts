// A server closes in a limited time, whatever its clients do.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Server } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { serve } from '../../src/serving/serve.ts';
import { publishHere } from '../support/publish.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
beforeEach(async () => {
  store = await TestStore.create();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await store.close();
});

test('a client that never finishes its request does not keep the server from closing', async () => {
  const config = parseConfig({ DATABASE_URL: store.url, PORT: '0' });
  const logger = pino({ level: 'silent' });
  const options = { example: false, group: null, publish: publishHere, closingMs: 1_000 };
  const server = await serve(config, logger, options);
  // Without the limit the request would end by its own time limit, half a minute later.
  const closeAllConnections = vi.spyOn(Server.prototype, 'closeAllConnections');
  const requested = Promise.withResolvers<unknown>();
  subscribe('http.server.request.start', requested.resolve);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const ended = once(socket, 'close');
  socket.write(
    'POST /api/websub/hub HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n' +
      'Content-Type: application/x-www-form-urlencoded\r\n\r\n' +
      'hub.mode=',
  );
  await requested.promise;
  unsubscribe('http.server.request.start', requested.resolve);
  await server.close();
  await ended;
  expect(closeAllConnections).toHaveBeenCalledTimes(1);
});
