// /.well-known/api-catalog, as RFC 9727 has it.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const PATH = '/.well-known/api-catalog';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf([review()]));
});
afterAll(() => server.close());

test('is a link set with the profile of the RFC, and says on HEAD what it is', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { headers } = await server.ask(PATH, { method });
    expect(headers['content-type']).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    expect(headers['link']).toBe(`<https://reviews.example${PATH}>; rel="api-catalog"`);
  }
});

test('names the interfaces, and leads to what describes them', async () => {
  const { linkset } = await server.json(PATH);
  expect(linkset.map(({ anchor }: Json) => anchor)).toEqual([
    'https://reviews.example/',
    'https://reviews.example/mcp',
  ]);
  for (const { anchor: _anchor, ...relations } of linkset) {
    expect(Object.keys(relations)).toEqual(['service-desc', 'service-doc', 'status']);
    for (const { href, type } of Object.values<Json>(relations).flat()) {
      const { status, headers } = await server.ask(new URL(href).pathname);
      expect([href, status, headers['content-type']?.split(';')[0]]).toEqual([href, 200, type]);
    }
  }
});
