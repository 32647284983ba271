// The requests that the documentation shows are answered as it says.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { HubEndpoint } from '../../src/hub/endpoint.ts';
import { INSIGHTS, REVIEWS } from '../support/by-hand.ts';
import { type Answer, TestServer } from '../support/http.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';

const ORIGIN = 'https://reviews.example.com';
const page = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

let store: TestStore;
let server: TestServer;
beforeAll(async () => {
  store = await TestStore.create();
  const snapshot = await snapshotOf(REVIEWS, { insights: INSIGHTS, origin: ORIGIN });
  const environment = { BASE_URL: ORIGIN };
  const { hub } = parseConfig(environment);
  const endpoint = new HubEndpoint(hub, new AddressPolicy([]), await store.open());
  server = await TestServer.open(snapshot, { environment, hub: endpoint });
});
afterAll(async () => {
  await server.close();
  await store.close();
});

/** Words of a command line; quotes are taken off, a backslash at the end of a line joins two. */
function wordsOf(command: string): string[] {
  const words = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

/** Sends what a curl command would. */
function curl(command: string): Promise<Answer> {
  const [, ...words] = wordsOf(command);
  const headers: Record<string, string> = {};
  const data: string[] = [];
  let url = '';
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '-O') continue;
    if (!word.startsWith('-')) {
      url = word;
      continue;
    }
    at += 1;
    const value = words[at]!;
    if (word === '-H') headers[value.split(': ')[0]!] = value.split(': ')[1]!;
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
  return server.ask(pathname, { method: 'POST', headers: { ...form, ...headers }, body });
}

/** The indented commands of a page that begin with curl, whole. */
function commandsOf(name: string): string[] {
  return [...page(name).matchAll(/^ {4}(curl (?:.*\\\n)*.*)$/gm)].map(([, command]) => command!);
}

test.each(['README.md', 'docs/mcp.md', 'docs/websub.md'])(
  'every curl of %s is answered with success',
  async (name) => {
    const commands = commandsOf(name);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      const { status } = await curl(command);
      expect([command, status >= 200 && status < 300]).toEqual([command, true]);
    }
  },
);

test('every request of docs/http.md has the answer that stands under it', async () => {
  const examples = [
    ...page('docs/http.md').matchAll(/^ {4}GET (\S+)$([\s\S]*?)```json\n([\s\S]*?)```/gm),
  ];
  expect(examples.map(([, path]) => path)).toEqual([
    '/api/reviews/search?query=price&min_rating=4&limit=1',
    '/api/reviews/search?limit=0',
  ]);
  for (const [, path, , answer] of examples) {
    expect(JSON.parse((await server.ask(path!)).text)).toEqual(JSON.parse(answer!));
  }
});

test('what docs/websub.md shows of a topic is what the topic says of itself', async () => {
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

test('a request to the hub is accepted in the words of docs/websub.md, and refused in them', async () => {
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
