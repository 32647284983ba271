// Run by node with --expose-gc, so that nothing else uses the heap: a server whose parent asks for its memory.
// Prints its port.

import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HttpServer } from '../../src/http/server.ts';
import { addRoutes } from '../../src/serving/routes.ts';
import { parseConfig } from '../../src/config.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { pino } from 'pino';
import type { AddressInfo } from 'node:net';
import { openTestMcp } from './mcp.ts';
import { review, ulidOf } from './reviews.ts';
import { snapshotOf } from './snapshot.ts';

const REVIEWS = 200;

const reviews = Array.from({ length: REVIEWS }, (_, index) =>
  review({ id: ulidOf(index + 1), text: `Visit ${index}: the boiler works. `.repeat(10) }),
);
const config = parseConfig({});
const http = new HttpServer(config, pino({ level: 'silent' }), new Metrics());
addRoutes(http, { hub: { accept: () => Promise.resolve() }, mcp: await openTestMcp(config) });
http.show(await snapshotOf(reviews));
await http.app.listen({ host: '127.0.0.1', port: 0 });
const openConnections = promisify(http.app.server.getConnections.bind(http.app.server));
process.on('message', () => void measure().then((bytes) => process.send?.(bytes)));
process.stdout.write(`${(http.app.server.address() as AddressInfo).port}\n`);

/** The bytes in use when no connection is open and collections free nothing more. */
async function measure(): Promise<number> {
  while ((await openConnections()) > 0) await setTimeout(10);
  let [used, before] = [bytesInUse(), Infinity];
  while (used < before) {
    globalThis.gc?.();
    // Threads free buffers after a collection.
    await setTimeout(50);
    [used, before] = [bytesInUse(), used];
  }
  return before;
}

function bytesInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
