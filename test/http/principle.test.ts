// What makes documents and the files of the log quick, rather than how quick they are: nothing is worked out when one is asked
// for, and hardly anything is allocated.

import { execFile } from 'node:child_process';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { DOCUMENT_PATHS, ENCODINGS } from '../../src/snapshot/documents.ts';
import { TestServer } from '../support/http.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.open(await snapshotOf([review({ text: 'Mike fixed the boiler.' })]));
});
afterAll(() => server.close());
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Counts the calls of what turns values to text or back, hashes, or compresses. */
function watchWork(): () => string[] {
  const spies = {
    'JSON.stringify': vi.spyOn(JSON, 'stringify'),
    'JSON.parse': vi.spyOn(JSON, 'parse'),
    createHash: vi.spyOn(crypto, 'createHash'),
    hash: vi.spyOn(crypto, 'hash'),
    brotliCompress: vi.spyOn(zlib, 'brotliCompress'),
    zstdCompress: vi.spyOn(zlib, 'zstdCompress'),
    gzip: vi.spyOn(zlib, 'gzip'),
  };
  syncBuiltinESMExports();
  return () =>
    Object.entries(spies).flatMap(([name, spy]) => (spy.mock.calls.length > 0 ? [name] : []));
}

describe('answering with a document', () => {
  test.each(DOCUMENT_PATHS)(
    '%s writes no JSON, hashes nothing and compresses nothing',
    async (path) => {
      const { headers } = await server.ask(path);
      const called = watchWork();
      for (const encoding of ['identity', ...ENCODINGS]) {
        const accepted = { 'accept-encoding': encoding };
        expect((await server.ask(path, { headers: accepted })).status).toBe(200);
        expect((await server.ask(path, { headers: accepted, method: 'HEAD' })).status).toBe(200);
        const known = { ...accepted, 'if-none-match': headers.etag as string };
        expect((await server.ask(path, { headers: known })).status).toBe(304);
      }
      expect(called()).toEqual([]);
      // What a search does, so that it is known that the calls are seen.
      await server.ask('/api/reviews/search');
      expect(called()).toEqual(expect.arrayContaining(['JSON.stringify', 'hash']));
    },
  );

  test.each([
    '/log/checkpoint',
    '/log/key',
    '/log/salts.json',
    '/log/tile/0/000.p/2',
    '/log/tile/entries/000.p/2',
  ])('%s does so too once an encoding was asked for, and bypasses the framework', async (path) => {
    const encodings = ['identity', ...ENCODINGS];
    const askAll = async (headers: Record<string, string> = {}) => {
      for (const encoding of encodings) {
        const accepted = { ...headers, 'accept-encoding': encoding };
        const answers = [
          await server.ask(path, { headers: accepted }),
          await server.ask(path, { headers: accepted, method: 'HEAD' }),
        ];
        const status = headers['if-none-match'] === undefined ? 200 : 304;
        expect(answers.map((each) => each.status)).toEqual([status, status]);
        const named = answers.map((each) => each.headers['content-encoding'] ?? 'identity');
        if (status === 200) expect(named).toEqual([encoding, encoding]);
      }
    };
    const { headers } = await server.ask(path);
    await askAll();
    const called = watchWork();
    const framework = vi.spyOn(server.http, 'contextOf');
    await askAll();
    await askAll({ 'if-none-match': headers.etag as string });
    expect(called()).toEqual([]);
    expect(framework).not.toHaveBeenCalled();
  });

  test('takes no more of the heap than node:http does that knows nothing but this answer', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--expose-gc',
      // Nothing is collected in between.
      '--max-semi-space-size=256',
      fileURLToPath(new URL('../support/heap-of-requests.ts', import.meta.url)),
    ]);
    const measured = JSON.parse(stdout) as { ours: number; bare: number }[];
    expect(measured).toHaveLength(2);
    for (const { ours, bare } of measured) {
      expect(bare).toBeGreaterThan(1_000);
      expect(ours - bare).toBeLessThan(1_500);
    }
  });
});
