// Resources: contents, completion, cache hints and notifications of changes.

import { request as sendRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, TestServer } from '../support/http.ts';
import { BLAME, INSIGHTS, PRAISE, REVIEWS, SILENT } from '../support/by-hand.ts';
import { until } from '../support/patience.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { ask, callTool, post, requestOf } from '../support/rpc.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

const ERAS = ['legacy', 'modern'] as const;

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
});
afterAll(() => server.close());

async function read(uri: string): Promise<Json> {
  const { result } = await ask(server, 'legacy', 'resources/read', { uri });
  const [{ text, ...rest }] = result.contents;
  expect(rest).toEqual({ uri, mimeType: 'application/json' });
  return JSON.parse(text);
}

async function complete(uri: string, value: string): Promise<string[]> {
  const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'id', value } };
  const { result } = await ask(server, 'modern', 'completion/complete', params);
  return result.completion.values;
}

describe('resources', () => {
  test.each(ERAS)('are listed with title, description and type (%s)', async (era) => {
    const { result } = await ask(server, era, 'resources/list');
    expect(result.resources.map(({ uri }: Json) => uri)).toEqual([
      'reviews://business',
      'reviews://insights',
      'reviews://summary',
    ]);
    const templates = (await ask(server, era, 'resources/templates/list')).result.resourceTemplates;
    expect(templates.map(({ uriTemplate }: Json) => uriTemplate)).toEqual([
      'reviews://review/{id}',
      'reviews://technician/{id}',
      'reviews://service/{id}',
    ]);
    for (const { title, description, mimeType } of [...result.resources, ...templates]) {
      expect([title, description, mimeType]).toEqual([
        expect.stringMatching(/^[A-Z]/),
        expect.stringMatching(/\.$/),
        'application/json',
      ]);
    }
  });

  test('contain the same answers as the tools', async () => {
    for (const [uri, tool, args] of [
      ['reviews://business', 'get_business', { detail: 'full' }],
      ['reviews://summary', 'get_summary', {}],
      [`reviews://review/${PRAISE}`, 'get_review', { id: PRAISE }],
      [
        'reviews://technician/mike-alvarez',
        'get_technician',
        { name: 'Mike Alvarez', detail: 'full' },
      ],
      [
        'reviews://technician/Mike%20Alvarez',
        'get_technician',
        { name: 'Mike Alvarez', detail: 'full' },
      ],
      [
        'reviews://technician/Zo%C3%AB%20Lef%C3%A8vre',
        'get_technician',
        { name: 'zoe-lefevre', detail: 'full' },
      ],
      [
        'reviews://service/boiler-repair',
        'get_service',
        { service: 'boiler-repair', detail: 'full' },
      ],
    ] as const) {
      const { structuredContent } = await callTool(server, tool, args);
      expect([uri, await read(uri)]).toEqual([uri, structuredContent]);
    }
  });

  test('include all insights except those per review', async () => {
    const { per_review: _, generated_at: __, ...rest } = await server.json('/insights.json');
    expect(await read('reviews://insights')).toEqual(rest);
  });

  test.each([
    'reviews://nothing',
    'reviews://technician/nobody',
    'reviews://service/%zz',
    'reviews://review/x/y',
    `reviews://review/${ulidOf(999)}`,
    'file:///etc/passwd',
  ])('do not exist at %s', async (uri) => {
    for (const era of ERAS) {
      const { error } = await ask(server, era, 'resources/read', { uri });
      expect([error.code, error.data]).toEqual([-32602, { uri }]);
    }
  });

  test('may be cached publicly: lists for an hour, contents for a minute', async () => {
    const hour = { ttlMs: 3_600_000, cacheScope: 'public' };
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'server/discover',
    ]) {
      expect([method, (await ask(server, 'modern', method)).result]).toEqual([
        method,
        expect.objectContaining(hour),
      ]);
    }
    const summary = { uri: 'reviews://summary' };
    expect((await ask(server, 'modern', 'resources/read', summary)).result).toMatchObject({
      ttlMs: 60_000,
      cacheScope: 'public',
    });
    expect((await ask(server, 'legacy', 'resources/list')).result).not.toHaveProperty('ttlMs');
  });
});

describe('completion', () => {
  test.each([
    ['', ['mike-alvarez', 'zoe-lefevre']],
    ['mi', ['mike-alvarez']],
    ['ALV', ['mike-alvarez']],
    ['lefè', ['zoe-lefevre']],
    ['ike', []],
  ])('of a technician for %j is %j', async (typed, ids) => {
    expect((await complete('reviews://technician/{id}', typed)).toSorted()).toEqual(ids);
  });

  test('of a service matches label and id', async () => {
    expect(await complete('reviews://service/{id}', 'Boil')).toEqual(['boiler-repair']);
  });

  test('of a review matches the start of its id; an empty prefix lists the newest first', async () => {
    expect(await complete('reviews://review/{id}', '')).toEqual([SILENT, BLAME, PRAISE]);
    expect(await complete('reviews://review/{id}', BLAME.slice(0, 25))).toEqual(
      [PRAISE, BLAME, SILENT].filter((id) => id.startsWith(BLAME.slice(0, 25))),
    );
    expect(await complete('reviews://review/{id}', BLAME)).toEqual([BLAME]);
    expect(await complete('reviews://review/{id}', 'zzz')).toEqual([]);
  });

  test('has at most a hundred values', async () => {
    const many = Array.from({ length: 150 }, (_, number) => review({ id: ulidOf(number) }));
    server.http.show(await snapshotOf(many));
    expect(await complete('reviews://review/{id}', '')).toHaveLength(100);
    expect(await complete('reviews://review/{id}', ulidOf(0).slice(0, 10))).toHaveLength(100);
    server.http.show(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
  });
});

/** A listen stream of 2026-07-28 that collects its messages. */
class ListenStream {
  readonly messages: Json[] = [];
  isClosed = false;
  readonly #disconnect: () => void;

  constructor(target: TestServer, uris: readonly string[], more: Record<string, string> = {}) {
    const { body, headers } = requestOf('modern', 'subscriptions/listen', {
      notifications: { resourceSubscriptions: uris },
    });
    const sent = sendRequest({
      host: '127.0.0.1',
      port: target.port,
      path: '/mcp',
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
        ...more,
      },
    });
    sent.on('response', (response) => {
      response.on('data', (chunk: Buffer) => {
        for (const [, data] of chunk.toString().matchAll(/^data: (.*)$/gm)) {
          this.messages.push(JSON.parse(data!));
        }
      });
      response.on('close', () => (this.isClosed = true));
    });
    sent.on('error', () => (this.isClosed = true));
    sent.end(JSON.stringify(body));
    this.#disconnect = () => sent.destroy();
  }

  /** The URIs of all update notifications. */
  get updated(): string[] {
    return this.messages
      .filter(({ method }) => method === 'notifications/resources/updated')
      .map(({ params }) => params.uri);
  }

  async acknowledged(): Promise<void> {
    await until(() => this.messages.length > 0);
    expect(this.messages[0].method).toBe('notifications/subscriptions/acknowledged');
  }

  disconnect(): void {
    this.#disconnect();
  }
}

describe('a listen stream', () => {
  const SUBSCRIBED = [
    'reviews://business',
    'reviews://insights',
    'reviews://summary',
    `reviews://review/${PRAISE}`,
    `reviews://review/${BLAME}`,
    'reviews://technician/mike-alvarez',
    'reviews://service/boiler-repair',
    'reviews://made-up',
  ];

  test('is notified of the resources that a new snapshot changes, and of no others', async () => {
    const press = new Press();
    const publish = async (...args: Parameters<Press['publish']>) => {
      await press.publish(...args);
      target.http.show(await press.load());
    };
    const target = await TestServer.open(null);
    await publish(REVIEWS);
    const stream = new ListenStream(target, SUBSCRIBED);
    const other = new ListenStream(target, ['reviews://summary']);
    await Promise.all([stream.acknowledged(), other.acknowledged()]);

    // Editing a review without mentions changes only that review.
    const edited = REVIEWS.map((one) => (one.id === BLAME ? { ...one, author: 'Somebody' } : one));
    await publish(edited);
    await until(() => stream.updated.length > 0);
    expect(stream.updated).toEqual([`reviews://review/${BLAME}`]);

    // The business has a new telephone number.
    await publish(edited, { business: { ...BUSINESS, telephone: '+1' } });
    await until(() => stream.updated.length > 1);
    expect(stream.updated.slice(1)).toEqual(['reviews://business']);

    // Adding a review of the same technician and service changes everything except the two reviews.
    const added = [...edited, review({ id: ulidOf(500), text: 'Mike Alvarez fixed the boiler.' })];
    await publish(added, { business: { ...BUSINESS, telephone: '+1' } });
    await until(() => stream.updated.length > 6);
    expect(stream.updated.slice(2)).toEqual([
      'reviews://business',
      'reviews://insights',
      'reviews://summary',
      'reviews://technician/mike-alvarez',
      'reviews://service/boiler-repair',
    ]);
    expect(other.updated).toEqual(['reviews://summary']);

    // Unchanged content.
    expect(await press.publish(added, { business: { ...BUSINESS, telephone: '+1' } })).toBe(false);
    stream.disconnect();
    other.disconnect();
    await target.close();
  });

  test('that closes is unregistered', async () => {
    const target = await TestServer.open(await snapshotOf(REVIEWS));
    const stream = new ListenStream(target, ['reviews://summary']);
    await stream.acknowledged();
    expect([...target.mcp.subscribedUris]).toEqual(['reviews://summary']);
    stream.disconnect();
    await until(() => target.mcp.subscribedUris.size === 0);
    await target.close();
  });

  test('is completed when the server closes', async () => {
    const target = await TestServer.open(await snapshotOf(REVIEWS));
    const stream = new ListenStream(target, ['reviews://summary']);
    await stream.acknowledged();
    await target.close();
    await until(() => stream.isClosed);
    expect(stream.messages.at(-1).result).toMatchObject({ resultType: 'complete' });
  });

  test('that opens while the server closes gets 503; tool calls are still answered', async () => {
    const target = await TestServer.open(await snapshotOf(REVIEWS));
    await target.mcp.close();
    for (const method of ['subscriptions/listen', 'server/discover']) {
      const { body, headers } = requestOf('modern', method, { notifications: {} });
      const answer = await post(target, body, headers);
      expect([method, answer.status, answer.headers['retry-after']]).toEqual([method, 503, '1']);
    }
    expect((await callTool(target, 'get_trend', {}, 'modern')).isError).toBeUndefined();
    await target.close();
  });

  test('is one of at most 32 for a client; other clients are unaffected', async () => {
    const target = await TestServer.open(await snapshotOf(REVIEWS), {
      environment: { TRUST_PROXY: '1' },
    });
    const from = (address: string) => ({ 'X-Forwarded-For': address });
    const streams = Array.from(
      { length: 32 },
      () => new ListenStream(target, ['reviews://summary'], from('2001:db8::1')),
    );
    await Promise.all(streams.map((stream) => stream.acknowledged()));
    const { body, headers } = requestOf('modern', 'subscriptions/listen', { notifications: {} });
    const rejected = await post(target, body, { ...headers, ...from('2001:db8::2') });
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '60']);
    const otherClient = new ListenStream(target, ['reviews://summary'], from('2001:db8:0:1::1'));
    await otherClient.acknowledged();
    await target.close();
  });

  test('has at most fifty resources', async () => {
    const uris = Array.from({ length: 51 }, (_, number) => `reviews://review/${number}`);
    const { body, headers } = requestOf('modern', 'subscriptions/listen', {
      notifications: { resourceSubscriptions: uris },
    });
    const { error } = JSON.parse((await post(server, body, headers)).text);
    expect([error.code, error.message]).toEqual([-32602, expect.stringContaining('at most 50')]);
  });

  test('is not advertised to earlier revisions', async () => {
    const { result } = await ask(server, 'modern', 'server/discover');
    expect(result.capabilities.resources).toEqual({ listChanged: false, subscribe: true });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const { result: started } = await ask(server, 'legacy', 'initialize', params);
    expect(started.capabilities.resources).toEqual({ listChanged: false, subscribe: false });
  });
});
