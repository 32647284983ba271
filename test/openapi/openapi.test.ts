// /openapi.json: it is OpenAPI 3.1, it has every route and no other, and it is served like what it
// describes.

import { Validator } from '@seriousme/openapi-schema-validator';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { Metrics } from '../../src/http/metrics.ts';
import { HttpServer } from '../../src/http/server.ts';
import type { Business } from '../../src/model/business.ts';
import { SEARCH_PARAMETERS } from '../../src/model/search.ts';
import { hubFormSchema } from '../../src/model/hub-form.ts';
import { describeInterface } from '../../src/serving/descriptions.ts';
import { addRoutes } from '../../src/serving/routes.ts';
import { buildOpenApi } from '../../src/openapi/openapi.ts';
import { templateOf } from '../../src/model/routes.ts';
import { INSIGHTS, PRAISE, REVIEWS } from '../support/by-hand.ts';
import { type Json, TestServer } from '../support/http.ts';
import { BUSINESS, review } from '../support/reviews.ts';
import { openTestMcp } from '../support/mcp.ts';
import { Interface } from '../support/openapi.ts';
import { snapshotOf } from '../support/snapshot.ts';

const PATH = '/openapi.json';

let server: TestServer;
let document: Json;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
  document = await server.json(PATH);
});
afterAll(() => server.close());

/** Paths that the program routes, as OpenAPI writes them. */
async function routedPaths(environment: Record<string, string> = {}): Promise<string[]> {
  const config = parseConfig(environment);
  const http = new HttpServer(config, pino({ level: 'silent' }), new Metrics());
  const mcp = await openTestMcp(config);
  const paths = new Set<string>();
  http.app.addHook('onRoute', ({ url }) => {
    // Pages in Markdown are told with their pages.
    if (!url.endsWith('.md')) paths.add(templateOf(url));
  });
  addRoutes(http, { hub: { accept: () => Promise.resolve() }, mcp });
  await mcp.close();
  await http.app.close();
  return [...paths];
}

test('is a document of OpenAPI 3.1, of version 1.0.0 of the interface', async () => {
  expect(document.openapi).toBe('3.1.1');
  expect(document.info.version).toBe('1.0.0');
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
});

test('names this origin, and whose reviews these are', () => {
  expect(document.servers).toEqual([{ url: 'https://reviews.example' }]);
  expect(document.info.title).toBe('Reviews of Harbor Heating');
});

test('is valid whatever the business says of itself', async () => {
  const contacts: [Partial<Business>, object][] = [
    [
      { email: 'us@harbor.example', url: 'https://h.example/' },
      { email: 'us@harbor.example', url: 'https://h.example/' },
    ],
    [{ email: 'ask at the counter' }, {}],
  ];
  for (const [values, contact] of contacts) {
    const business = { ...BUSINESS, ...values };
    const other = await TestServer.open(
      await snapshotOf(REVIEWS, { insights: INSIGHTS, business }),
    );
    const made = await other.json(PATH);
    await other.close();
    expect(made.info.contact).toEqual({ name: 'Harbor Heating', ...contact });
    expect(await new Validator().validate(made)).toEqual({ valid: true });
  }
});

test('HEAD and OPTIONS are described once, not at every path', () => {
  expect(document.info.description).toMatch(/GET also answers HEAD.*OPTIONS/s);
  const methods = new Interface(document).operations().map(([method]) => method);
  expect(new Set(methods)).toEqual(new Set(['get', 'post', 'delete']));
});

test('limits of a client are in the headers of 429, MCP and the hub, and of no other answer', () => {
  const limited = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.values<Json>(item).flatMap(({ responses }) =>
      Object.values<Json>(responses).some(({ headers }) => headers?.['X-RateLimit-Limit'])
        ? [path]
        : [],
    ),
  );
  expect(new Set(limited)).toEqual(new Set(['/mcp', '/api/websub/hub']));
  const shared = Object.entries<Json>(document.components.responses);
  const named = shared.filter(([, { headers }]) => headers['X-RateLimit-Limit']);
  expect(named.map(([name]) => name)).toEqual(['RateLimited']);
});

test('every component is used', () => {
  const text = JSON.stringify(document);
  const unused = Object.entries<Json>(document.components).flatMap(([kind, named]) =>
    Object.keys(named).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
  );
  expect(unused).toEqual([]);
});

test('every required property is described', () => {
  const lacking: string[] = [];
  const visit = (node: Json, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node.required)) {
      const missing = node.required.filter((name: string) => !(name in (node.properties ?? {})));
      if (missing.length > 0) lacking.push(`${path} lacks ${missing.join(', ')}`);
    }
    for (const [key, value] of Object.entries<Json>(node)) visit(value, `${path}/${key}`);
  };
  visit(document, '');
  expect(lacking).toEqual([]);
});

describe('the paths', () => {
  test('are all that are routed, and no other', async () => {
    const routed = await routedPaths();
    expect(routed.length).toBeGreaterThan(10);
    expect(Object.keys(document.paths).toSorted()).toEqual(routed.toSorted());
  });

  test('are without /metrics where it is switched off', async () => {
    const environment = { METRICS: 'off' };
    const plain = await TestServer.open(await snapshotOf(REVIEWS), { environment });
    const { paths } = await plain.json(PATH);
    await plain.close();
    expect(Object.keys(paths).toSorted()).toEqual((await routedPaths(environment)).toSorted());
  });

  test('have the methods that they take, and no other', async () => {
    const described = Object.entries<Json>(document.paths).map(([path, item]) => [
      path,
      // The description says of all paths that they answer HEAD beside GET, and OPTIONS.
      [...Object.keys(item), ...('get' in item ? ['head'] : []), 'options'].toSorted(),
    ]);
    const taken: [string, string[]][] = [];
    for (const path of Object.keys(document.paths)) {
      const target = path.replace('{date}', '2024-01-01').replace('{id}', PRAISE);
      const methods: string[] = [];
      for (const method of ['get', 'head', 'options', 'post', 'put', 'patch', 'delete', 'trace']) {
        const { status } = await server.ask(target, { method: method.toUpperCase() });
        if (status !== 405) methods.push(method);
      }
      taken.push([path, methods.toSorted()]);
    }
    expect(described).toEqual(taken);
  });
});

test('every operation has an id of its own, a tag that is described, a summary and a description', () => {
  const operations = new Interface(document).operations().map(([, , operation]) => operation);
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  const tags = document.tags.map(({ name }: Json) => name);
  const isUnclear = ({ tags: [tag], summary, description }: Json) =>
    !tags.includes(tag) || !summary || !description;
  expect(operations.filter(isUnclear)).toEqual([]);
});

test('the parameters of a search and the fields of the hub are those that are parsed, each explained', () => {
  const parameters = document.paths['/api/reviews/search'].get.parameters.filter(
    (one: Json) => one.in === 'query',
  );
  expect(parameters.map(({ name }: Json) => name)).toEqual(SEARCH_PARAMETERS);
  const fields = document.components.schemas.SubscriptionRequest;
  expect(Object.keys(fields.properties)).toEqual(Object.keys(hubFormSchema.shape));
  expect(fields.required).toEqual(['hub.mode', 'hub.topic', 'hub.callback']);
  const named = [...parameters, ...Object.values<Json>(fields.properties).slice(1)];
  expect(named.filter(({ description }: Json) => !description)).toEqual([]);
});

test('has a parameter for each attribute and part score that reviews have', async () => {
  const rated = review({ attributes: { route: 'Rome', constructor: 'x' }, ratings: { seat: 4 } });
  const described = describeInterface(await snapshotOf([rated]), BUSINESS, true);
  const { parameters } = buildOpenApi(described).paths['/api/reviews/search']!['get']!;
  const shown = parameters!.flatMap((one) =>
    'name' in one && one.name.includes('.') ? [one] : [],
  );
  expect(shown.map(({ name, schema }) => [name, schema])).toEqual([
    ...['constructor', 'route'].map((name) => [
      `attribute.${name}`,
      {
        anyOf: [
          { type: 'string', maxLength: 1000 },
          { type: 'array', items: { type: 'string', maxLength: 1000 }, maxItems: 20 },
        ],
      },
    ]),
    ['min_rating.seat', { type: 'number', minimum: 1, maximum: 5 }],
  ]);
});

test('the examples are answered', async () => {
  let seen = 0;
  for (const [method, path, operation] of new Interface(document).operations()) {
    const parameters = (operation.parameters ?? []).filter((one: Json) => one.in === 'path');
    if (method !== 'get' || !parameters.some((one: Json) => 'example' in one)) continue;
    seen += 1;
    const target = parameters.reduce(
      (text: string, { name, example }: Json) => text.replace(`{${name}}`, example),
      path,
    );
    expect((await server.ask(target)).status).toBe(200);
  }
  expect(seen).toBe(5);
});

test('is the same for the same content, with an entity tag, compressed for who takes it', async () => {
  const plain = await server.ask(PATH);
  expect(plain.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    vary: 'Accept-Encoding',
    'access-control-allow-origin': '*',
  });
  const other = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
  const again = await other.ask(PATH);
  await other.close();
  expect([again.text, again.headers.etag]).toEqual([plain.text, plain.headers.etag]);
  const headers = { 'Accept-Encoding': 'br' };
  const compressed = await server.ask(PATH, { headers });
  expect(compressed.headers['content-encoding']).toBe('br');
  expect(compressed.body.length).toBeLessThan(plain.body.length / 5);
  expect(compressed.headers.etag).not.toBe(plain.headers.etag);
  for (const etag of [plain.headers.etag, compressed.headers.etag]) {
    const conditional = await server.ask(PATH, { headers: { 'If-None-Match': etag! } });
    expect([conditional.status, conditional.body.length]).toEqual([304, 0]);
  }
});

test('has no example where there is no review', async () => {
  const empty = await TestServer.open(await snapshotOf([]));
  const { paths } = await empty.json(PATH);
  await empty.close();
  const named = ['/api/reviews/since/{date}', '/api/reviews/{id}'].map(
    (path) => paths[path].get.parameters[0],
  );
  expect(named.filter((parameter: Json) => 'example' in parameter)).toEqual([]);
});

test('no operation takes a key, and metrics may be refused to strangers', () => {
  expect(document.security).toEqual([]);
  expect(document.paths['/metrics'].get.responses['403']).toEqual({
    $ref: '#/components/responses/OperatorsOnly',
  });
});
