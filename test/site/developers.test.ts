// /developers: every example request gets the response that the page shows, for any snapshot.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpExamples, toolExamples } from '../../src/site/developers/examples.ts';
import { View } from '../../src/site/view.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { callTool } from '../support/rpc.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { snapshotOf } from '../support/snapshot.ts';

const SNAPSHOTS: readonly [string, () => Promise<Snapshot>][] = [
  ['a snapshot with entries in every list', () => snapshotOf(REVIEWS, { insights: INSIGHTS })],
  ['a snapshot without insights', () => snapshotOf([review({ text: null })])],
  ['a snapshot with a long text', () => snapshotOf([review({ text: '🙂 x'.repeat(4000) })])],
  ['an empty snapshot', () => snapshotOf([])],
];

describe.each(SNAPSHOTS)('%s', (_name, make) => {
  let server: TestServer;
  let view: View;
  beforeAll(async () => {
    const snapshot = await make();
    view = new View(snapshot);
    server = await TestServer.open(snapshot);
  });
  afterAll(() => server.close());

  test('every HTTP example gets the response shown', async () => {
    const examples = httpExamples(view);
    expect(examples.length).toBeGreaterThan(4);
    for (const { path, status, answer, isWhole } of examples) {
      const real = await server.ask(path);
      expect([path, real.status]).toEqual([path, status]);
      if (isWhole) expect(answer).toBe(real.text);
      // The example may end in the middle of a surrogate pair.
      else expect(real.text.startsWith(answer.replace(/\uFFFD$/, ''))).toBe(true);
    }
  });

  test('every tool call gets the response shown', async () => {
    const examples = toolExamples(view);
    const isEmpty = view.snapshot.reviewCount === 0;
    expect(examples).toHaveLength(TOOLS.length - (isEmpty ? 2 : 0));
    for (const { name, arguments: args, answer } of examples) {
      const { structuredContent, isError } = await callTool(server, name, args);
      expect([name, isError, structuredContent]).toEqual([name, undefined, JSON.parse(answer)]);
    }
  });

  test('the page shows all examples and has no dead links', async () => {
    const { text, status } = await server.ask('/developers');
    expect(status).toBe(200);
    const unescaped = text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    for (const { path } of httpExamples(view)) {
      expect(unescaped).toContain(`https://reviews.example${path.replaceAll("'", "'\\''")}'`);
    }
    for (const { name } of toolExamples(view)) expect(text).toContain(`id="tool-${name}"`);
    const links = [...unescaped.matchAll(/<a href="(\/[^"]*)"/g)].map(([, path]) => path!);
    for (const path of new Set(links)) {
      const { status: found } = await server.ask(path);
      expect([path, found < 404]).toEqual([path, true]);
    }
  });

  test('the ETag shown is current', async () => {
    const { text } = await server.ask('/developers');
    const [, tag] = /If-None-Match: &quot;([^&]+)&quot;/.exec(text)!;
    const headers = { 'If-None-Match': `"${tag}"` };
    expect((await server.ask('/reviews.json', { headers })).status).toBe(304);
  });
});

test('the hub form has all fields, and the hub accepts it', async () => {
  const bodies: unknown[] = [];
  const hub = {
    accept: (_headers: unknown, body: unknown) => {
      bodies.push(String(body));
      return Promise.resolve();
    },
  };
  const server = await TestServer.open(await snapshotOf(REVIEWS), { hub });
  const { text } = await server.ask('/developers');
  const [form] = /<form class="fields"[\s\S]*?<\/form>/.exec(text)!;
  expect(form).toContain('action="/api/websub/hub" method="post"');
  expect([...form.matchAll(/ name="(hub\.\w+)"/g)].map(([, name]) => name)).toEqual([
    'hub.mode',
    'hub.topic',
    'hub.callback',
    'hub.lease_seconds',
    'hub.secret',
  ]);
  const { status } = await server.ask('/api/websub/hub', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'hub.mode=subscribe',
  });
  await server.close();
  expect([status, bodies]).toEqual([202, ['hub.mode=subscribe']]);
});
