// Names of Object.prototype members are treated like any other unknown name.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REVIEWS } from '../support/by-hand.ts';
import { TestServer } from '../support/http.ts';
import { ask, callTool, type Era, post } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];
const UNKNOWN = 'nosuchname';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS));
});
afterAll(() => server.close());

/** Requests with a name. Each must get the same response as with an unknown name. */
const REQUESTS: Readonly<
  Record<string, (name: string) => readonly [method: string, params: Record<string, unknown>]>
> = {
  'a tool': (name) => ['tools/call', { name, arguments: {} }],
  'a prompt': (name) => ['prompts/get', { name, arguments: {} }],
  'a resource': (name) => ['resources/read', { uri: name }],
  'the kind of a resource': (name) => ['resources/read', { uri: `reviews://${name}` }],
  'the id of a resource': (name) => ['resources/read', { uri: `reviews://service/${name}` }],
  'a prompt to complete': (name) => [
    'completion/complete',
    { ref: { type: 'ref/prompt', name }, argument: { name: 'audience', value: '' } },
  ],
  'an argument to complete': (name) => [
    'completion/complete',
    {
      ref: { type: 'ref/prompt', name: 'summarize_reviews' },
      argument: { name, value: '' },
    },
  ],
  'a resource to complete': (name) => [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: name }, argument: { name: 'id', value: '' } },
  ],
  'a variable to complete': (name) => [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'reviews://service/{id}' },
      argument: { name, value: '' },
    },
  ],
  'an argument': (name) => [
    'tools/call',
    { name: 'get_faq', arguments: JSON.parse(`{${JSON.stringify(name)}:1}`) },
  ],
  'a service': (name) => ['tools/call', { name: 'get_service', arguments: { service: name } }],
  'an aspect': (name) => [
    'tools/call',
    { name: 'get_aspect_sentiment', arguments: { aspect: name } },
  ],
  'a service of a search': (name) => [
    'tools/call',
    { name: 'search_reviews', arguments: { mentions_service: name } },
  ],
};

describe.each(['legacy', 'modern'] as const)('for a client of the %s era', (era: Era) => {
  test.each(Object.entries(REQUESTS))('as %s', async (_what, requestFor) => {
    // Suggested names depend on the given one.
    const responseTo = async (name: string) =>
      JSON.stringify(await ask(server, era, ...requestFor(name))).replaceAll(
        /(names\W+)\[.*?\]/g,
        '$1[]',
      );
    const expected = await responseTo(UNKNOWN);
    for (const name of NAMES) {
      const answer = await responseTo(name);
      expect([name, answer.replaceAll(name, UNKNOWN)]).toEqual([name, expected]);
    }
  });
});

test('an argument named __proto__ with an object or null is rejected', async () => {
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_summary","arguments":${args}}}`;
  for (const args of ['{"__proto__":{"x":1}}', '{"\\u005f_proto__":null}']) {
    const { result } = JSON.parse((await post(server, call(args))).text);
    expect([result.isError, result.content[0].text]).toEqual([
      true,
      expect.stringContaining('- __proto__: expected no arguments'),
    ]);
  }
  expect((await callTool(server, 'get_summary')).isError).toBeUndefined();
});
