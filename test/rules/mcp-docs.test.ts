// docs/mcp.md documents what exists. http-docs.test.ts checks the answers of its calls.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REVISIONS } from '../../src/mcp/protocol.ts';
import { TOOLS } from '../../src/mcp/tools.ts';
import { type Json, TestServer } from '../support/http.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { ask } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const PAGE = readFileSync(new URL('../../docs/mcp.md', import.meta.url), 'utf8');
const JSON_BLOCK = /```json\n([\s\S]*?)```/g;

/** Sections of the page by heading. */
const sections = new Map(
  PAGE.split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0]!.replaceAll('`', ''), section.split(/^## /m)[0]!]),
);

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS, { insights: INSIGHTS }));
});
afterAll(() => server.close());

test('the sections are the tools, in their order', () => {
  expect([...sections.keys()]).toEqual(TOOLS.map(({ name }) => name));
});

describe.each(TOOLS.map(({ name }) => name))('%s', (name) => {
  test('has a call and its answer', () => {
    const blocks = [...sections.get(name)!.matchAll(JSON_BLOCK)].map(([, json]) =>
      JSON.parse(json!),
    );
    expect([blocks.length, blocks[0].name]).toEqual([2, name]);
  });
});

test('every resource, prompt, argument of a prompt and revision is on the page', async () => {
  const { resources } = (await ask(server, 'legacy', 'resources/list')).result;
  const { resourceTemplates } = (await ask(server, 'legacy', 'resources/templates/list')).result;
  const { prompts } = (await ask(server, 'legacy', 'prompts/list')).result;
  const names = [
    ...REVISIONS,
    ...resources.map(({ uri }: Json) => `\`${uri}\``),
    ...resourceTemplates.map(({ uriTemplate }: Json) => `\`${uriTemplate}\``),
    ...prompts.flatMap(({ name, arguments: args }: Json) =>
      [name, ...args.map((argument: Json) => argument.name)].map((each) => `\`${each}\``),
    ),
  ];
  expect(names.filter((name) => !PAGE.includes(name))).toEqual([]);
});

test('what is to be pasted is JSON, and leads to the endpoint', () => {
  const connect = PAGE.split('## Connect')[1]!.split('\n## ')[0]!;
  const blocks = [...connect.matchAll(JSON_BLOCK)].map(([, json]) =>
    JSON.stringify(JSON.parse(json!)),
  );
  expect(blocks).toHaveLength(2);
  for (const block of blocks) expect(block).toContain('"url":"https://reviews.example.com/mcp"');
  for (const client of ['Claude', 'Claude Code', 'ChatGPT', 'Cursor', 'VS Code', 'The inspector']) {
    expect(connect).toContain(`**${client}**`);
  }
});
