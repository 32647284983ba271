// Run by node, so that nothing else uses the heap: the heap bytes of a request for a document, from our server
// and from one that has only this answer. Prints JSON.

import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { TestServer } from './http.ts';
import { review } from './reviews.ts';
import { snapshotOf } from './snapshot.ts';

const REQUESTS = 2_000;
/** The minimum of several rounds counts: code that is not optimized yet allocates more. */
const ROUNDS = 3;
const PATH = '/api/feed.json';

/** Heap bytes per request, for sequential requests on one connection. */
async function heapPerRequest(port: number, header: string): Promise<number> {
  await askOften(port, header, 500);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    await askOften(port, header, REQUESTS);
    rounds.push((process.memoryUsage().heapUsed - before) / REQUESTS);
  }
  return Math.min(...rounds);
}

function askOften(port: number, header: string, times: number): Promise<void> {
  const request = Buffer.from(`GET ${PATH} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    let [left, missing] = [times, 0];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.once('error', reject);
    socket.on('data', (chunk) => {
      if (missing === 0) {
        const end = chunk.indexOf('\r\n\r\n') + 4;
        const head = chunk.toString('latin1', 0, end);
        missing = end + Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      }
      missing -= chunk.length;
      if (missing > 0) return;
      left -= 1;
      if (left > 0) socket.write(request);
      else socket.end(resolve);
    });
  });
}

const snapshot = await snapshotOf([review({ text: 'Mike fixed the boiler.' })]);
const ours = await TestServer.open(snapshot);
const known = await ours.ask(PATH, { headers: { 'accept-encoding': 'br' } });
const headers = known.rawHeaders.filter((_, place) => {
  const name = known.rawHeaders[place - (place % 2)] as string;
  return !/^(?:date|connection|keep-alive|content-length)$/i.test(name);
});
const length = String(known.body.length);
const tag = known.headers.etag as string;
const bare = createServer((request, response) => {
  if (request.headers['if-none-match'] === tag) response.writeHead(304, headers).end();
  else response.writeHead(200, [...headers, 'Content-Length', length]).end(known.body);
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const barePort = (bare.address() as AddressInfo).port;
const result = [];
for (const header of ['Accept-Encoding: br', `Accept-Encoding: br\r\nIf-None-Match: ${tag}`]) {
  result.push({
    ours: await heapPerRequest(ours.port, header),
    bare: await heapPerRequest(barePort, header),
  });
}
process.stdout.write(JSON.stringify(result));
bare.close();
await ours.close();
