// Pages over HTTP: what they are kept and known by, and who gets them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PageSet } from '../../src/http/pages.ts';
import { buildAssets } from '../../src/site/assets.ts';
import { Site } from '../../src/site/site.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS, review, ulidOf } from '../support/reviews.ts';
import { Press, snapshotOf } from '../support/snapshot.ts';

const REVIEW = ulidOf(1);
const REVIEWS = [review({ id: REVIEW, text: 'Mike fixed the boiler. Great price!' })];
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const HTML = 'text/html; charset=utf-8';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf(REVIEWS));
});
afterAll(() => server.close());

describe('a page', () => {
  test.each([
    '/',
    '/reviews',
    '/reviews?rating=5',
    `/reviews/${REVIEW}`,
    '/technicians',
    '/technicians/mike-alvarez',
    '/services/boiler-repair',
    '/areas',
    '/topics',
    '/aspects/pricing',
    '/problems',
    '/faq',
    '/summary',
  ])('%s is HTML with a strong tag, known again by it, and HEAD has no body', async (path) => {
    const answer = await server.ask(path);
    expect(answer.status).toBe(200);
    expect(answer.text.startsWith('<!doctype html>\n<html lang="en-US">')).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': HTML,
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      vary: 'Accept, Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    const { etag = '' } = answer.headers;
    const again = await server.ask(path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    const head = await server.ask(path, { method: 'HEAD' });
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', etag]);
    expect(head.headers['content-length']).toBe(String(answer.body.length));
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('comes in %s with a tag of its own, good in If-None-Match', async (name, unpack) => {
    const plain = await server.ask('/summary');
    const headers = { 'accept-encoding': name };
    // The first is compressed for this request, the second is kept.
    for (const answer of [
      await server.ask('/summary', { headers }),
      await server.ask('/summary', { headers }),
    ]) {
      expect(answer.headers['content-encoding']).toBe(name);
      expect(unpack(answer.body).toString()).toBe(plain.text);
      expect(answer.headers.etag).toBe(`${plain.headers.etag?.slice(0, -1)}-${name}"`);
    }
    const tags = `"other", W/"${plain.headers.etag?.slice(1, -1)}-${name}"`;
    expect((await server.ask('/summary', { headers: { 'if-none-match': tags } })).status).toBe(304);
  });

  test('is another after the next snapshot only where its content is', async () => {
    const press = new Press();
    await press.publish(REVIEWS);
    const changing = await TestServer.open(await press.load());
    const tagOf = async (path: string) => (await changing.ask(path)).headers.etag;
    const before = [await tagOf('/'), await tagOf(`/reviews/${REVIEW}`)];
    await press.publish([
      ...REVIEWS,
      review({ id: ulidOf(2), rating: 1, text: 'They left a mess.' }),
    ]);
    changing.http.show(await press.load());
    const after = [await tagOf('/'), await tagOf(`/reviews/${REVIEW}`)];
    expect(after[0]).not.toBe(before[0]);
    expect((await changing.ask('/')).text).toContain('2 verified reviews');
    await changing.close();
  });

  test('counts as its route in the metrics, whatever its parameters', async () => {
    await server.ask('/reviews?query=never-in-metrics');
    await server.ask('/reviews?query=never-in-metrics');
    const { text } = await server.ask('/metrics');
    expect(text).toContain('http_requests_total{route="/reviews",status="200"}');
    expect(text).not.toContain('never-in-metrics');
  });

  test('may show the logo of the business, from wherever that is kept, and nothing else', async () => {
    const business = { ...BUSINESS, logo_url: 'https://cdn.example:8443/logo.png' };
    const shown = await TestServer.open(await snapshotOf(REVIEWS, { business }));
    const answer = await shown.ask('/');
    expect(answer.headers['content-security-policy']).toContain(
      "img-src 'self' https://cdn.example:8443;",
    );
    expect(answer.text).toContain('<img src="https://cdn.example:8443/logo.png" alt');
    await shown.close();
  });

  test('refuses other methods in JSON, and is limited like all reads', async () => {
    const posted = await server.ask('/reviews', { method: 'POST' });
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const environment = { RATE_LIMIT_PER_MINUTE: '1' };
    const limited = await TestServer.open(await snapshotOf(REVIEWS), { environment });
    expect((await limited.ask('/faq')).status).toBe(200);
    expect((await limited.ask('/faq')).status).toBe(429);
    await limited.close();
  });

  test('is 503 before there is a snapshot', async () => {
    const empty = await TestServer.open(null);
    expect((await empty.ask('/')).status).toBe(503);
    await empty.close();
  });

  test('is a page that says so and reloads itself, for browsers, before there is a snapshot', async () => {
    const empty = await TestServer.open(null);
    for (const path of ['/', '/topics/noise?part=2', '/nowhere']) {
      const answer = await empty.ask(path, { headers: BROWSER });
      expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 503, '5']);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      });
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.text).toContain('<meta http-equiv="refresh" content="2">');
      expect(answer.text).toContain('Almost ready');
    }
    const head = await empty.ask('/', { method: 'HEAD', headers: BROWSER });
    expect([head.status, head.text]).toEqual([503, '']);
    for (const path of ['/readyz', '/reviews.json']) {
      const { headers } = await empty.ask(path, { headers: BROWSER });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    }
    const posted = await empty.ask('/mcp', { method: 'POST', headers: BROWSER, body: '{}' });
    expect([posted.status, posted.headers['content-type']]).toEqual([
      503,
      'application/json; charset=utf-8',
    ]);
    await empty.close();
  });
});

describe('a page in Markdown', () => {
  const MARKDOWN = 'text/markdown; charset=utf-8';
  const typeFor = async (path: string, accept: string) =>
    (await server.ask(path, { headers: { accept } })).headers['content-type'];

  test.each([
    ['/', '/index.md'],
    ['/faq', '/faq.md'],
    ['/reviews?rating=5', '/reviews.md?rating=5'],
    [`/reviews/${REVIEW}`, `/reviews/${REVIEW}.md`],
    ['/technicians/mike-alvarez', '/technicians/mike-alvarez.md'],
  ])(
    'of %s is at %s, whatever the client accepts, and known again by its tag',
    async (page, path) => {
      const answer = await server.ask(path, { headers: BROWSER });
      expect(answer.headers).toMatchObject({
        'content-type': MARKDOWN,
        'cache-control': 'public, max-age=60, stale-while-revalidate=600',
        'x-robots-tag': 'noindex',
        vary: 'Accept-Encoding',
      });
      expect(answer.text).toContain(`\nurl: "https://reviews.example${page}"\n`);
      const { etag = '' } = answer.headers;
      const again = await server.ask(path, { headers: { 'if-none-match': etag } });
      expect([again.status, again.text]).toEqual([304, '']);
      const html = await server.ask(page);
      expect(html.headers.etag).not.toBe(etag);
      const link = `<link rel="alternate" type="text/markdown" href="https://reviews.example${path}"/>`;
      // Search engines do not index people that did not ask for it, or searches.
      expect(html.text.includes(link)).toBe(html.text.includes('rel="canonical"'));
    },
  );

  test.each([
    ['text/markdown', MARKDOWN],
    ['text/markdown, text/html, */*', MARKDOWN],
    ['text/html;q=0.8, text/markdown', MARKDOWN],
    ['text/html, text/markdown;q=0.9', HTML],
    ['text/markdown;q=0, */*', HTML],
    ['text/*', HTML],
    ['*/*', HTML],
    [BROWSER.accept, HTML],
    [`text/markdown, ${'a/b, '.repeat(1_000)}c/d`, HTML],
  ])('or HTML for a client that accepts %.40s', async (accept, type) => {
    expect(await typeFor('/summary', accept)).toBe(type);
  });

  test('at the address of the HTML is not for shared caches, and neither is sent for the other', async () => {
    const markdown = { accept: 'text/markdown' };
    const tags = new Set<string | undefined>();
    for (const headers of [BROWSER, markdown, BROWSER, markdown]) {
      const answer = await server.ask('/faq', { headers });
      expect(answer.headers.vary).toBe('Accept, Accept-Encoding');
      expect(answer.headers['content-type']).toBe(headers === markdown ? MARKDOWN : HTML);
      expect(answer.headers['cache-control']).toMatch(
        headers === markdown ? /^private, / : /^public, /,
      );
      tags.add(answer.headers.etag);
    }
    expect(tags.size).toBe(2);
    // What advertisers add is in no page, since others get it too.
    expect((await server.ask('/aspects.md?gclid=x')).text).not.toContain('gclid');
    const [html = ''] = tags;
    const other = await server.ask('/faq', { headers: { ...markdown, 'if-none-match': html } });
    expect(other.status).toBe(200);
  });

  test.each(['/technicians/nobody.md', '/faq.md?part=2', '/faq.md?part=x', '/faq.md?part=0'])(
    'is missing at %s',
    async (path) => {
      const answer = await server.ask(path);
      expect([answer.status, answer.headers['content-type']]).toEqual([404, MARKDOWN]);
      expect(answer.text).toContain('# We can’t find that page');
    },
  );

  test.each(['/reviews.json.md', '/mcp.md', '/nothing.md', '/index'])(
    'is none at %s',
    async (path) => {
      const answer = await server.ask(path);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    },
  );
});

describe('a page that is kept', () => {
  const rendersOf = (...urls: string[]) => {
    const heeded = new Set(['rating', 'query']);
    const source = {
      language: 'en-US',
      policy: '',
      parametersOf: (path: string) => (path === '/plain' ? new Set<string>() : heeded),
    };
    const pages = new PageSet(source, 'no-store');
    let rendered = 0;
    for (const url of urls) {
      const request = { url, headers: {} } as IncomingMessage;
      pages.find(request, '/x', () => ({ status: 200, content: `${(rendered += 1)}` }));
    }
    return rendered;
  };

  test('is rendered once, whatever parameters it does not heed', () => {
    expect(rendersOf('/x', '/x?utm_source=a', '/x?fbclid=b&utm_source=c')).toBe(1);
    expect(rendersOf('/x?rating=5', '/x?fbclid=b&rating=5', '/x?rating=5&a=1')).toBe(1);
    expect(rendersOf('/x', '/x?%61N=1', '/x?%62N=1', '/x?a+b=1', '/x?%ff=1')).toBe(1);
    expect(rendersOf('/x?rating=5', '/x?%72ating=5', '/x?r%61ting=5')).toBe(1);
    expect(rendersOf('/plain', '/plain?rating=5', '/plain?query=a', '/plain?query=b')).toBe(1);
  });

  test('is rendered once, however its path is escaped', () => {
    expect(rendersOf('/plain', '/%70lain', '/pl%61in', '/%70lain?rating=5')).toBe(1);
    expect(rendersOf('/a%c3%a9', '/a%C3%A9')).toBe(1);
    expect(rendersOf('/a%2Fb', '/a/b')).toBe(2);
  });

  test('is not looked up under a long URL before the client has a turn', () => {
    const parametersOf = vi.fn(() => new Set<string>());
    const pages = new PageSet({ language: 'en-US', policy: '', parametersOf }, 'no-store');
    const answerReady = (url: string) =>
      pages.answerReady({ url, headers: {} } as IncomingMessage, {} as ServerResponse);
    expect(answerReady(`/x?${'a=1&'.repeat(10)}b=1`)).toBe(null);
    expect(parametersOf).toHaveBeenCalledTimes(1);
    expect(answerReady(`/x?${'a=1&'.repeat(1_000)}b=1`)).toBe(null);
    expect(parametersOf).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['/x', '/x?rating=5'],
    ['/x', '/x?%72ating=5'],
    ['/x?rating=5', '/x?rating=5&rating=4'],
    ['/x?rating=5', '/x?a=1#&rating=5'],
    ['/x', '/x?a='],
    ['/x?query=a', '/y?query=a'],
  ])('%s is not %s', (one, other) => {
    expect(rendersOf(one, other)).toBe(2);
  });
});

describe('a form that was sent with empty fields', () => {
  test.each([
    ['/reviews?query=leak&rating=&since=', '/reviews?query=leak'],
    ['/reviews?query=&rating=', '/reviews'],
    ['/reviews?rating', '/reviews'],
    ['/reviews?', '/reviews'],
    ['/reviews?query=why?&rating=', '/reviews?query=why?'],
    ['/technicians/mike-alvarez?sentiment=', '/technicians/mike-alvarez'],
  ])('%s leads to %s', async (path, clean) => {
    const answer = await server.ask(path);
    expect([answer.status, answer.headers.location]).toEqual([302, clean]);
    expect((await server.ask(clean)).status).toBe(200);
  });

  test('keeps a question mark, and what comes after it', async () => {
    const answer = await server.ask('/reviews?query=why?&rating=1');
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
  });

  test('of an empty path leads nowhere else', async () => {
    const answer = await server.ask('//evil.example/?query=');
    expect(answer.status).toBe(404);
  });
});

describe('what is not there', () => {
  test.each([
    `/reviews/${ulidOf(99)}`,
    '/reviews/x',
    '/technicians/nobody',
    '/technicians/__proto__',
    '/aspects/safety',
    '/topics/constructor',
  ])('(%s) is a page that says so, and is not kept', async (path) => {
    const answer = await server.ask(path);
    expect([answer.status, answer.headers['content-type']]).toEqual([404, HTML]);
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.text).toContain('<h1>We can’t find that page</h1>');
    expect(answer.text).toContain('<meta name="robots" content="noindex"/>');
  });

  test('at any other path is a page for browsers, and JSON for programs', async () => {
    const browser = await server.ask('/nowhere', { headers: BROWSER });
    expect([browser.status, browser.headers['content-type']]).toEqual([404, HTML]);
    // A cache must not answer programs with the page for browsers.
    expect(browser.headers.vary).toBe('Accept, Accept-Encoding');
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
      const program = await server.ask('/nowhere', { headers });
      expect([program.status, JSON.parse(program.text).status]).toEqual([404, 404]);
    }
    const posted = await server.ask('/nowhere', { method: 'POST', headers: BROWSER });
    expect(posted.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

describe('the files that pages refer to', () => {
  let urls: string[];
  beforeEach(async () => {
    const { text } = await server.ask('/');
    urls = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, url]) => url as string);
  });

  test('are there, with their types, for good', async () => {
    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const { status, headers } = await server.ask(url);
      expect([status, headers['cache-control']]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(headers['content-type']).toMatch(/^(?:text\/css|text\/javascript|image\/svg\+xml)/);
    }
  });

  test('come compressed', async () => {
    for (const url of urls) {
      const plain = await server.ask(url);
      const answer = await server.ask(url, { headers: { 'accept-encoding': 'br' } });
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([
        'br',
        'Accept-Encoding',
      ]);
      expect(brotliDecompressSync(answer.body).toString()).toBe(plain.text);
    }
  });

  test('have another name in another colour; the old name leads to what there is now', async () => {
    const { urls: other } = buildAssets('#aa2200');
    expect(urls).not.toContain(other.style);
    const answer = await server.ask(other.style);
    expect([answer.status, answer.headers['cache-control']]).toEqual([
      200,
      'public, max-age=60, stale-while-revalidate=600',
    ]);
    expect((await server.ask('/assets/nothing.css')).status).toBe(404);
  });
});

describe('what is not there, under a limit', () => {
  test('counts like everything that is read', async () => {
    const limited = await TestServer.open(await snapshotOf(REVIEWS), {
      environment: { RATE_LIMIT_PER_MINUTE: '3' },
    });
    const statuses: number[] = [];
    for (const path of ['/nothing', '/nowhere', '/faq', '/nothing']) {
      statuses.push((await limited.ask(path, { headers: BROWSER })).status);
    }
    expect(statuses).toEqual([404, 404, 200, 429]);
    expect((await limited.ask('/nothing')).status).toBe(429);
    await limited.close();
  });

  test('with a slash too many leads to where it may be, on this origin', async () => {
    const answer = await server.ask('/technicians/?sentiment=x', { headers: BROWSER });
    expect([answer.status, answer.headers.location]).toEqual([301, '/technicians']);
    const elsewhere = await server.ask('//evil.example/', { headers: BROWSER });
    expect(elsewhere.status).toBe(404);
  });

  test.each(['/\\evil.example/', '/\\/evil.example/', '//evil.example/', '/\t/evil.example/'])(
    '%j, which browsers read as another host, leads nowhere',
    async (target) => {
      for (const query of ['', '?query=']) {
        const raw = await server.askRaw(
          `GET ${target}${query} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
        );
        expect(raw).toMatch(/^HTTP\/1\.1 40[04] /);
        expect(raw).not.toMatch(/^Location:/im);
      }
    },
  );
});

test('a host of the logo that would write into the policy is left out of it', async () => {
  const business = { ...BUSINESS, logo_url: 'https://a;script-src,b/logo.png' };
  const shown = await TestServer.open(await snapshotOf(REVIEWS, { business }));
  const policy = (await shown.ask('/')).headers['content-security-policy'];
  expect(policy).toContain("img-src 'self';");
  await shown.close();
});

test('parameters that a page does not know cost no rendering, and those after a thousand count', async () => {
  const render = vi.spyOn(Site.prototype, 'render');
  const shown = await TestServer.open(await snapshotOf(REVIEWS));
  for (const path of ['/', '/developers', '/faq', '/technicians/mike-alvarez']) {
    for (const query of ['', '?%61N=1', '?%62N=1', '?rating=5', '?utm=a+b', '?a=%']) {
      expect((await shown.ask(`${path}${query}`)).status).toBe(200);
    }
  }
  expect(render.mock.calls.map(([route]) => route)).toEqual([
    '/',
    '/developers',
    '/faq',
    '/technicians/:id',
  ]);
  // A page must not be kept under a filter that it was rendered without.
  await shown.ask(`/reviews?${'a=1&'.repeat(1000)}rating=1`);
  expect((await shown.ask('/reviews?rating=1')).text).not.toContain('Great price!');
  render.mockRestore();
  await shown.close();
});

test('every picture in SVG has a policy that runs and loads nothing', async () => {
  const { text } = await server.ask('/');
  const icon = /"(\/assets\/icon[^"]*\.svg)"/.exec(text)?.[1] as string;
  for (const path of ['/badge.svg', icon]) {
    const { status, headers } = await server.ask(path);
    expect([path, status, headers['content-security-policy']]).toEqual([
      path,
      200,
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]);
  }
});
