// Run by node with --expose-gc, so that nothing else uses the heap: a server whose parent asks for its memory.
// Prints its port.

import { HttpServer } from '../../src/http/server.ts';
import { addRoutes } from '../../src/serving/routes.ts';
import { parseConfig } from '../../src/config.ts';
import { Metrics } from '../../src/http/health.ts';
import { MemoryCounter } from '../../src/http/request-limits.ts';
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
await http.limitRate({ reads: new MemoryCounter(), forms: new MemoryCounter() });
addRoutes(http, { hub: { accept: () => Promise.resolve() }, mcp: await openTestMcp(config) });
http.show(await snapshotOf(reviews));
await http.app.listen({ host: '127.0.0.1', port: 0 });
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.stdout.write(`${(http.app.server.address() as AddressInfo).port}\n`);
