// Requests that no well-behaved client sends: how each is answered, and that nobody else notices. All share
// one server.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { Bystanders, RawConnection, statusesOf } from '../support/hostile-client.ts';
import { TestServer } from '../support/http.ts';
import { review, ulidOf } from '../support/reviews.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';

const log: string[] = [];
let store: TestStore;
let server: TestServer;
let bystanders: Bystanders;
beforeAll(async () => {
  const reviews = [review({ id: ulidOf(1) }), review({ id: ulidOf(2), text: 'The boiler leaks.' })];
  store = await TestStore.create();
  const { hub } = parseConfig({});
  server = await TestServer.open(await snapshotOf(reviews), {
    environment: { HUB_REQUESTS_PER_MINUTE: '0' },
    hub: new HubEndpoint(hub, new AddressPolicy([]), await store.open()),
    log: (line) => log.push(line),
  });
  bystanders = await Bystanders.of(server);
});
afterAll(async () => {
  await server.close();
  await store.close();
});

const get = (target: string, ...headers: string[]) =>
  `GET ${target} HTTP/1.1\r\n${['Host: a', ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;
const post = (target: string, headers: readonly string[], body: string) =>
  `POST ${target} HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;
const JSON_HEADERS = [
  'Content-Type: application/json',
  'Accept: application/json, text/event-stream',
];
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const HIDDEN = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const LONG = 'x'.repeat(20_000);

/** What is sent, and the statuses of all answers until the server closes the connection. */
type Shape = readonly [what: string, bytes: string, statuses: readonly number[]];

const SMUGGLING: readonly Shape[] = [
  [
    'both Content-Length and Transfer-Encoding',
    post('/mcp', ['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`),
    [400],
  ],
  [
    'two different lengths',
    post('/mcp', ['Content-Length: 0', 'Content-Length: 30'], HIDDEN),
    [400],
  ],
  ['two equal lengths', post('/mcp', ['Content-Length: 0', 'Content-Length: 0'], ''), [400]],
  ['a list of lengths', post('/mcp', ['Content-Length: 0, 30'], HIDDEN), [400]],
  ['a negative length', post('/mcp', ['Content-Length: -1'], ''), [400]],
  ['a length with a sign', post('/mcp', ['Content-Length: +0'], HIDDEN), [400]],
  ['a hexadecimal length', post('/mcp', ['Content-Length: 0x10'], HIDDEN), [400]],
  ['a length beyond 64 bits', post('/mcp', [`Content-Length: ${'9'.repeat(30)}`], ''), [400]],
  ['an empty length', post('/mcp', ['Content-Length: '], HIDDEN), [400]],
  ['a space before the colon', post('/mcp', ['Content-Length : 5'], 'hello'), [400]],
  ['a folded header', post('/mcp', ['X-A: 1\r\n Content-Length: 5'], HIDDEN), [400]],
  [
    'a folded Transfer-Encoding',
    post('/mcp', ['Transfer-Encoding:\r\n chunked'], `0\r\n\r\n${HIDDEN}`),
    [400],
  ],
  ['chunked twice', post('/mcp', ['Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'), [400]],
  ['an unknown transfer coding', post('/mcp', ['Transfer-Encoding: xchunked'], HIDDEN), [400]],
  ['an unknown transfer coding with GET', get('/healthz', 'Transfer-Encoding: xchunked'), [400]],
  ['a compressed transfer coding with GET', get('/', 'Transfer-Encoding: gzip'), [400]],
  [
    'a compressed chunked coding',
    get('/', 'Transfer-Encoding: gzip, chunked') + '0\r\n\r\n',
    [400],
  ],
  ['the transfer coding identity', get('/reviews.json', 'Transfer-Encoding: identity'), [400]],
  ['an empty transfer coding', get('/reviews.json', 'Transfer-Encoding: '), [400]],
  [
    'a transfer coding in two headers',
    get('/healthz', 'Transfer-Encoding: xchunked', 'Transfer-Encoding: chunked'),
    [400],
  ],
  ['chunked in other letters', get('/healthz', 'Transfer-Encoding: CHUNKED') + '0\r\n\r\n', [200]],
  [
    'chunked before another coding',
    post('/mcp', ['Transfer-Encoding: chunked, gzip'], HIDDEN),
    [400],
  ],
  ['chunked after a vertical tab', post('/mcp', ['Transfer-Encoding: \x0bchunked'], HIDDEN), [400]],
  ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: a\n\n', [400]],
  ['a bare line feed in a header', get('/healthz', 'A: 1\nTransfer-Encoding: chunked'), [400]],
  ['a bare carriage return in a header', get('/healthz', 'A: 1\rB: 2'), [400]],
  [
    'a chunk that ends with a bare line feed',
    post('/mcp', ['Transfer-Encoding: chunked', ...JSON_HEADERS], `5\nhello\n0\n\n${HIDDEN}`),
    [400],
  ],
  [
    'a chunk size with a sign',
    post('/mcp', ['Transfer-Encoding: chunked', ...JSON_HEADERS], '-1\r\n\r\n'),
    [400],
  ],
  [
    'a chunk size beyond 64 bits',
    post('/mcp', ['Transfer-Encoding: chunked', ...JSON_HEADERS], `${'f'.repeat(20)}\r\n`),
    [400],
  ],
  [
    'a chunk longer than its size',
    post('/mcp', ['Transfer-Encoding: chunked', ...JSON_HEADERS], `2\r\n${PING}\r\n0\r\n\r\n`),
    [400],
  ],
  [
    'chunk extensions of 20 KB',
    post('/mcp', ['Transfer-Encoding: chunked', ...JSON_HEADERS], `1;${LONG}\r\nx\r\n0\r\n\r\n`),
    [413],
  ],
  ['a second Host', get('/healthz', 'Host: b'), [400]],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
];

const OBSOLETE: readonly Shape[] = [
  ['HTTP/0.9', 'GET /healthz\r\n\r\n', [400]],
  ['HTTP/0.9 with a version', 'GET /healthz HTTP/0.9\r\n\r\n', [400]],
  ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n', [200]],
  ['HTTP/1.2', 'GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n', [400]],
  ['HTTP/9.9', 'GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n', [400]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
  ['a SOCKS request', '\x05\x01\x00\r\n\r\n', [400]],
  ['SMTP', 'EHLO mail.example\r\nMAIL FROM:<a@b>\r\n', [400]],
  ['absolute form', get('http://other.example/healthz'), [200]],
  ['authority form', 'CONNECT victim.example:443 HTTP/1.1\r\nHost: a\r\n\r\n', []],
  ['authority form with GET', get('victim.example:443'), [400]],
  ['asterisk form', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['asterisk form with GET', get('*'), [400]],
  ['a tab instead of the space', 'GET\t/healthz\tHTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['two spaces', 'GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n', [200]],
  ['HTTP/2.0', 'GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n', [400]],
  ['a method in lower case', 'get /healthz HTTP/1.1\r\nHost: a\r\n\r\n', [400]],
  ['empty lines before the request', `\r\n\r\n${get('/healthz')}`, [200]],
  ['an upgrade to HTTP/2', get('/healthz', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'), [200]],
  ['an upgrade to WebSocket', get('/healthz', 'Upgrade: websocket', 'Sec-WebSocket-Key: a'), [200]],
  ['an expectation that nobody knows', get('/healthz', 'Expect: 200-maybe'), [417]],
  ['TRACE', 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', [405]],
  ['a body with GET', `${get('/healthz', 'Content-Length: 5')}hello`, [200]],
];

const TARGETS: readonly Shape[] = [
  ['a NUL in the target', get('/\0'), [400]],
  ['an encoded NUL', get('/%00'), [404]],
  ['an encoded NUL in a search', get('/api/reviews/search?query=%00'), [200]],
  ['an incomplete escape', get('/reviews%'), [400]],
  ['an incomplete escape in a query', get('/reviews?query=%'), [200]],
  ['an escape that is no UTF-8', get('/technicians/%ff'), [400]],
  ['an overlong encoding of a slash', get('/%c0%af'), [400]],
  ['a surrogate in UTF-8', get('/reviews?query=%ed%a0%80'), [200]],
  ['bytes beyond ASCII', get('/reviews?query=\xe9\xff'), [400]],
  ['a path up', get('/../../etc/passwd'), [404]],
  ['an encoded path up', get('/assets/..%2f..%2fpackage.json'), [404]],
  ['a path up in backslashes', get('/assets/..\\..\\package.json'), [404]],
  ['two slashes', get('//evil.example/'), [404]],
  ['a slash at the end of an encoded host', get('/%2f%2fevil.example/'), [404]],
  ['a fragment', get('/healthz#a'), [200]],
  ['a target of 15 KB', get(`/${'a'.repeat(15_000)}`), [404]],
  ['a target of 20 KB', get(`/${LONG}`), [431]],
  ['3,000 parameters', get(`/reviews?${'a=1&'.repeat(3_000)}b=1`), [200]],
  ['5,000 empty parameters', get(`/reviews?${'a&'.repeat(5_000)}`), [302]],
  ['a parameter 1,000 times', get(`/api/reviews/search?${'query=a&'.repeat(1_000)}`), [400]],
  ['a search for 15 KB', get(`/api/reviews/search?query=${'boiler+'.repeat(2_000)}`), [200]],
  ['__proto__ as a parameter', get('/api/reviews/search?__proto__=1&constructor=2'), [200]],
  ['__proto__ as a review', get('/api/reviews/__proto__'), [404]],
  ['constructor as a page', get('/constructor', 'Accept: text/html'), [404]],
  ['toString as a subject', get('/technicians/toString', 'Accept: text/html'), [404]],
  ['hasOwnProperty as an asset', get('/assets/hasOwnProperty'), [404]],
  ['__proto__ as a file of the site map', get('/sitemaps/__proto__'), [404]],
];

const HEADERS: readonly Shape[] = [
  ['a header of 20 KB', get('/healthz', `A: ${LONG}`), [431]],
  ['3,000 headers', get('/healthz', ...Array.from({ length: 3_000 }, () => 'a:')), [431]],
  ['a NUL in a header', get('/healthz', 'A: b\0c'), [400]],
  ['a header without a name', get('/healthz', ': a'), [400]],
  ['a header without a colon', get('/healthz', 'abc'), [400]],
  ['10,000 tags', get('/reviews.json', `If-None-Match: ${'"a",'.repeat(3_500)}`), [200]],
  [
    'an If-None-Match that never ends',
    get('/reviews.json', `If-None-Match: ${'"'.repeat(9_999)}`),
    [200],
  ],
  ['a date without end', get('/reviews.json', `If-Modified-Since: ${'9'.repeat(9_999)}`), [200]],
  ['3,000 encodings', get('/reviews.json', `Accept-Encoding: ${'a;q=0.1,'.repeat(1_900)}`), [200]],
  ['3,000 types', get('/nowhere', `Accept: ${'text/html;q=0.1,'.repeat(900)}`), [404]],
  ['an address that is none', get('/readyz', 'X-Forwarded-For: __proto__, \xff, 1e999'), [200]],
  ['a Range', get('/reviews.json', `Range: bytes=${'0-0,'.repeat(3_000)}0-0`), [200]],
];

/** A subscription request with a body and headers. */
const form = (body: string, ...headers: string[]) => {
  const type = headers.length > 0 ? headers : ['Content-Type: application/x-www-form-urlencoded'];
  const length = `Content-Length: ${body.length}`;
  return post('/api/websub/hub', [...type, length, 'Connection: close'], body);
};
const TOPIC = `hub.mode=subscribe&hub.topic=${ORIGIN}/feed.xml&hub.callback=`;
const FORM_TYPE = 'Content-Type: application/x-www-form-urlencoded';

const FORMS: readonly Shape[] = [
  ['a form without a type', form('a=b', 'A: b'), [415]],
  ['a form in JSON', form('{}', 'Content-Type: application/json'), [415]],
  ['a compressed form', form('a=b', FORM_TYPE, 'Content-Encoding: gzip'), [415]],
  ['a form in UTF-16', form('a=b', `${FORM_TYPE}; charset=utf-16`), [415]],
  ['a form of 9 KB', form('a'.repeat(9_000)), [413]],
  [
    'a form that claims 1 GB',
    post('/api/websub/hub', [FORM_TYPE, 'Content-Length: 1000000000'], 'hub.mode='),
    [413],
  ],
  ['4,000 fields', form('a&'.repeat(4_000)), [400]],
  ['a field 200 times', form('hub.mode=subscribe&'.repeat(200)), [400]],
  ['NULs', form(`${TOPIC}https://a.example/%00`), [400]],
  ['bytes that are no UTF-8', form(`${TOPIC}https://a.example/%ff`), [400]],
  ['__proto__ as a field', form('__proto__=1&constructor=2&hub.mode=toString'), [400]],
  ['a callback on this machine', form(`${TOPIC}https://127.0.0.1/`), [400]],
  ['a callback on this machine, in hexadecimal', form(`${TOPIC}https://0x7f.1/`), [400]],
  ['a callback at the metadata of a cloud', form(`${TOPIC}https://169.254.169.254/`), [400]],
  ['a callback at a mapped address', form(`${TOPIC}https://[::ffff:10.0.0.1]/`), [400]],
  ['a callback of another protocol', form(`${TOPIC}https://a.example:25/`), [400]],
  ['a callback with a line break', form(`${TOPIC}https://a.example/%0d%0aX-A:+b`), [400]],
  ['a callback with a password', form(`${TOPIC}https://user:pass@a.example/`), [400]],
  ['a callback of 8 KB', form(`${TOPIC}https://a.example/${'a'.repeat(7_900)}`), [400]],
  ['another site', form('a=b', FORM_TYPE, 'Origin: https://evil.example'), [400]],
];

const call = (body: string, ...headers: string[]) =>
  post(
    '/mcp',
    [
      ...JSON_HEADERS,
      ...headers,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ],
    Buffer.from(body).toString('latin1'),
  );
const tool = (name: string, args: string) =>
  call(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${name},"arguments":${args}}}`,
  );
const nest = (open: string, close: string, depth: number) =>
  open.repeat(depth) + close.repeat(depth);

const CALLS: readonly Shape[] = [
  ['no JSON', call('{'), [400]],
  ['no type', post('/mcp', ['Content-Length: 2', 'Connection: close'], '{}'), [415]],
  ['lists in lists, 30,000 deep', call(nest('[', ']', 30_000)), [400]],
  [
    'objects in objects, 10,000 deep',
    call(nest('{"a":', '', 10_000) + '1' + '}'.repeat(10_000)),
    [400],
  ],
  [
    'arguments 5,000 deep',
    tool('"search_reviews"', nest('{"a":', '', 5_000) + '1' + '}'.repeat(5_000)),
    [400],
  ],
  ['a query 10,000 deep', tool('"search_reviews"', `{"query":${nest('[', ']', 10_000)}}`), [400]],
  [
    'an id 10,000 deep',
    call(`{"jsonrpc":"2.0","id":${nest('[', ']', 10_000)},"method":"ping"}`),
    [400],
  ],
  ['a body of 65 KB', call(`"${'a'.repeat(65 * 1024)}"`), [413]],
  [
    'a body that claims 1 GB',
    post('/mcp', [...JSON_HEADERS, 'Content-Length: 1000000000'], '{'),
    [413],
  ],
  ['a compressed body', call(PING, 'Content-Encoding: gzip'), [200]],
  [
    'a batch of 1,000',
    call(`[${Array(1_000).fill(PING).join(',')}]`, 'MCP-Protocol-Version: 2025-03-26'),
    [400],
  ],
  ['an empty batch', call('[]', 'MCP-Protocol-Version: 2025-03-26'), [400]],
  ['__proto__ as a tool', tool('"__proto__"', '{}'), [200]],
  ['__proto__ as an argument', tool('"search_reviews"', '{"__proto__":{"limit":1}}'), [200]],
  ['constructor as a method', call('{"jsonrpc":"2.0","id":1,"method":"constructor"}'), [200]],
  ['a name that is a number', tool('1e999', '{}'), [200]],
  ['a foreign Host', post('/mcp', ['X: 1'], '').replace('localhost', 'evil.example'), [403]],
  ['a foreign Origin', call(PING, 'Origin: https://evil.example'), [403]],
  ['a session that nobody has', call(PING, 'Mcp-Session-Id: __proto__'), [404]],
];

describe.each([
  ['smuggling', SMUGGLING],
  ['obsolete and foreign forms', OBSOLETE],
  ['targets', TARGETS],
  ['headers', HEADERS],
  ['forms', FORMS],
  ['MCP calls', CALLS],
])('%s', (_group, shapes) => {
  test.each(shapes)('%s', async (_what, bytes, statuses) => {
    const connection = await RawConnection.open(server.port);
    await bystanders.during(async () => {
      connection.write(bytes);
      // A client that is done: what is incomplete ends here.
      connection.socket.end();
      await connection.closed();
    });
    expect(statusesOf(connection.received)).toEqual(statuses);
    expect(log).toEqual([]);
  });
});
