// WebSub, section 4: how a subscriber that knows a topic finds its canonical URL and its hub.

import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawGet } from '../support/fingerprint.ts';
import { LocalHub } from '../support/local-hub.ts';
import { until } from '../support/patience.ts';
import { parseXml, type XmlElement } from '../support/xml.ts';

const PATHS = ['/reviews.json', '/api/feed.json', '/feed.xml'];
const ATOM_LINK = '{http://www.w3.org/2005/Atom}link';

let hub: LocalHub;
/** The origin of the server, as it advertises it. */
let origin: string;
beforeAll(async () => {
  // It advertises the origin at which it listens, so that its links can be followed.
  hub = await LocalHub.open({ BASE_URL: '' });
  origin = hub.server.url;
});
afterAll(() => hub.close());

const linkOf = (path: string) =>
  `<${origin}${path}>; rel="self", <${origin}/api/websub/hub>; rel="hub"`;

test('the subscriber in docs/websub.md confirms, and prints the feed after a change', async () => {
  const page = readFileSync(new URL('../../docs/websub.md', import.meta.url), 'utf8');
  const [, script] = /```js\n([\s\S]*?)```/.exec(page)!;
  const { folder } = hub.workplace;
  await hub.workplace.write('subscriber.mjs', script!.replace('http://localhost:8080', origin));
  writeFileSync(join(folder, 'key.pem'), hub.certificate.key);
  copyFileSync(hub.certificate.path, join(folder, 'cert.pem'));
  const subscriber = spawn(process.execPath, ['subscriber.mjs'], { cwd: folder });
  try {
    let printed = '';
    subscriber.stdout.on('data', (chunk) => (printed += String(chunk)));
    await until(async () => (await hub.counts()).active === 1);
    await hub.change({ text: 'Printed by the subscriber.' });
    await until(() => printed.includes('Printed by the subscriber.'));
    expect(printed).toMatch(
      /^(?:Accepted: the callback will be asked to confirm\.\n\n|subscribe\n){2}<\?xml/,
    );
  } finally {
    subscriber.kill();
  }
  await hub.reset();
});

describe.each(PATHS)('the topic %s', (path) => {
  test('P1 P2: names itself and the hub in one Link header, on GET, HEAD and 304', async () => {
    const get = await hub.server.get(path);
    expect([get.status, get.headers.get('link')]).toEqual([200, linkOf(path)]);
    const head = await fetch(origin + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('link')]).toEqual([200, linkOf(path)]);
    const etag = get.headers.get('etag') ?? '';
    const again = await hub.server.get(path, { 'If-None-Match': etag });
    expect([again.status, again.headers.get('link')]).toEqual([304, linkOf(path)]);
  });

  test('P5: has a rel=self that responds with 200 and equals hub.topic byte for byte', async () => {
    const { headers } = await hub.server.get(path);
    const [, self, found] = /^<(.*?)>; rel="self", <(.*?)>; rel="hub"$/.exec(
      headers.get('link') ?? '',
    ) as unknown as [string, string, string];
    expect((await fetch(self, { redirect: 'manual' })).status).toBe(200);
    const subscriber = await hub.subscriber();
    const body = new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.topic': self,
      'hub.callback': subscriber.url(),
    });
    expect((await fetch(found, { method: 'POST', body })).status).toBe(202);
    const [challenge] = await subscriber.waitFor('GET', 1);
    expect(challenge?.parameters.get('hub.topic')).toBe(self);
  });

  test('P6: has one representation, whatever the client prefers', async () => {
    const plain = await rawGet(origin + path);
    for (const headers of [
      { Accept: 'text/html' },
      { Accept: 'application/json;q=0, application/atom+xml;q=0' },
      { 'Accept-Language': 'de' },
    ]) {
      const { status, headers: answered, body } = await rawGet(origin + path, headers);
      expect(status).toBe(200);
      expect(answered['content-type']).toBe(plain.headers['content-type']);
      expect(body.equals(plain.body)).toBe(true);
    }
  });
});

test('P3: the Atom feed has the same two links directly under its root', async () => {
  const feed = parseXml(await (await hub.server.get('/feed.xml')).text());
  const hrefs = (rel: string) =>
    feed.children.flatMap(({ name, attributes }) =>
      name === ATOM_LINK && attributes['rel'] === rel ? attributes['href'] : [],
    );
  expect(feed.name).toBe('{http://www.w3.org/2005/Atom}feed');
  expect(hrefs('self')).toEqual([`${origin}/feed.xml`]);
  expect(hrefs('hub')).toEqual([`${origin}/api/websub/hub`]);
});

test('P4: the JSON Feed names itself in feed_url and the hub in hubs', async () => {
  const feed = await hub.server.json('/api/feed.json');
  expect(feed.feed_url).toBe(`${origin}/api/feed.json`);
  expect(feed.hubs).toEqual([{ type: 'WebSub', url: `${origin}/api/websub/hub` }]);
});

test('X5: text of reviews never becomes a link', async () => {
  const evil = '<link rel="hub" href="https://evil.example/"/>';
  const atomLink = '</content><link xmlns="http://www.w3.org/2005/Atom" rel="self" href="x"/>';
  await hub.change({ author: `${evil} K.`, text: `]]>${atomLink}${evil}` });
  await hub.change({ text: 'A', owner_reply: { text: evil, date: '2024-01-02' } });
  const body = await (await hub.server.get('/feed.xml')).text();
  expect(body).toContain('evil.example');
  const all = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(all)];
  const links = all(parseXml(body)).filter(({ name }) => name.endsWith('}link'));
  const rels = links.map(({ attributes }) => attributes['rel']);
  expect(rels.filter((rel) => rel === 'hub' || rel === 'self')).toEqual(['self', 'hub']);
  for (const path of PATHS) {
    expect((await hub.server.get(path)).headers.get('link')).toBe(linkOf(path));
  }
});
