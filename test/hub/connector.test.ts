// Where the hub connects, whatever DNS and certificates say: WEBSUB.md, section 5.1.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { CallbackClient, type CallbackOptions } from '../../src/hub/callback.ts';
import { callbackOf } from '../../src/hub/parse-callback.ts';
import type { Reply } from '../../src/hub/reply.ts';
import { remembering } from '../../src/hub/resolver.ts';
import { finish } from '../support/process.ts';
import { PATIENCE_MS, until } from '../support/patience.ts';
import { RawServer } from '../support/raw-server.ts';
import { Certificate } from '../support/tls.ts';

const FORBIDDEN = {
  kind: 'failed',
  reason: 'the callback leads to an address that is not public',
};

let certificate: Certificate;
beforeAll(async () => {
  certificate = await Certificate.create(['reader.example', 'localhost']);
  certificate.trust();
});
afterAll(() => certificate.close());

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

async function serve(...args: [answer?: RawServer['answer'], address?: string, port?: number]) {
  const server = await RawServer.open(certificate, ...args);
  opened.push(server);
  return server;
}

/** A client that may connect to 127.0.0.1, which counts as public here, and nowhere else. */
function open(options: Partial<CallbackOptions> = {}): CallbackClient {
  const client = new CallbackClient({
    addresses: new AddressPolicy(['127.0.0.1/32']),
    resolve: () => Promise.reject(new Error('no name was to be resolved')),
    userAgent: 'tests',
    connections: 8,
    ...options,
    ...(options.resolve && { resolve: remembering(options.resolve) }),
  });
  opened.push(client);
  return client;
}

const ask = (client: CallbackClient, url: string): Promise<Reply> =>
  client.ask(callbackOf(url), [], 100, PATIENCE_MS, () => null);

/** Answers of DNS are remembered for ten seconds. */
function passTenSeconds(): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_001);
}
afterEach(() => void vi.restoreAllMocks());

const at = (...addresses: string[]) =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }) as const);

describe('a name', () => {
  test('that resolves to a permitted address is called there', async () => {
    const server = await serve();
    const client = open({ resolve: () => Promise.resolve(at('127.0.0.1')) });
    expect(await ask(client, server.url('reader.example'))).toMatchObject({ status: 200 });
    expect(server.heads[0]).toContain(`\r\nhost: reader.example:${server.port}\r\n`);
  });

  test.each([
    ['one public and one private address', ['127.0.0.1', '127.0.0.2']],
    ['one private and one public address', ['127.0.0.2', '127.0.0.1']],
    ['one public and one private address of IPv6', ['127.0.0.1', '::1']],
    ['a private address', ['127.0.0.2']],
    ['a private address mapped into IPv6', ['::ffff:127.0.0.2']],
    ['a metadata service', ['169.254.169.254']],
  ])('that resolves to %s is not called', async (_what, addresses) => {
    const server = await serve();
    const other = await serve(undefined, '127.0.0.2', server.port);
    const client = open({ resolve: () => Promise.resolve(at(...addresses)) });
    expect(await ask(client, server.url('reader.example'))).toEqual(FORBIDDEN);
    expect([server.connections, other.connections]).toEqual([[], []]);
  });

  test('whose addresses change between two lookups is called at the checked one', async () => {
    const server = await serve();
    const inside = await serve(undefined, '127.0.0.2', server.port);
    let lookups = 0;
    const client = open({
      connections: 1,
      resolve: () => {
        lookups += 1;
        return Promise.resolve(at(lookups === 1 ? '127.0.0.1' : '127.0.0.2'));
      },
    });
    expect(await ask(client, server.url('reader.example'))).toMatchObject({ status: 200 });
    expect([lookups, server.connections.length, inside.connections.length]).toEqual([1, 1, 0]);
    server.connections[0]?.destroy();
    await until(() => server.open === 0);
    // A new connection within ten seconds leads to the same address.
    await until(async () => (await ask(client, server.url('reader.example'))).kind === 'answered');
    expect([lookups, server.connections.length, inside.connections.length]).toEqual([1, 2, 0]);
    // One after ten seconds is checked again.
    passTenSeconds();
    server.connections[1]?.destroy();
    await until(async () => (await ask(client, server.url('reader.example'))).kind === 'failed');
    expect(await ask(client, server.url('reader.example'))).toEqual(FORBIDDEN);
    expect([server.connections.length, inside.connections.length]).toEqual([2, 0]);
  });

  test('is counted for the addresses that it is called at, even if DNS changes its answer', async () => {
    const server = await serve();
    const answers = [at('127.0.0.1'), at('127.0.0.2')];
    const client = open({ resolve: () => Promise.resolve(answers.shift()!) });
    const counted: (readonly string[])[] = [];
    const count = (networks: readonly string[]) => {
      counted.push(networks);
      return null;
    };
    const callback = callbackOf(server.url('reader.example'));
    const replies = ['a', 'b'].map(() => client.ask(callback, [], 100, PATIENCE_MS, count));
    for (const reply of await Promise.all(replies)) expect(reply).toMatchObject({ status: 200 });
    expect(counted).toEqual([['127.0.0.1'], ['127.0.0.1']]);
  });

  test('with more than 32 addresses is not called', async () => {
    const server = await serve();
    let count = 33;
    const client = open({
      resolve: () => Promise.resolve(Array.from({ length: count }, () => at('127.0.0.1')[0]!)),
    });
    expect(await ask(client, server.url('reader.example'))).toEqual({
      kind: 'failed',
      reason: 'the name has too many addresses',
    });
    count = 32;
    expect(await ask(client, server.url('reader.example'))).toMatchObject({ status: 200 });
  });

  test('whose connection reaches another address gets no request', async () => {
    const server = await serve();
    const looked: string[] = [];
    const permits = (address: string) => looked.push(address) === 1;
    const client = open({
      addresses: { permits } as unknown as AddressPolicy,
      resolve: () => Promise.resolve(at('127.0.0.1')),
    });
    expect(await ask(client, server.url('reader.example'))).toEqual(FORBIDDEN);
    expect(looked).toEqual(['127.0.0.1', '127.0.0.1']);
    await until(() => server.open === 0);
    expect(server.heads).toEqual([]);
  });

  test('that does not resolve fails without being named in the reason', async () => {
    const client = open({
      resolve: () =>
        Promise.reject(Object.assign(new Error('ENOTFOUND reader.example'), { code: 'ENOTFOUND' })),
    });
    expect(await ask(client, 'https://reader.example/')).toEqual({
      kind: 'failed',
      reason: 'ENOTFOUND',
    });
  });

  test('that resolves to no address fails, and the next request is sent', async () => {
    const server = await serve();
    let addresses = at();
    const client = open({ connections: 1, resolve: () => Promise.resolve(addresses) });
    expect(await ask(client, server.url('reader.example'))).toEqual({
      kind: 'failed',
      reason: 'the host of the callback has no address',
    });
    addresses = at('127.0.0.1');
    expect(await ask(client, server.url('reader.example'))).toMatchObject({ status: 200 });
  });
});

describe('a literal', () => {
  test.each([
    '127.0.0.2',
    '127.2',
    '0x7f000002',
    '2130706434',
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]',
    '0.0.0.0',
    '0',
    '[::]',
    '[::1]',
  ])('%s is not permitted, and not connected to', async (host) => {
    const server = await serve(undefined, '0.0.0.0');
    expect(await ask(open(), server.url(host))).toEqual(FORBIDDEN);
    expect(server.connections).toEqual([]);
  });

  test.each(['127.0.0.1', '127.1', '0x7f000001'])('%s is permitted, and called', async (host) => {
    const server = await serve();
    expect(await ask(open(), server.url(host))).toMatchObject({ status: 200 });
  });

  test('with a closed port fails without being named in the reason', async () => {
    const server = await RawServer.open(certificate);
    const url = server.url();
    await server.close();
    expect(await ask(open(), url)).toEqual({ kind: 'failed', reason: 'ECONNREFUSED' });
  });
});

describe('TLS', () => {
  test('with an untrusted certificate is refused, and no request is sent', async () => {
    const untrusted = await Certificate.create();
    const server = await RawServer.open(untrusted);
    opened.push(server, untrusted);
    expect(await ask(open(), server.url())).toEqual({
      kind: 'failed',
      reason: expect.stringMatching(/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_/) as string,
    });
    expect(server.heads).toEqual([]);
  });

  test('with a certificate of another name is refused', async () => {
    const server = await serve();
    const client = open({ resolve: () => Promise.resolve(at('127.0.0.1')) });
    expect(await ask(client, server.url('other.example'))).toEqual({
      kind: 'failed',
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(server.heads).toEqual([]);
  });

  test('is verified despite NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const server = await serve();
    const script = fileURLToPath(new URL('../support/ask-callback.ts', import.meta.url));
    const askWith = async (environment: Record<string, string>) => {
      const child = spawn(process.execPath, [script, server.url()], {
        env: { PATH: process.env['PATH'] ?? '', ...environment },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      return JSON.parse((await finish(child)).stdout) as Reply;
    };
    expect(await askWith({ NODE_TLS_REJECT_UNAUTHORIZED: '0' })).toMatchObject({ kind: 'failed' });
    expect(server.heads).toEqual([]);
    expect(await askWith({ NODE_EXTRA_CA_CERTS: certificate.path })).toMatchObject({ status: 200 });
  });

  test('sends the host name (SNI), and none for an address', async () => {
    const names: unknown[] = [];
    const server = await serve((socket) => {
      names.push((socket as unknown as { servername: unknown }).servername);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    const client = open({ resolve: () => Promise.resolve(at('127.0.0.1')) });
    await ask(client, server.url('reader.example'));
    await ask(client, server.url('127.0.0.1'));
    expect(names).toEqual(['reader.example', false]);
  });
});

describe('connections', () => {
  test('to a host are reused', async () => {
    const server = await serve();
    const client = open({ connections: 1 });
    for (let count = 0; count < 5; count++) await ask(client, server.url());
    expect([server.heads.length, server.connections.length]).toEqual([5, 1]);
  });

  test('to a host are limited, and further requests wait for them', async () => {
    const waiting: (() => void)[] = [];
    const server = await serve((socket) => {
      waiting.push(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
    });
    const client = open({ connections: 2 });
    const replies = Array.from({ length: 5 }, () => ask(client, server.url()));
    for (let count = 1; count <= 5; count++) {
      await until(() => waiting.length > 0);
      waiting.shift()?.();
    }
    const statuses = (await Promise.all(replies)).map((each) => 'status' in each && each.status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(server.connections.length).toBe(2);
  });

  test('that are idle are closed soon', async () => {
    const server = await serve();
    await ask(open(), server.url());
    expect(server.open).toBe(1);
    await until(() => server.open === 0);
  });

  test('close with the client, and requests in flight fail', async () => {
    const server = await serve(() => undefined);
    const client = open();
    const reply = ask(client, server.url());
    await until(() => server.heads.length === 1);
    await client.close();
    expect(await reply).toMatchObject({ kind: 'failed' });
    await until(() => server.open === 0);
  });
});
