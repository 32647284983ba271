// How agents find the endpoint: the card, the catalogue, and the record of the registry.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  renderCard,
  renderCatalog,
  renderRegistryRecord,
} from '../../src/discovery/mcp-records.ts';
import { VERSION } from '../../src/version.ts';
import { TestServer } from '../support/http.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { BUSINESS } from '../support/reviews.ts';
import { ask } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
beforeAll(async () => {
  const business = { ...BUSINESS, url: 'https://harbor.example/' };
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS, business }));
});
afterAll(() => server.close());

const NAMED = {
  name: 'example.reviews/public-reviews',
  title: 'Reviews of Harbor Heating',
  description: 'What verified customers say about Harbor Heating.',
  version: VERSION,
  websiteUrl: 'https://harbor.example/',
};

describe('the server card', () => {
  test('is beside the endpoint, and says how to connect and nothing of tools', async () => {
    const answer = await server.ask('/mcp/server-card');
    expect(answer.headers['content-type']).toBe('application/mcp-server-card+json');
    expect(JSON.parse(answer.text)).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      ...NAMED,
      remotes: [
        {
          type: 'streamable-http',
          url: 'https://reviews.example/mcp',
          supportedProtocolVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
        },
      ],
    });
  });

  test('does not contradict what the server says once connected', async () => {
    const { result } = await ask(server, 'modern', 'server/discover');
    const { name } = result['_meta']['io.modelcontextprotocol/serverInfo'];
    expect(NAMED.name.split('/')[1]).toBe(name);
  });
});

test('the catalogue leads to the card', async () => {
  const answer = await server.ask('/.well-known/ai-catalog.json');
  const manifest = await server.ask('/.well-known/ard.json');
  expect([manifest.text, manifest.headers['content-type']]).toEqual([
    answer.text,
    'application/json; charset=utf-8',
  ]);
  expect(answer.headers['content-type']).toBe('application/ai-catalog+json');
  expect(JSON.parse(answer.text)).toEqual({
    specVersion: '0.9',
    entries: [
      {
        identifier: 'urn:air:reviews.example:mcp:public-reviews',
        displayName: 'Reviews of Harbor Heating',
        type: 'application/mcp-server-card+json',
        url: 'https://reviews.example/mcp/server-card',
        representativeQueries: [
          'What do customers say about Harbor Heating?',
          'What do customers of Harbor Heating complain about?',
          'Which services and people of Harbor Heating do customers recommend?',
          'Are the ratings of Harbor Heating improving?',
        ],
      },
    ],
  });
});

test('pages lead to the catalogues', async () => {
  const { link } = (await server.ask('/')).headers;
  expect(link).toBe(
    '</.well-known/api-catalog>; rel="api-catalog", </.well-known/ard.json>; rel="ard", ' +
      '</.well-known/ai-catalog.json>; rel="ai-catalog"',
  );
});

test('server.json is what the registry takes', async () => {
  const answer = await server.ask('/server.json');
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(answer.text)).toEqual({
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...NAMED,
    remotes: [{ type: 'streamable-http', url: 'https://reviews.example/mcp' }],
  });
});

test('all of them have entity tags, and may be read by the pages of any site', async () => {
  for (const path of ['/mcp/server-card', '/.well-known/ai-catalog.json', '/server.json']) {
    const { headers } = await server.ask(path);
    expect(headers['access-control-allow-origin']).toBe('*');
    const again = await server.ask(path, { headers: { 'If-None-Match': headers.etag! } });
    expect([path, again.status, again.text]).toEqual([path, 304, '']);
    expect((await server.ask(path, { method: 'POST' })).status).toBe(405);
  }
});

describe('names and lengths', () => {
  const discovered = (origin: string, name = 'Harbor Heating') => ({
    origin,
    business: { name, url: null },
    version: '1.0.0',
  });

  test.each([
    ['https://reviews.example.co.uk', 'uk.co.example.reviews/public-reviews'],
    ['http://localhost:8080', 'localhost/public-reviews'],
    ['http://[::1]:8080', '--1/public-reviews'],
  ])('of %s are %s', (origin, name) => {
    for (const record of [
      renderCard(discovered(origin)),
      renderRegistryRecord(discovered(origin)),
    ]) {
      expect(record).toMatchObject({ name, websiteUrl: origin });
      // As both schemas have it.
      expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    }
  });

  test('are kept, however long the name of the business', () => {
    const record = renderCard(discovered('https://a.example', 'x'.repeat(200))) as {
      title: string;
      description: string;
    };
    expect([record.title.length, record.description.length]).toEqual([100, 100]);
    const catalog = renderCatalog(discovered('https://a.example', 'x'.repeat(200)));
    expect(JSON.stringify(catalog).length).toBeLessThan(850);
    for (const query of catalog.entries[0]!.representativeQueries) {
      expect(query.length).toBeLessThanOrEqual(100);
    }
  });
});
