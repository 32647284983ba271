// Optimised node:http: compares path and tag, sends prepared headers.

import { createServer } from 'node:http';
import { tellOrigin } from '../server.ts';
import { readDocument } from './document.ts';

const { path, body, headers, headersNotModified, tag } = readDocument();

const server = createServer((request, response) => {
  if (request.url !== path) {
    response.writeHead(404).end();
  } else if (request.headers['if-none-match'] === tag) {
    response.writeHead(304, headersNotModified as string[]);
    response.end();
  } else {
    response.writeHead(200, headers as string[]);
    response.end(body);
  }
});
server.listen(0, '127.0.0.1', 4096, () => tellOrigin(server));
