// /developers: every example request is answered, for any snapshot.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpExamples, TOOL_CALL } from '../../src/site/developers/examples.ts';
import { View } from '../../src/site/view.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { callTool } from '../support/rpc.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { snapshotOf } from '../support/snapshot.ts';

const fileOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

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

  test('every example is answered, by what its title says', async () => {
    const examples = httpExamples(view);
    expect(examples.length).toBeGreaterThan(4);
    for (const [title, path] of examples) {
      const { status } = await server.ask(path);
      expect([title, status]).toEqual([title, title.startsWith('An invalid') ? 400 : 200]);
    }
    const { name, arguments: args } = TOOL_CALL.params;
    const { structuredContent, isError } = await callTool(server, name, args);
    expect([isError, typeof structuredContent]).toEqual([undefined, 'object']);
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
    for (const [, path] of httpExamples(view)) {
      expect(unescaped).toContain(`https://reviews.example${path.replaceAll("'", "'\\''")}'`);
    }
    // How to get the program is said as in README and docs/proof.md.
    const [, program = ''] = /(`npx public-reviews` runs [^]*? registry yet\.)/.exec(
      fileOf('README.md'),
    )!;
    const flat = (markdown: string) => markdown.replaceAll(/\s+/g, ' ');
    expect(flat(fileOf('docs/proof.md'))).toContain(flat(program));
    expect(unescaped.replaceAll(/<\/?code>/g, '`')).toContain(flat(program));
    for (const { name } of TOOLS) expect(text).toContain(`<code>${name}</code>`);
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
