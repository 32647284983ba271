// /.well-known/security.txt, as RFC 9116 has it.

import { afterEach, describe, expect, test } from 'vitest';
import type { Business } from '../../src/model/business.ts';
import { TestServer } from '../support/http.ts';
import { BUSINESS, review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const PATH = '/.well-known/security.txt';

let server: TestServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function ask(email: Business['email'], publishedAt?: number) {
  const business = { ...BUSINESS, email };
  const at = publishedAt === undefined ? {} : { nowSeconds: publishedAt };
  server = await TestServer.open(await snapshotOf([review()], { business, ...at }));
  return server.ask(PATH);
}

describe('security.txt', () => {
  test('names the e-mail address of the business, where it is, and when it expires', async () => {
    const publishedAt = Date.UTC(2026, 0, 10, 12) / 1000;
    const answer = await ask('security@harbor.example', publishedAt);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(
      'Contact: mailto:security@harbor.example\n' +
        'Expires: 2027-01-05T12:00:00Z\n' +
        `Canonical: https://reviews.example${PATH}\n`,
    );
  });

  test('is the same at every request, because its time is that of the content', async () => {
    const first = await ask('a@harbor.example', 1_000_000_000);
    expect(first.text).toContain('Expires: 2002-09-04T01:46:40Z');
    expect((await server!.ask(PATH)).headers.etag).toBe(first.headers.etag);
  });

  test.each([null, 'ask at the counter', 'a@b.example\nContact: mailto:evil@evil.example'])(
    'is absent where the business has no address (%j)',
    async (email) => {
      expect((await ask(email)).status).toBe(404);
    },
  );

  test('escapes what a URI may not hold as it is', async () => {
    expect((await ask("o'neil+x@harbor.example")).text).toMatch(
      /^Contact: mailto:o'neil%2Bx@harbor\.example\n/,
    );
  });
});
