// Documents in the best encoding that the client accepts (RFC 9110, section 12.5.3).

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EncodingChooser } from '../../src/http/encoding.ts';
import { DOCUMENT_PATHS } from '../../src/snapshot/documents.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf([review(), review({ text: '👩🏽‍🔧' })]));
});
afterAll(() => server.close());

const accept = (value: string) => ({ headers: { 'Accept-Encoding': value } });

describe('a document', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate, br', 'br'],
    ['zstd, gzip', 'zstd'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['*', 'br'],
    ['br;q=0, *', 'zstd'],
    ['br;q=0, zstd;q=0, *', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.1, zstd;q=0.2, gzip;q=0.3', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['gzip;q=1.0, identity;q=0.5, *;q=0', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['deflate, compress, gzip', 'gzip'],
  ])('for Accept-Encoding: %s comes in %s', async (value, encoding) => {
    const answer = await server.ask('/reviews.json', accept(value));
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.etag).toMatch(new RegExp(`^"[\\w-]{22}-${encoding}"$`));
  });

  test.each([
    ['identity'],
    ['identity, br;q=0.5'],
    ['br;q=0'],
    ['br;q=0, gzip;q=0.0, zstd;q=0.000'],
    ['*;q=0'],
    ['deflate'],
    ['unknown, another'],
    [''],
    [';,;;q=,'],
  ])('for Accept-Encoding: %j comes as it is', async (value) => {
    const answer = await server.ask('/reviews.json', accept(value));
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(answer.text)).toHaveProperty('version', 1);
  });

  test('without Accept-Encoding comes as it is', async () => {
    const answer = await server.ask('/reviews.json');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    expect(answer.headers['content-length']).toBe(String(answer.body.length));
  });

  test('may be asked for in more encodings than are remembered', async () => {
    for (let number = 0; number < 450; number++) {
      const answer = await server.ask('/feed.xml', accept(`gzip, x-${number}`));
      expect(answer.headers['content-encoding']).toBe('gzip');
    }
  });
});

test('of a long Accept-Encoding only the first whole elements are read', () => {
  const chooser = new EncodingChooser();
  expect(chooser.choose(`gzip, ${'x,'.repeat(5_000)}br`)).toBe('gzip');
  const others = 'x'.repeat(245);
  expect(chooser.choose(`${others},gzip;q=0.0000,br`)).toBe('identity');
  expect(chooser.choose(`${others},br;q=0.1,gzip,zstd`)).toBe('br');
  expect(chooser.choose('br'.repeat(5_000))).toBe('identity');
});

describe.each(DOCUMENT_PATHS)('%s', (path) => {
  test('says the same in every encoding, and of each its length', async () => {
    const plain = await server.ask(path);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await server.ask(path, accept(encoding));
      expect(unpack(packed.body)).toEqual(plain.body);
      expect(packed.headers['content-length']).toBe(String(packed.body.length));
      expect(packed.headers['content-type']).toBe(plain.headers['content-type']);
      expect(packed.headers['last-modified']).toBe(plain.headers['last-modified']);
    }
  });

  test('has for each encoding a strong tag of its own, and varies by Accept-Encoding', async () => {
    const answers = await Promise.all(
      ['identity', 'br', 'zstd', 'gzip'].map((encoding) => server.ask(path, accept(encoding))),
    );
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(4);
    for (const { headers } of answers) expect(headers.vary).toBe('Accept-Encoding');
  });

  test('takes the tag of any encoding in If-None-Match, and answers with that of the wanted', async () => {
    const tags = await Promise.all(
      ['identity', 'br', 'zstd', 'gzip'].map(
        async (encoding) => (await server.ask(path, accept(encoding))).headers.etag!,
      ),
    );
    for (const tag of tags) {
      for (const [place, encoding] of ['identity', 'br', 'zstd', 'gzip'].entries()) {
        const { status, headers } = await server.ask(path, {
          headers: { 'Accept-Encoding': encoding, 'If-None-Match': tag },
        });
        expect([status, headers.etag, headers.vary]).toEqual([304, tags[place], 'Accept-Encoding']);
      }
    }
  });
});

test('a search comes as it is, whatever the client accepts', async () => {
  const answer = await server.ask('/api/reviews/search', accept('br, gzip'));
  expect(answer.headers).not.toHaveProperty('content-encoding');
  expect(JSON.parse(answer.text)).toHaveProperty('matched', 2);
});
