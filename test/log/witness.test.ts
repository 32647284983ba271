// A witness cosigns only what continues what it cosigned before, and a log gets its cosignatures served.

import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { witnessServer } from '../../src/commands/log/witness.ts';
import { formatCosignRequest } from '../../src/log/checkpoint.ts';
import { signCheckpoint } from '../support/sign-checkpoint.ts';
import { requestCosignature } from '../../src/log/cosigning.ts';
import { fetchBytes } from '../../src/log/fetch.ts';
import { consistencyProof, leafHash, rootOf } from '../../src/log/merkle.ts';
import { newSeed, parseNote, signersOf, signingKey } from '../../src/log/notes.ts';
import { TileTree } from '../../src/log/tiles.ts';
import { cosign, type WitnessAnswer } from '../../src/log/witness.ts';
import { runWitnesses } from '../../src/serving/witnesses.ts';
import { cosignedTrees, loadCosignatures } from '../../src/store/log/cosignatures.ts';
import type { Database } from '../../src/store/database.ts';
import { TestServer } from '../support/http.ts';
import { until } from '../support/patience.ts';
import { review } from '../support/reviews.ts';
import { snapshotOf } from '../support/snapshot.ts';
import { TestStore } from '../support/store.ts';

const LOG = signingKey('reviews.example/log', 'log', newSeed());
const WITNESS = signingKey('witness.example/w', 'witness', newSeed());
const SECONDS = 1_700_000_000;

const tree = (text: string, size = 20) =>
  new TileTree(
    Buffer.concat(Array.from({ length: size }, (_, at) => leafHash(Buffer.from(text + at)))),
  );
const honest = tree('entry ');

let store: TestStore;
let database: Database;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
});
afterEach(() => store.close());

const parts = () => ({
  key: WITNESS,
  logs: [LOG],
  trees: cosignedTrees(database),
  nowSeconds: () => SECONDS,
});

function checkpointOf(size: number, of = honest, key = LOG): string {
  return signCheckpoint({ origin: key.name, size, root: rootOf(of, size) }, [key]);
}

function ask(oldSize: number, size: number, of = honest, key = LOG): Promise<WitnessAnswer> {
  const proof = oldSize <= size ? consistencyProof(of, oldSize, size) : [];
  return cosign(
    parts(),
    formatCosignRequest({ oldSize, proof, checkpoint: checkpointOf(size, of, key) }),
  );
}

describe('a witness', () => {
  test('cosigns a log that grows, and the same tree again', async () => {
    for (const [oldSize, size] of [
      [0, 5],
      [5, 5],
      [5, 13],
      [13, 20],
    ] as const) {
      const { status, body } = await ask(oldSize, size);
      expect(status).toBe(200);
      const note = parseNote(checkpointOf(size) + body)!;
      expect(signersOf(note, [WITNESS])).toEqual([WITNESS]);
    }
  });

  test('says what it has if the old size is another', async () => {
    await ask(0, 13);
    expect(await ask(5, 20)).toEqual({
      status: 409,
      contentType: 'text/x.tlog.size',
      body: '13\n',
    });
    expect(await ask(0, 5)).toMatchObject({ status: 409, body: '13\n' });
  });

  test('cosigns no other tree, of the same size or a larger one', async () => {
    await ask(0, 13);
    const other = tree('other ');
    expect((await ask(13, 13, other)).status).toBe(409);
    expect((await ask(13, 20, other)).status).toBe(422);
    expect((await ask(13, 20)).status).toBe(200);
  });

  test.each([
    ['an unknown log', 404, () => ask(0, 5, honest, signingKey('x', 'log', newSeed()))],
    ['another key', 403, () => ask(0, 5, honest, signingKey(LOG.name, 'log', newSeed()))],
    ['an old size that is larger', 400, () => ask(13, 5)],
    ['no request', 400, () => cosign(parts(), 'hello')],
    [
      'a proof for a first tree',
      422,
      () => {
        const proof = [leafHash(Buffer.from('x'))];
        return cosign(
          parts(),
          formatCosignRequest({ oldSize: 0, proof, checkpoint: checkpointOf(5) }),
        );
      },
    ],
  ] as const)('refuses %s with %i', async (_what, status, act) => {
    expect((await act()).status).toBe(status);
    expect(await cosignedTrees(database).load(LOG.name)).toBeNull();
  });

  test('of two different trees at one moment cosigns one', async () => {
    const other = tree('other ');
    const answers = await Promise.all([ask(0, 7), ask(0, 7, other), ask(0, 9), ask(0, 9, other)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
  });
});

describe('a log', () => {
  const url = 'http://witness.example';
  const request = (size: number, oldSize: number, of = honest) =>
    requestCosignature(
      { key: WITNESS, url },
      { checkpoint: checkpointOf(size, of), tree: of, oldSize },
      async (address, { body = '' }) => {
        expect(address).toBe(`${url}/add-checkpoint`);
        const { status, body: text } = await cosign(parts(), body);
        return { status, body: Buffer.from(text), retryAfter: null };
      },
    );

  test('finds out what the witness has', async () => {
    await request(5, 0);
    const line = await request(20, 0);
    expect(signersOf(parseNote(checkpointOf(20) + line)!, [WITNESS])).toEqual([WITNESS]);
  });

  test('reports that the log was rolled back or forked', async () => {
    await request(13, 0);
    await expect(request(5, 5)).rejects.toThrow('has cosigned another log of 13 entries');
    await expect(request(13, 13, tree('other '))).rejects.toThrow('has cosigned another log');
  });

  test('serves the cosignature with its checkpoint', async () => {
    const snapshot = await snapshotOf([review()]);
    const server = await TestServer.open(snapshot);
    const logs = [signingKey(LOG.name, 'log', Buffer.alloc(32, 7).toString('base64'))];
    const witness = witnessServer({ ...parts(), logs });
    await new Promise<void>((resolve) => witness.listen(0, '127.0.0.1', resolve));
    const { port } = witness.address() as AddressInfo;
    const stop = new AbortController();
    const running = runWitnesses({
      witnesses: [{ key: WITNESS, url: `http://127.0.0.1:${port}` }],
      logger: pino({ level: 'silent' }),
      server: server.http,
      database,
      isLead: true,
      signal: stop.signal,
    });
    try {
      await until(async () => (await server.ask('/log/checkpoint')).text.includes(WITNESS.name));
      const note = parseNote((await server.ask('/log/checkpoint')).text)!;
      expect(signersOf(note, [...logs, WITNESS])).toHaveLength(2);
      expect(await loadCosignatures(database.read)).toHaveLength(1);
      const { status } = await fetchBytes(`http://127.0.0.1:${port}/add-checkpoint`);
      expect(status).toBe(405);
    } finally {
      stop.abort();
      await running;
      witness.closeAllConnections();
      witness.close();
      await server.close();
    }
  });
});
