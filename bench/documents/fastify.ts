// Fastify as usually written.

import Fastify from 'fastify';
import { tellOrigin } from '../server.ts';
import { headersOf, readDocument } from './document.ts';

const { path, body, headers, headersNotModified, tag } = readDocument();
const [full, short] = [headersOf(headers), headersOf(headersNotModified)];

const app = Fastify();
app.get(path, (request, reply) =>
  request.headers['if-none-match'] === tag
    ? reply.code(304).headers(short).send()
    : reply.headers(full).send(body),
);
await app.listen({ port: 0, host: '127.0.0.1' });
tellOrigin(app.server);
