// node:http as its documentation shows it: a URL object and a call for each header.

import { createServer } from 'node:http';
import { tellOrigin } from '../server.ts';
import { headersOf, readDocument } from './document.ts';

const { path, body, headers, headersNotModified, tag } = readDocument();
const [full, short] = [
  Object.entries(headersOf(headers)),
  Object.entries(headersOf(headersNotModified)),
];

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname !== path) {
    response.statusCode = 404;
    response.end();
    return;
  }
  const isKnown = request.headers['if-none-match'] === tag;
  response.statusCode = isKnown ? 304 : 200;
  for (const [name, value] of isKnown ? short : full) response.setHeader(name, value);
  if (isKnown) response.end();
  else response.end(body);
});
server.listen(0, '127.0.0.1', 4096, () => tellOrigin(server));
