// Session ends: durable before they are acknowledged, visible to every replica, and bounded.

import { describe, expect, test } from 'vitest';
import { ConnectionLostError } from '../../src/errors.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import { SessionEnds } from '../../src/mcp/session-ends.ts';
import type { Session } from '../../src/mcp/sessions.ts';
import { parseConfig } from '../../src/config.ts';
import { TestServer } from '../support/http.ts';
import { EndsInMemory, openTestMcp } from '../support/mcp.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { openSession, post } from '../support/rpc.ts';
import { snapshotOf } from '../support/snapshot.ts';

const MAX_ENDS = MCP_LIMITS.sessionEnds.value;

const session = (id: string): Session => ({ id, revision: '2025-06-18', expiresAtSeconds: 1 });

describe('ending a session', () => {
  test('takes effect at once on this replica, and on another after a refresh', async () => {
    const shared = new EndsInMemory();
    const [here, there] = [new SessionEnds(shared, true), new SessionEnds(shared, true)];
    await here.end(session('a'));
    expect([here.has('a'), there.has('a')]).toEqual([true, false]);
    await there.refresh();
    expect([there.has('a'), there.has('b')]).toEqual([true, false]);
  });

  test('reaches a replica that follows the store', async () => {
    const shared = new EndsInMemory();
    const [here, there] = [new SessionEnds(shared, true), new SessionEnds(shared, true)];
    const stop = new AbortController();
    const followed = there.follow(stop.signal);
    await here.end(session('a'));
    await until(() => there.has('a'));
    stop.abort();
    await followed;
  });

  test('batches the ends that arrive during a save', async () => {
    const batches: number[] = [];
    let release: () => void = () => undefined;
    const ends = new SessionEnds({
      save: (sessions) => {
        batches.push(sessions.length);
        return new Promise((resolve) => (release = resolve));
      },
      load: () => Promise.resolve({ ids: [], last: 0 }),
    });
    const first = ends.end(session('first'));
    const others = Promise.all(['a', 'b', 'c'].map((id) => ends.end(session(id))));
    release();
    await first;
    await until(() => batches.length === 2);
    expect([ends.has('first'), ends.has('a')]).toEqual([true, false]);
    release();
    await others;
    expect([batches, ends.has('c')]).toEqual([[1, 3], true]);
  });

  test('rejects if the save fails, and can be retried', async () => {
    const failures = [new Error('disk full')];
    const ends = new SessionEnds({
      save: () => (failures.length > 0 ? Promise.reject(failures.pop()!) : Promise.resolve()),
      load: () => Promise.resolve({ ids: [], last: 0 }),
    });
    await expect(ends.end(session('a'))).rejects.toThrow('disk full');
    expect(ends.has('a')).toBe(false);
    await ends.end(session('a'));
    expect(ends.has('a')).toBe(true);
  });

  test('during an outage of the store is loaded once the store is back', async () => {
    let isDown = true;
    const ends = new SessionEnds({
      save: () => Promise.resolve(),
      load: (after) =>
        isDown
          ? Promise.reject(new Error('store is down'))
          : Promise.resolve({ ids: ['a'], last: after + 1 }),
    });
    const stop = new AbortController();
    const followed = ends.follow(stop.signal);
    isDown = false;
    await until(() => ends.has('a'));
    stop.abort();
    await followed;
  });
});

describe('a session that no request has used', () => {
  test('is ended on this replica alone, and leaves no row', async () => {
    const shared = new EndsInMemory();
    const ends = new SessionEnds(shared, true);
    ends.noteIssued('unused');
    await ends.end(session('unused'));
    expect([ends.has('unused'), await shared.load(0)]).toEqual([true, { ids: [], last: 0 }]);
  });

  test('is stored if another process may have seen requests of it', async () => {
    const shared = new EndsInMemory();
    const ends = new SessionEnds(shared);
    ends.noteIssued('unused here');
    await ends.end(session('unused here'));
    expect(await shared.load(0)).toEqual({ ids: ['unused here'], last: 1 });
  });

  test('is stored when it ends after a request used it', async () => {
    const shared = new EndsInMemory();
    const ends = new SessionEnds(shared, true);
    ends.noteIssued('used');
    ends.noteUsed('used');
    await ends.end(session('used'));
    expect(await shared.load(0)).toEqual({ ids: ['used'], last: 1 });
  });

  test('is told from a used one by its requests', async () => {
    const rows = new EndsInMemory();
    const mcp = await openTestMcp(parseConfig({}), undefined, {
      ends: new SessionEnds(rows, true),
    });
    const server = await TestServer.open(await snapshotOf([review()]), { mcp });
    try {
      for (const isUsed of [false, true]) {
        const headers = { 'Mcp-Session-Id': await openSession(server) };
        const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
        if (isUsed) expect((await post(server, list, headers)).status).toBe(200);
        expect((await server.ask('/mcp', { method: 'DELETE', headers })).status).toBe(204);
        expect((await post(server, list, headers)).status).toBe(404);
        expect((await rows.load(0)).last).toBe(isUsed ? 1 : 0);
      }
    } finally {
      await server.close();
    }
  });
});

test('while the store is unavailable, ending a session is refused as temporary, and not logged', async () => {
  const faults: string[] = [];
  const failures: Error[] = [
    new ConnectionLostError('the database cannot be reached'),
    new Error(),
  ];
  const ends = new SessionEnds({
    save: () => Promise.reject(failures.shift()!),
    load: () => Promise.resolve({ ids: [], last: 0 }),
  });
  const mcp = await openTestMcp(parseConfig({}), (line) => void faults.push(line), { ends });
  const server = await TestServer.open(await snapshotOf([review()]), { mcp });
  try {
    const headers = { 'Mcp-Session-Id': await openSession(server) };
    const refused = await server.ask('/mcp', { method: 'DELETE', headers });
    expect([refused.status, refused.headers['retry-after'], faults]).toEqual([503, '60', []]);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(server, list, headers)).status).toBe(200);
    expect((await server.ask('/mcp', { method: 'DELETE', headers })).status).toBe(500);
    expect(faults).toHaveLength(1);
  } finally {
    await server.close();
  }
});

test('the oldest ends are forgotten beyond the limit', async () => {
  const shared = new EndsInMemory();
  const ends = new SessionEnds(shared, true);
  await shared.save(Array.from({ length: MAX_ENDS + 10 }, (_, number) => session(`${number}`)));
  await ends.refresh();
  expect([ends.has('9'), ends.has('10'), ends.has(`${MAX_ENDS + 9}`)]).toEqual([false, true, true]);
});
