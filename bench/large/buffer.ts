// node:http with the whole body in one `end`.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tellOrigin } from '../server.ts';

const [large, small] = [process.env['LARGE'], process.env['SMALL']].map((path) =>
  readFileSync(path ?? ''),
);
const headersOf = (body: Buffer | undefined) => ({
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': body?.length,
});
const [ofLarge, ofSmall] = [headersOf(large), headersOf(small)];

const server = createServer((request, response) => {
  const isLarge = request.url === process.env['LARGE_PATH'];
  response.writeHead(200, isLarge ? ofLarge : ofSmall);
  response.end(isLarge ? large : small);
});
server.listen(0, '127.0.0.1', 4096, () => tellOrigin(server));
