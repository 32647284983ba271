// The upper bound for JavaScript: writes a prepared answer without reading the request.

import { createServer } from 'node:net';
import { tellOrigin } from '../server.ts';
import { readDocument } from './document.ts';

const { body, headers, headersNotModified, tag } = readDocument();
const head = (status: string, list: readonly string[]) =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\n${list.map((part, place) => part + (place % 2 === 0 ? ': ' : '\r\n')).join('')}\r\n`,
  );
const found = Buffer.concat([head('200 OK', headers), body]);
const notModified = head('304 Not Modified', headersNotModified);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => socket.write(chunk.includes(tag) ? notModified : found));
});
server.listen(0, '127.0.0.1', 4096, () => tellOrigin(server));
