// Requests generated from /openapi.json, to a real server: whatever is asked, nothing fails, and the
// status, the headers and the body are as the document says.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { REVISIONS } from '../../src/mcp/protocol.ts';
import { EMPTY_IS_ABSENT, REPEATABLE } from '../../src/model/search.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { cases } from '../support/cases.ts';
import { type Answer, type Json, TestServer } from '../support/http.ts';
import { Interface, strangeTexts, validTexts } from '../support/openapi.ts';
import { review } from '../support/reviews.ts';
import { ENVELOPE } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let server: TestServer;
let limited: TestServer;
let starting: TestServer;
let described: Interface;
beforeAll(async () => {
  store = await TestStore.create();
  const environment = { HUB_REQUESTS_PER_MINUTE: '0', HUB_MAX_SUBSCRIPTIONS_PER_HOST: '5' };
  const { hub } = parseConfig(environment);
  const endpoint = new HubEndpoint(hub, new AddressPolicy([]), await store.open());
  const more = Array.from({ length: 150 }, (_, place) =>
    review({ rating: 1 + (place % 5), source: place % 2 ? 'google' : 'yelp' }),
  );
  const snapshot = await snapshotOf([...REVIEWS, ...more], { insights: INSIGHTS });
  server = await TestServer.open(snapshot, { environment, hub: endpoint });
  limited = await TestServer.open(snapshot, { environment: { RATE_LIMIT_PER_MINUTE: '3' } });
  starting = await TestServer.open(null);
  described = new Interface(await server.json('/openapi.json'));
});
afterAll(async () => {
  await Promise.all([server.close(), limited.close(), starting.close(), store.close()]);
});

/** How parameters were filled: what was sent for each. */
interface Filled {
  readonly path: Record<string, string>;
  readonly query: [string, string][];
  readonly headers: Record<string, string>;
}

const NEVER: Filled = { path: {}, query: [], headers: {} };

/** Values of all the parameters of an operation; some absent, some twice, some strange. */
function fillings(operation: Json): fc.Arbitrary<Filled> {
  const parameters = described.parametersOf(operation);
  const each = parameters.map((parameter) => {
    const values = fc.oneof(
      { weight: 4, arbitrary: validTexts(parameter.schema) },
      { weight: 2, arbitrary: strangeTexts },
    );
    const lengths = parameter.in === 'query' ? { minLength: 0, maxLength: 2 } : {};
    return parameter.required || parameter.in === 'path'
      ? fc.array(
          values.filter((text) => parameter.in !== 'path' || text !== ''),
          { minLength: 1, maxLength: 1 },
        )
      : fc.oneof(
          { weight: 5, arbitrary: fc.constant<string[]>([]) },
          { weight: 3, arbitrary: fc.array(values, { minLength: 1, maxLength: 1 }) },
          { weight: parameter.in === 'query' ? 1 : 0, arbitrary: fc.array(values, lengths) },
        );
  });
  return fc.tuple(...each).map((values) => {
    const filled: Filled = { path: {}, query: [], headers: {} };
    parameters.forEach(({ in: place, name }, index) => {
      for (const value of values[index]!) {
        if (place === 'path') filled.path[name] = value;
        else if (place === 'query') filled.query.push([name, value]);
        // A header holds no other characters.
        else filled.headers[name] = value.replaceAll(/[^\x21-\x7e]/g, '').trim();
      }
    });
    return filled;
  });
}

function send(method: string, path: string, filled: Filled, body?: string): Promise<Answer> {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(filled.path[name]!.toWellFormed()),
  );
  const query = new URLSearchParams(filled.query).toString();
  return server.ask(query === '' ? target : `${target}?${query}`, {
    method: method.toUpperCase(),
    headers: filled.headers,
    ...(body === undefined ? {} : { body }),
  });
}

/** What is wrong with an answer. */
function problemsOf(path: string, method: string, answer: Answer): string[] {
  const fault = answer.status >= 500 ? [`it failed: ${answer.text}`] : [];
  return [...fault, ...described.judge(path, method, answer)];
}

/** Every path with its first method, and the others with theirs. */
function forEachOperation(
  methods: readonly string[],
  run: (method: string, path: string, operation: Json) => Promise<void>,
): Promise<void> {
  return described
    .operations()
    .flatMap((one): (typeof one)[] => (one[0] === 'get' ? [one, ['head', one[1], one[2]]] : [one]))
    .filter(([method]) => methods.includes(method))
    .reduce(
      (before, [method, path, operation]) => before.then(() => run(method, path, operation)),
      Promise.resolve(),
    );
}

test('what is read answers as described, whatever the values of its parameters', async () => {
  await forEachOperation(['get', 'head'], async (method, path, operation) => {
    const property = fc.asyncProperty(fillings(operation), async (filled) => {
      const answer = await send(method, path, filled);
      expect(problemsOf(path, method, answer)).toEqual([]);
    });
    await fc.assert(property, { numRuns: cases(10) });
  });
});

test('every path answers the preflight of a browser', async () => {
  for (const [path, item] of Object.entries<Json>(described.document.paths)) {
    const [filled] = fc.sample(fillings({ parameters: pathOf(item.get ?? item.post) }), 1);
    const { status, headers, body } = await send('options', path, filled!);
    expect([path, status, body.length]).toEqual([path, 204, 0]);
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': headers.allow,
    });
  }
});

test('encodings and entity tags change nothing of that', async () => {
  const encodings = ['br', 'gzip', 'zstd', 'identity', 'br;q=0, *', '*;q=0', 'nonsense'];
  await forEachOperation(['get', 'head'], async (method, path, operation) => {
    const [filled] = fc.sample(fillings({ ...operation, parameters: pathOf(operation) }), 1);
    for (const encoding of encodings) {
      const first = await send(method, path, {
        ...filled!,
        headers: { 'Accept-Encoding': encoding },
      });
      const headers = { 'If-None-Match': first.headers.etag ?? '"none"' };
      const again = await send(method, path, { ...filled!, headers });
      expect([problemsOf(path, method, first), problemsOf(path, method, again)]).toEqual([[], []]);
      if (first.headers.etag !== undefined) expect(again.status).toBe(304);
    }
  });
});

const pathOf = (operation: Json) =>
  described.parametersOf(operation).filter((one) => one.in === 'path');

describe('a search', () => {
  const PATH = '/api/reviews/search';
  /** Their values depend on the reviews. */
  const OF_SNAPSHOT = new Set(['aspect', 'problem', 'topic', 'location']);

  const isRepeatable = (name: string) => (REPEATABLE as readonly string[]).includes(name);
  const isAccepted = (name: string, value: string) =>
    (value === '' && EMPTY_IS_ABSENT.has(name)) || described.accepts(PATH, 'get', name, value);

  test('is answered where the document allows every value, and else names just the others', async () => {
    const operation = described.document.paths[PATH].get;
    const property = fc.asyncProperty(fillings(operation), async ({ query: filled }) => {
      const query = filled.filter(
        ([name, value]) => !OF_SNAPSHOT.has(name) && !value.includes('attribute.'),
      );
      const answer = await send('get', PATH, { ...NEVER, query });
      const refused = new Set(
        query
          .filter(
            ([name, value], place) =>
              (!isRepeatable(name) && query.findIndex(([other]) => other === name) !== place) ||
              !isAccepted(name, value),
          )
          .map(([name]) => name),
      );
      // That a day of the calendar is meant is more than a pattern can say.
      const parts = query.find(([name]) => name === 'cursor')?.[1].split('.');
      const cursor = parts?.[parts.length - 2] ?? parts?.[0];
      if (cursor !== undefined && !described.accepts(PATH, 'get', 'since', cursor)) {
        refused.add('cursor');
      }
      // Nor that a cursor belongs to an order, which depends on whether other values are wrong.
      const given = (wanted: string) => query.find(([name]) => name === wanted)?.[1] || undefined;
      const sort = given('sort') ?? (given('words') === undefined ? 'newest' : 'relevance');
      const order = /^[a-z]+/.exec(parts?.[0] ?? '')?.[0] ?? 'newest';
      const isOfOtherSort = cursor !== undefined && sort !== order;
      if (isOfOtherSort && refused.size === 0) refused.add('cursor');
      const body = JSON.parse(answer.text);
      const named = new Set(body.issues?.map(({ path }: Json) => path[0]));
      const isOtherRefused = [...refused].some((name) => name !== 'cursor');
      if (cursor !== undefined && isOtherRefused) {
        named.delete('cursor');
        refused.delete('cursor');
      }
      expect(named).toEqual(refused);
      expect(answer.status).toBe(refused.size === 0 && !isOtherRefused ? 200 : 400);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

test('a date is taken where the document allows it, and refused elsewhere', async () => {
  const path = '/api/reviews/since/{date}';
  const texts = fc
    .oneof(validTexts({ format: 'date' }), strangeTexts)
    .filter((text) => text !== '');
  const property = fc.asyncProperty(texts, async (date) => {
    const { status } = await send('get', path, { ...NEVER, path: { date } });
    expect(status).toBe(described.accepts(path, 'get', 'date', date) ? 200 : 400);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('another method is refused as described', async () => {
  for (const [path, item] of Object.entries<Json>(described.document.paths)) {
    const first = item.get ? 'get' : 'post';
    for (const method of ['PUT', 'PATCH', 'TRACE', 'QUERY', 'GET', 'POST'].filter(
      (one) => !(one.toLowerCase() in item),
    )) {
      const [filled] = fc.sample(fillings({ parameters: pathOf(item[first]) }), 1);
      const answer = await send(method, path, filled!);
      expect([method, path, answer.status]).toEqual([method, path, 405]);
      expect(problemsOf(path, first, answer)).toEqual([]);
    }
  }
});

test('the hub answers as described, whatever is sent', async () => {
  const path = '/api/websub/hub';
  const { properties } = described.document.components.schemas.SubscriptionRequest;
  const usual: Record<string, fc.Arbitrary<string>> = {
    'hub.topic': fc.constantFrom('https://reviews.example/feed.xml', 'https://else.example/'),
    'hub.callback': fc.constantFrom(
      'https://reader.example/',
      'http://127.0.0.1/',
      'https://b.example/ü',
    ),
  };
  const fields = Object.entries<Json>(properties).map(([name, schema]) =>
    fc
      .array(fc.oneof(usual[name] ?? validTexts(schema), validTexts(schema), strangeTexts), {
        minLength: name in usual ? 1 : 0,
        maxLength: 2,
      })
      .map((values) => values.map((value): [string, string] => [name, value.toWellFormed()])),
  );
  const type = fc.oneof(
    { weight: 8, arbitrary: fc.constant('application/x-www-form-urlencoded') },
    fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded; charset=x',
    ),
  );
  const seen = new Set<number>();
  const property = fc.asyncProperty(fc.tuple(...fields), type, async (values, contentType) => {
    const body = new URLSearchParams(values.flat()).toString();
    const answer = await send(
      'post',
      path,
      { ...NEVER, headers: { 'Content-Type': contentType } },
      body,
    );
    seen.add(answer.status);
    expect(problemsOf(path, 'post', answer)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 200 });
  const huge = await send(
    'post',
    path,
    { ...NEVER, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
    'x'.repeat(9000),
  );
  expect(problemsOf(path, 'post', huge)).toEqual([]);
  for (const host of ['1', '2', '3', '4', '5', '6']) {
    const form = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': 'https://reviews.example/feed.xml',
      'hub.callback': `https://one.example/${host}`,
    });
    const answer = await send(
      'post',
      path,
      { ...NEVER, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      form.toString(),
    );
    seen.add(answer.status);
    expect(problemsOf(path, 'post', answer)).toEqual([]);
  }
  expect([...seen].toSorted()).toEqual([202, 400, 415, 429]);
});

test('MCP answers as described, whatever is sent', async () => {
  const path = '/mcp';
  const text = fc.string({ unit: 'grapheme', maxLength: 10 });
  const names = TOOLS.map(({ name }) => name);
  const params = fc.oneof(
    fc.record(
      {
        name: fc.oneof(fc.constantFrom(...names), text),
        arguments: fc.dictionary(text, fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
    fc.record({
      name: fc.constantFrom(...names),
      arguments: fc.constant({}),
      _meta: fc.constant(ENVELOPE),
    }),
    fc.jsonValue(),
  );
  const methods = [
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'prompts/get',
    'resources/read',
  ];
  const message = fc.record(
    {
      jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, text),
      id: fc.oneof(fc.integer(), text, fc.constant(null)),
      method: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...methods) }, text),
      params,
    },
    { requiredKeys: ['method'] },
  );
  const body = fc.oneof(
    { weight: 8, arbitrary: message.map((one) => JSON.stringify(one)) },
    fc.array(message, { maxLength: 3 }).map((several) => JSON.stringify(several)),
    text,
  );
  const headers = fc.record(
    {
      'Content-Type': fc.oneof(
        { weight: 8, arbitrary: fc.constant('application/json') },
        fc.constantFrom('text/plain', 'application/xml'),
      ),
      Accept: fc.constantFrom('application/json, text/event-stream', '*/*', 'text/html'),
      'MCP-Protocol-Version': fc.constantFrom(...REVISIONS, '2024-11-05', 'nonsense'),
      'Mcp-Method': fc.constantFrom(...methods),
      'Mcp-Name': fc.constantFrom(...names),
      'Mcp-Session-Id': fc.constantFrom('nonsense', ''),
    },
    { requiredKeys: ['Content-Type'] },
  );
  const seen = new Set<number>();
  const property = fc.asyncProperty(body, headers, async (content, given) => {
    const answer = await send('post', path, { ...NEVER, headers: given }, content);
    seen.add(answer.status);
    expect(problemsOf(path, 'post', answer)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 300 });
  const usual = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  for (const name of names) {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } };
    const answer = await send('post', path, { ...NEVER, headers: usual }, JSON.stringify(call));
    seen.add(answer.status);
    expect(problemsOf(path, 'post', answer)).toEqual([]);
  }
  const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const others = [
    await send('post', path, { ...NEVER, headers: usual }, notification),
    await send('post', path, { ...NEVER, headers: { Host: 'evil.example' } }, '{}'),
    await send('delete', path, { ...NEVER, headers: { 'Mcp-Session-Id': 'nonsense' } }),
    await send('delete', path, NEVER),
  ];
  expect(problemsOf(path, 'post', others[0]!)).toEqual([]);
  expect(problemsOf(path, 'post', others[1]!)).toEqual([]);
  expect(problemsOf(path, 'delete', others[2]!)).toEqual([]);
  expect(problemsOf(path, 'delete', others[3]!)).toEqual([]);
  expect([...seen, ...others.map(({ status }) => status)]).toEqual(
    expect.arrayContaining([200, 202, 400, 403, 404, 415]),
  );
});

test('answers to clients over a limit, and before the first snapshot, are as described', async () => {
  for (let sent = 0; sent < 6; sent++) {
    const answer = await limited.ask('/reviews.json');
    expect(answer.status).toBe(sent < 3 ? 200 : 429);
    expect(described.judge('/reviews.json', 'get', answer)).toEqual([]);
  }
  await forEachOperation(['get', 'head', 'post'], async (method, path, operation) => {
    // These need no reviews.
    if (['/healthz', '/metrics', '/assets/{name}'].includes(path)) return;
    const [filled] = fc.sample(fillings({ parameters: pathOf(operation) }), 1);
    const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(filled!.path[name]!),
    );
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await starting.ask(target, { method: method.toUpperCase(), headers });
    expect([path, answer.status]).toEqual([path, 503]);
    expect(described.judge(path, method, answer)).toEqual([]);
  });
});
