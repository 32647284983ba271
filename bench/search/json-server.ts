// json-server as its documentation shows it, with the reviews in memory.

import type { Server } from 'node:http';
import jsonServer from 'json-server';
import { tellOrigin } from '../server.ts';
import { readRows } from './rows.ts';

const rows = await readRows();
const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(
  jsonServer.router({
    reviews: rows.map(({ review, technicians, services }) => ({
      ...review,
      technicians,
      services,
    })),
  }),
);
const server: Server = app.listen(0, '127.0.0.1', () => tellOrigin(server));
