// The table of security headers in docs/http.md holds for every route, and for answers without one.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATION_IDS, type Route, ROUTES } from '../../src/model/routes.ts';
import { exampleSnapshot } from '../support/example.ts';
import { type Answer, TestServer } from '../support/http.ts';
import { BOTH } from '../support/rpc.ts';
import { ORIGIN } from '../support/snapshot.ts';

const PAGE = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8');
const NAMES = ['content-security-policy', 'referrer-policy', 'cross-origin-resource-policy'];
const EVERYTHING_ELSE =
  'everything else: documents, searches, errors, MCP, the hub, redirects, styles, scripts';

/** The values of the headers by kind of answer, as the page has them; empty for none. */
const documented = new Map(
  PAGE.split('## Security headers')[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => /^\| (?!answers)/.test(line))
    .map((line) => {
      const [, kind, ...cells] = line.split('|').map((cell) => cell.trim());
      const values = cells.slice(0, 3).map((cell) => cell.replaceAll('`', ''));
      return [kind!, values.map((value) => value.replace('{origin}', ORIGIN))];
    }),
);

let server: TestServer;
let iconPath: string;
beforeAll(async () => {
  server = await TestServer.open(await exampleSnapshot(ORIGIN), {
    environment: { BASE_URL: ORIGIN },
    hub: { accept: () => Promise.resolve() },
  });
  const { text } = await server.ask('/', { headers: { Accept: 'text/html' } });
  iconPath = /\/assets\/[^"]+\.svg/.exec(text)![0];
});
afterAll(() => server.close());

function expectHeaders({ headers }: Answer, kind: string): void {
  const expected = documented.get(kind);
  expect(NAMES.map((name) => headers[name] ?? '')).toEqual(expected);
  expect(headers['x-content-type-options']).toBe('nosniff');
}

/** The row of the page that a route belongs to. */
function kindOf({ group, path }: Route): string {
  if (group === 'Pages') return 'pages, also 400 and 404';
  const rows = [...documented.keys()];
  return rows.find((row) => row.includes(`\`${path}\``)) ?? EVERYTHING_ELSE;
}

test('the page has six kinds of answers', () => {
  expect([...documented.keys()].map((kind) => kind.split(':')[0])).toEqual([
    'pages, also 400 and 404',
    '`/badge.svg`, a logo in SVG',
    'other SVG pictures',
    '`/embed.js`, `/embed-data.js`, `/embed-reviews/{id}.js`, `/og.png`, `/og/{kind}/{name}`, `/favicon.ico`, `/header/{name}`, a logo in PNG or JPEG',
    'the page while the server starts',
    'everything else',
  ]);
});

test.each(OPERATION_IDS)('%s', async (id) => {
  const route: Route = ROUTES[id];
  // With a parameter that does not exist, 400 or 404.
  const path = route.path.replace(/:\w+/, 'nothing');
  for (const method of route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]) {
    const answer = await server.ask(path, { method, headers: { Accept: 'text/html' } });
    expectHeaders(answer, kindOf(route));
    const isOpen = id !== 'getMetrics';
    expect(answer.headers['access-control-allow-origin']).toBe(isOpen ? '*' : undefined);
  }
});

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const CALL = { 'Content-Type': 'application/json', Accept: BOTH };

describe('answers without a route of their own', () => {
  test.each<[string, Parameters<TestServer['ask']>, number]>([
    ['a preflight', ['/reviews.json', { method: 'OPTIONS' }], 204],
    ['another method', ['/reviews.json', { method: 'PUT' }], 405],
    ['an unknown path', ['/nowhere'], 404],
    ['a malformed URL', ['/%zz'], 400],
    ['a target that is no path', ['*'], 400],
    ['a redirect', ['/reviews/'], 301],
    ['a redirect without empty parameters', ['/reviews?query='], 302],
    ['a search', ['/api/reviews/search?limit=1'], 200],
    ['reviews since a date', ['/api/reviews/since/2024-01-01'], 200],
    ['an invalid search', ['/api/reviews/search?limit=0'], 400],
    ['a condition', ['/reviews.json', { headers: { 'If-None-Match': '*' } }], 304],
    ['a form', ['/api/websub/hub', { method: 'POST', headers: FORM, body: 'a=b' }], 202],
    ['a call', ['/mcp', { method: 'POST', headers: CALL, body: '{' }], 400],
  ])('(%s)', async (_what, request, status) => {
    const answer = await server.ask(...request);
    expect(answer.status).toBe(status);
    expectHeaders(answer, EVERYTHING_ELSE);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  test.each([
    ['/nowhere', 404],
    ['/reviews?rating=9', 400],
    ['/technicians/nobody', 404],
  ])('(the page %s)', async (path, status) => {
    const answer = await server.ask(path, { headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(status);
    expectHeaders(answer, 'pages, also 400 and 404');
  });

  test('(the icon of the pages)', async () => {
    expectHeaders(await server.ask(iconPath), 'other SVG pictures');
  });

  test('(the page while the server starts)', async () => {
    const starting = await TestServer.open(null);
    const answer = await starting.ask('/', { headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(503);
    expectHeaders(answer, 'the page while the server starts');
    await starting.close();
  });

  test('(bytes that are no request)', async () => {
    const raw = await server.askRaw('nonsense\r\n\r\n');
    expect(raw).toContain('X-Content-Type-Options: nosniff');
    expect(raw).toContain('Access-Control-Allow-Origin: *');
  });
});
