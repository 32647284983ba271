// Express as usually written; it answers 304 by itself.

import express from 'express';
import { tellOrigin } from '../server.ts';
import { headersOf, readDocument } from './document.ts';

const { path, body, headers } = readDocument();
const full = headersOf(headers);

const app = express();
app.disable('x-powered-by');
app.get(path, (_request, response) => {
  response.set(full).send(body);
});
const server = app.listen(0, '127.0.0.1', () => tellOrigin(server));
