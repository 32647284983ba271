// The official conformance suite, for each supported revision; and with the suite's own fixtures on our
// endpoint, where every scenario must pass.

import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REVISIONS } from '../../src/mcp/protocol.ts';
import { FIXTURES } from '../support/fixtures.ts';
import { type Json, TestServer } from '../support/http.ts';
import { CALLER, openEndpoint } from '../support/mcp.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

let results: string;
beforeAll(async () => {
  results = await mkdtemp(join(tmpdir(), 'public-reviews-conformance-'));
});
afterAll(() => rm(results, { recursive: true }));

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs all scenarios of a revision. */
async function runSuite(port: number, revision: string, ...options: string[]): Promise<Run> {
  const url = `http://localhost:${port}/mcp`;
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', revision];
  try {
    const run = promisify(execFile)(process.execPath, [SUITE, ...args, '-o', results, ...options]);
    return { code: 0, output: (await run).stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  }
}

/** Failures and warnings of all checks. */
function failuresIn(folder: string): string[] {
  return globSync('*/checks.json', { cwd: folder }).flatMap((path) => {
    const checks = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Json[];
    return checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => `${path.split('/')[0]!} ${id} ${errorMessage}`);
  });
}

describe('the endpoint', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await TestServer.open(await snapshotOf([review(), review()]));
  });
  afterAll(() => server.close());

  test.each(REVISIONS)(
    'passes %s except scenarios of features that it does not offer',
    async (revision) => {
      const expected = join(ROOT, `test/mcp/expected-failures/${revision}.yml`);
      const { code, output } = await runSuite(
        server.port,
        revision,
        '--expected-failures',
        expected,
      );
      expect(output).toContain('SUMMARY');
      expect([code, code === 0 ? '' : output]).toEqual([0, '']);
    },
  );
});

describe('the endpoint with the fixtures of the suite', () => {
  let server: Server;
  let port: number;
  beforeAll(async () => {
    const endpoint = await openEndpoint(FIXTURES);
    server = createServer((request, response) => void endpoint.answer(request, response, CALLER));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('passes all scenarios of 2026-07-28', async () => {
    const { code, output } = await runSuite(port, '2026-07-28', '-o', join(results, 'fixtures'));
    expect(failuresIn(join(results, 'fixtures'))).toEqual([]);
    expect(code).toBe(0);
    const [, passed] = /Total: (\d+) passed, 0 failed/.exec(output) ?? [];
    expect(Number(passed)).toBeGreaterThan(140);
  });
});
