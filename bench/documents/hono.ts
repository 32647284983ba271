// Hono on Node as usually written.

import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { tellOrigin } from '../server.ts';
import { headersOf, readDocument } from './document.ts';

const { path, body, headers, headersNotModified, tag } = readDocument();
const [full, short] = [headersOf(headers), headersOf(headersNotModified)];
const bytes = Uint8Array.from(body);

const app = new Hono();
app.get(path, (context) =>
  context.req.header('if-none-match') === tag
    ? context.body(null, 304, short)
    : context.body(bytes, 200, full),
);
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () =>
  tellOrigin(server),
);
