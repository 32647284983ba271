// Koa as usually written.

import Koa from 'koa';
import { tellOrigin } from '../server.ts';
import { headersOf, readDocument } from './document.ts';

const { path, body, headers } = readDocument();
const full = headersOf(headers);

const app = new Koa();
app.use((context) => {
  if (context.path !== path) return;
  context.status = 200;
  context.set(full);
  if (context.fresh) context.status = 304;
  else context.body = body;
});
const server = app.listen(0, '127.0.0.1', () => tellOrigin(server));
