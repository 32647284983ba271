// The example business answers the requests in the documentation as the documentation says.

import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { differences, exampleSnapshot } from '../support/example.ts';
import { type Answer, type Json, TestServer } from '../support/http.ts';
import { callTool } from '../support/rpc.ts';
import { TestStore } from '../support/store.ts';

const ORIGIN = 'https://reviews.example.com';
const ROOT = new URL('../..', import.meta.url);
/** All but the page whose commands change a machine. */
const PAGES = globSync('{README.md,docs/*.md}', {
  cwd: ROOT,
  exclude: ['docs/operator.md'],
}).toSorted();
/** Pages that name paths of the server, and no file paths. */
const INTERFACE_PAGES = ['README.md', 'docs/http.md', 'docs/mcp.md', 'docs/pages.md'];
const page = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

let store: TestStore;
let server: TestServer;
beforeAll(async () => {
  store = await TestStore.create();
  const snapshot = await exampleSnapshot(ORIGIN);
  const environment = { BASE_URL: ORIGIN };
  const { hub } = parseConfig(environment);
  const endpoint = new HubEndpoint(hub, new AddressPolicy([]), await store.open());
  server = await TestServer.open(snapshot, { environment, hub: endpoint });
});
afterAll(async () => {
  await server.close();
  await store.close();
});

/** The words of a command line, without quotes; a backslash at the end of a line joins lines. */
function requestOf(command: string): string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** Sends the request of a curl command. */
async function curl(command: string): Promise<Answer> {
  const [, ...words] = requestOf(command);
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let url = '';
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-O' || word === '-i') continue;
    if (!word.startsWith('-')) {
      url = word;
      continue;
    }
    at += 1;
    const value = words[at]!;
    if (word === '-H')
      headers[value.split(': ')[0]!] = value.split(': ')[1]!.replace('$SESSION', session);
    else if (word === '-d') data.push(value);
    else if (word === '--data-urlencode') {
      const [, name, text] = /^([^=]*)=(.*)$/.exec(value)!;
      data.push(`${name}=${encodeURIComponent(text!)}`);
    } else throw new Error(`the test knows no ${word}`);
  }
  const { pathname, search } = new URL(url);
  if (data.length === 0) return server.ask(pathname + search, { headers });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = data.join('&');
  const sent = { method: 'POST', headers: { ...form, ...headers }, body };
  const answer = await server.ask(pathname, sent);
  session = String(answer.headers['mcp-session-id'] ?? session);
  return answer;
}

/** What the answer to an earlier command named. */
let session = '';

/** The indented curl commands of a page. */
function commandsOf(name: string): string[] {
  return [...page(name).matchAll(/^ {4}(curl (?:.*\\\n)*.*)$/gm)].map(([, command]) => command!);
}

/** Whether an answer is not empty. */
function isFound(text: string): boolean {
  if (!text.startsWith('{')) return text !== '';
  const { matched, error, result }: Json = JSON.parse(text);
  return matched !== 0 && error === undefined && result?.isError === undefined;
}

/** The requests of a page, each with the JSON below it. */
function requestsOf(name: string): [path: string, answer: unknown][] {
  const examples = page(name).matchAll(/^ {4}GET (\S+)$([\s\S]*?)```json\n([\s\S]*?)```/gm);
  return [...examples].map(([, path, , answer]) => [path!, JSON.parse(answer!)]);
}

/** The tool calls of a page, each with the JSON block after it. */
function callsOf(name: string): [call: { name: string; arguments: object }, answer: unknown][] {
  const blocks = [...page(name).matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) =>
    JSON.parse(json!),
  );
  return blocks.flatMap((block, at) =>
    'name' in block && 'arguments' in block ? [[block, blocks[at + 1]]] : [],
  );
}

test('these pages have examples', () => {
  const having = (examplesOf: (name: string) => readonly unknown[]) =>
    Object.fromEntries(
      PAGES.map((name) => [name, examplesOf(name).length] as const).filter(
        ([, count]) => count > 0,
      ),
    );
  expect(having(commandsOf)).toEqual({
    'README.md': 3,
    'docs/developer.md': 3,
    'docs/mcp.md': 4,
    'docs/websub.md': 1,
  });
  expect(having(requestsOf)).toEqual({ 'docs/http.md': 3, 'docs/insights.md': 1 });
  expect(having(callsOf)).toEqual({ 'docs/mcp.md': 11 });
});

describe.each(PAGES)('in %s', (name) => {
  test('every curl command succeeds and finds something', async () => {
    for (const command of commandsOf(name)) {
      const { status, text } = await curl(command);
      expect([command, status >= 200 && status < 300, isFound(text)]).toEqual([
        command,
        true,
        true,
      ]);
    }
  });

  test('every request has the answer below it', async () => {
    for (const [path, shown] of requestsOf(name)) {
      const { text } = await server.ask(path);
      expect([path, differences(shown, JSON.parse(text))]).toEqual([path, []]);
    }
  });

  test('every tool call has the answer below it', async () => {
    for (const [call, shown] of callsOf(name)) {
      const { structuredContent } = await callTool(server, call.name, { ...call.arguments });
      expect([call, differences(shown, structuredContent)]).toEqual([call, []]);
    }
  });
});

test.each(INTERFACE_PAGES)('every path that %s names answers', async (name) => {
  const named = page(name).matchAll(/`(?:(?:GET|HEAD) )?(\/[^`\s{}]*)`/g);
  // Placeholders such as "ID" and folders are skipped.
  const paths = new Set(
    [...named].map(([, path]) => path!).filter((path) => !/[A-Z]|.\/$/.test(path)),
  );
  for (const path of paths) {
    const { status } = await server.ask(path, { headers: { Accept: 'text/html' } });
    const isPost = ['/mcp', '/api/websub/hub'].includes(path);
    expect([path, status]).toEqual([path, isPost ? 405 : 200]);
  }
});

test.each([
  ['a', 'a', true],
  ['a', 'b', false],
  ['a…', 'abc', true],
  ['a…', 'a', false],
  ['a…', 'bc', false],
  [[1, '…'], [1, 2], true],
  [[1, '…'], [1], false],
  [[1], [1, 2], false],
  [[1], {}, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, '…': '…' }, { a: 1, b: 2 }, true],
  [{ a: 1, '…': '…' }, { a: 1 }, false],
  [{ a: { b: [null] } }, { a: { b: [0] } }, false],
  [{ a: 1 }, null, false],
])('a document that shows %j for %j is right: %s', (shown, actual, isRight) => {
  expect(differences(shown, actual).length === 0).toBe(isRight);
});

test('docs/websub.md shows the headers of a topic', async () => {
  const [, path, shown] =
    /^ {4}HEAD (\S+) HTTP\/1\.1\n[\s\S]*?^ {4}HTTP\/1\.1 200 OK\n((?: {4}\S.*\n)+)/m.exec(
      page('docs/websub.md'),
    )!;
  const { headers, status } = await server.ask(path!, { method: 'HEAD' });
  expect(status).toBe(200);
  for (const line of shown!.trim().split(/\n\s*/)) {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(line)!;
    expect([name, headers[name!.toLowerCase()]]).toEqual([name, value]);
  }
});

test('the hub accepts and refuses requests with the texts in docs/websub.md', async () => {
  const text = page('docs/websub.md');
  const [command] = commandsOf('docs/websub.md');
  const accepted = await curl(command!);
  const [, line] = /HTTP\/1\.1 202 Accepted\n {4}(.*)\n/.exec(text)!;
  expect([accepted.status, accepted.text]).toEqual([202, `${line}\n`]);
  const [, refusal] = /HTTP\/1\.1 400 Bad Request\n {4}Content-Type: .*\n\n {4}(.*)\n/.exec(text)!;
  const body = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.topic': `${ORIGIN}/feed.xml`,
    'hub.callback': 'http://127.0.0.1/x',
    'hub.lease_seconds': '0',
  }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const refused = await server.ask('/api/websub/hub', { method: 'POST', headers, body });
  expect([refused.status, refused.text]).toEqual([400, `${refusal}\n`]);
});
