// The one table of routes: every row is routed, described and exported as it says, and no other file of
// src spells a path of it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { HttpServer } from '../../src/http/server.ts';
import {
  fillPath,
  markdownPath,
  type OperationId,
  type Route,
  ROUTES,
  templateOf,
} from '../../src/model/routes.ts';
import { buildOpenApi } from '../../src/openapi/openapi.ts';
import { addRoutes } from '../../src/serving/routes.ts';
import { PAGES } from '../../src/site/site.ts';
import { SnapshotQueries } from '../../src/snapshot/queries.ts';
import { exampleSnapshot } from '../support/example.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const ROWS = Object.entries(ROUTES) as [OperationId, Route][];

/** `GET /api/reviews/:id` and the like. */
let routed: Set<string>;
let exported: Map<string, string[]>;
beforeAll(async () => {
  const snapshot = await exampleSnapshot('https://reviews.example');
  const server = new HttpServer(parseConfig({}), pino({ level: 'silent' }), new Metrics());
  routed = new Set();
  server.app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routed.add(`${one} ${url}`);
  });
  const unused = () => {
    throw new Error('no request is sent');
  };
  const mcp = { queries: new SnapshotQueries(snapshot), answer: unused, show: () => undefined };
  addRoutes(server, { hub: { accept: unused }, mcp });
  server.show(snapshot);
  exported = new Map(server.exported.map(({ path, paths }) => [path, [...paths()]]));
  await server.app.close();
});

test.each(ROWS)('%s is routed', (_id, { method, path }) => {
  expect([...routed]).toContain(`${method} ${path}`);
});

test('no other path is routed, but for pages in Markdown', () => {
  const paths = new Set([...routed].map((one) => one.split(' ')[1]));
  const known = ROWS.flatMap(([, { path, group }]) =>
    group === 'Pages' ? [path, markdownPath(path)] : path,
  );
  expect([...paths].toSorted()).toEqual([...new Set(known)].toSorted());
});

test.each(ROWS)('%s is described', (id, { method, path, what, group }) => {
  const business = { name: 'Harbor', url: null, email: null };
  const origin = 'https://reviews.example';
  const parts = { attributes: [], ratings: [] };
  const { paths } = buildOpenApi({ origin, business, example: null, metrics: true, parts });
  const item = paths[templateOf(path)] as Record<string, unknown>;
  expect(item[method.toLowerCase()]).toMatchObject({
    operationId: id,
    summary: what,
    tags: [group],
  });
});

test.each(ROWS)('%s is exported or not, as the table says', (_id, route) => {
  const paths = exported.get(route.path) ?? [];
  // The example business has no branches, no files of pictures, and a drawn one only where it was drawn.
  const { getPicture, getLogo, getHeader, showLocation, getLocationFile } = ROUTES;
  const optional: readonly string[] = [
    getPicture.path,
    getLogo.path,
    getHeader.path,
    showLocation.path,
    getLocationFile.path,
  ];
  if (optional.includes(route.path)) expect(exported.has(route.path)).toBe(true);
  else expect(paths.length > 0).toBe(route.exported);
});

test('every page of the table has a renderer, and no other', () => {
  const pages = ROWS.filter(([, { group }]) => group === 'Pages').map(([, { path }]) => path);
  expect(Object.keys(PAGES).toSorted()).toEqual(pages.toSorted());
});

test('no other file of src spells a path of the table', () => {
  // "/" alone is no sign of a path. What follows a parameter is in no other path.
  const paths = ROWS.map(([, { path }]) => path.split(/\/[:*]/)[0]!).filter((path) => path !== '/');
  const spelled = [...new Set(paths)].map((path) => path.replaceAll(/[.]/g, '\\.')).join('|');
  const literal = new RegExp(`['"\`}](?:${spelled})(?![\\w.-])`);
  const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|js)$/.test(path) && path !== join('model', 'routes.ts'))
    .flatMap((path) =>
      readFileSync(join(SRC, path), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line) && !/ from '/.test(line))
        .filter((line) => literal.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
  expect(found).toEqual([]);
});

describe('a path is filled', () => {
  test('with percent-encoded parameters', () => {
    expect(fillPath(ROUTES.getReview.path, { id: 'a/b ü' })).toBe('/api/reviews/a%2Fb%20%C3%BC');
  });
});
