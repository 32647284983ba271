// Resolving names: DNS first, getaddrinfo for names that DNS does not know, both with limits.

import dnsOfNode from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Address, NameResolver } from '../../src/hub/resolver.ts';
import { DnsServer } from '../support/dns.ts';
import { until } from '../support/patience.ts';

/** Pending getaddrinfo calls. */
const system: { hostname: string; answer: (found: Address[] | Error) => void }[] = [];

// The module's export is replaced, because resolver.ts may be loaded already.
beforeAll(() => {
  const lookup = (hostname: string) =>
    new Promise((resolve, reject) => {
      const answer = (found: Address[] | Error) =>
        found instanceof Error ? reject(found) : resolve(found);
      system.push({ hostname, answer });
    });
  vi.spyOn(dnsOfNode, 'lookup').mockImplementation(lookup as typeof dnsOfNode.lookup);
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

let dns: DnsServer;
let names: NameResolver;
beforeEach(async () => {
  dns = await DnsServer.open();
  names = new NameResolver([dns.address]);
  system.length = 0;
});
afterEach(() => dns.close());

const LOCAL: Address = { address: '127.0.0.1', family: 4 };

/** Waits for the next getaddrinfo call, and answers it. */
async function answerNext(found: Address[] | Error): Promise<string> {
  await until(() => system.length > 0);
  const { hostname, answer } = system.shift()!;
  answer(found);
  return hostname;
}

describe('DNS', () => {
  test('returns all addresses of a name, of both families', async () => {
    dns.answers.set('A reader.example', ['192.0.2.1', '10.0.0.1']);
    dns.answers.set('AAAA reader.example', ['2001:db8:0:0:0:0:0:1']);
    expect(await names.resolve('reader.example')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ]);
    expect(dns.asked.toSorted()).toEqual(['A reader.example', 'AAAA reader.example']);
    expect(system).toEqual([]);
  });

  test('may have addresses of one family only', async () => {
    dns.answers.set('A four.example', ['192.0.2.1']);
    dns.answers.set('AAAA six.example', ['2001:db8:0:0:0:0:0:1']);
    dns.answers.set('A six.example', 3);
    expect(await names.resolve('four.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
    expect(await names.resolve('six.example')).toEqual([{ address: '2001:db8::1', family: 6 }]);
  });

  test('is queried once for concurrent calls, and again later', async () => {
    dns.answers.set('A reader.example', ['192.0.2.1']);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => names.resolve('reader.example')),
    );
    expect(new Set(answers.map((each) => each[0]?.address))).toEqual(new Set(['192.0.2.1']));
    expect(dns.asked).toHaveLength(2);
    // Nothing is cached: the second call gets the new address.
    dns.answers.set('A reader.example', ['10.0.0.1']);
    expect(await names.resolve('reader.example')).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  test('that answers for one family is not waited for long', async () => {
    dns.answers.set('A half.example', ['192.0.2.1']);
    dns.answers.set('AAAA half.example', null);
    const hasty = new NameResolver([dns.address], 10);
    expect(await hasty.resolve('half.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
    // Waiting for the silent family would have taken a retry.
    expect(dns.asked).toHaveLength(2);
  });

  test('that never answers is a failure, without a fallback to getaddrinfo', async () => {
    for (const type of ['A', 'AAAA']) dns.answers.set(`${type} silent.example`, null);
    await expect(names.resolve('silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(system).toEqual([]);
  });

  test('that refuses is a failure, without a fallback to getaddrinfo', async () => {
    for (const type of ['A', 'AAAA']) dns.answers.set(`${type} refused.example`, 5);
    await expect(names.resolve('refused.example')).rejects.toMatchObject({ code: 'EREFUSED' });
    expect(system).toEqual([]);
  });
});

describe('getaddrinfo', () => {
  test.each(['localhost', 'localhost.', 'intranet'])(
    'is used for %s, which DNS cannot know',
    async (name) => {
      const found = names.resolve(name);
      expect(await answerNext([LOCAL, { address: '::1', family: 6 }])).toBe(name);
      expect(await found).toEqual([LOCAL, { address: '::1', family: 6 }]);
      expect(dns.asked).toEqual([]);
    },
  );

  test.each([
    ['does not know the name', 3],
    ['fails', 2],
    ['has no address of the name', []],
  ] as const)('is used if DNS %s, as for names of the hosts file', async (_what, records) => {
    for (const type of ['A', 'AAAA']) dns.answers.set(`${type} hosts.example`, records);
    const found = names.resolve('hosts.example');
    expect(await answerNext([LOCAL])).toBe('hosts.example');
    expect(await found).toEqual([LOCAL]);
  });

  test('runs for two names at once, the others in order, whether or not they exist', async () => {
    const hosts = ['one', 'two', 'three', 'four', 'five', 'six'];
    const found = hosts.map((name) => names.resolve(name).catch((error: unknown) => error));
    const order: string[] = [];
    for (const [index] of hosts.entries()) {
      await until(() => system.length === Math.min(2, hosts.length - index));
      order.push(await answerNext(index % 2 === 0 ? [LOCAL] : new Error(`index ${index}`)));
    }
    expect(order).toEqual(hosts);
    expect(await Promise.all(found)).toEqual([
      [LOCAL],
      new Error('index 1'),
      [LOCAL],
      new Error('index 3'),
      [LOCAL],
      new Error('index 5'),
    ]);
    // Two more run afterwards.
    const more = [names.resolve('seven'), names.resolve('eight'), names.resolve('nine')];
    await until(() => system.length === 2);
    for (let count = 0; count < 3; count++) await answerNext([LOCAL]);
    expect(await Promise.all(more)).toEqual([[LOCAL], [LOCAL], [LOCAL]]);
  });

  test('fails at once while fifty names wait for it', async () => {
    const hosts = Array.from({ length: 52 }, (_, index) => `host${index}`);
    const found = hosts.map((name) => names.resolve(name));
    await expect(names.resolve('late')).rejects.toThrow('too many DNS lookups are waiting');
    for (let count = 0; count < hosts.length; count++) await answerNext([LOCAL]);
    expect(await Promise.all(found)).toHaveLength(52);
  });

  test('that hangs does not delay names that DNS knows', async () => {
    const hanging = ['one', 'two', 'three'].map((name) => names.resolve(name));
    dns.answers.set('A reader.example', ['192.0.2.1']);
    expect(await names.resolve('reader.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
    for (let count = 0; count < 3; count++) await answerNext([LOCAL]);
    await Promise.all(hanging);
  });
});
