// Names to addresses: DNS first, the system for what DNS does not know, and neither for long.

import dnsOfNode from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Address, NameResolver } from '../../src/hub/resolver.ts';
import { DnsServer } from '../support/dns.ts';
import { until } from '../support/store.ts';

/** Lookups of the system that wait for their answer. */
const system: { hostname: string; answer: (found: Address[] | Error) => void }[] = [];

// Replaced in the module itself: ours may be loaded already.
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

/** Answers the next lookup of the system, when it comes. */
async function answerNext(found: Address[] | Error): Promise<string> {
  await until(() => system.length > 0);
  const { hostname, answer } = system.shift()!;
  answer(found);
  return hostname;
}

describe('DNS', () => {
  test('tells every address of a name, of both families', async () => {
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

  test('is believed when it knows addresses of one family only', async () => {
    dns.answers.set('A four.example', ['192.0.2.1']);
    dns.answers.set('AAAA six.example', ['2001:db8:0:0:0:0:0:1']);
    dns.answers.set('A six.example', 3);
    expect(await names.resolve('four.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
    expect(await names.resolve('six.example')).toEqual([{ address: '2001:db8::1', family: 6 }]);
  });

  test('is asked once by all who ask at once, and again by who asks later', async () => {
    dns.answers.set('A reader.example', ['192.0.2.1']);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => names.resolve('reader.example')),
    );
    expect(new Set(answers.map((each) => each[0]?.address))).toEqual(new Set(['192.0.2.1']));
    expect(dns.asked).toHaveLength(2);
    // A name that has another answer the second time is asked the second time: nothing is kept.
    dns.answers.set('A reader.example', ['10.0.0.1']);
    expect(await names.resolve('reader.example')).toEqual([{ address: '10.0.0.1', family: 4 }]);
  });

  test('that knows one family and is silent of the other is believed soon', async () => {
    dns.answers.set('A half.example', ['192.0.2.1']);
    dns.answers.set('AAAA half.example', null);
    const hasty = new NameResolver([dns.address], 10);
    expect(await hasty.resolve('half.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
    // The silent one would have been asked again before it was given up.
    expect(dns.asked).toHaveLength(2);
  });

  test('that never answers is given up, and the system is not asked in its place', async () => {
    for (const type of ['A', 'AAAA']) dns.answers.set(`${type} silent.example`, null);
    await expect(names.resolve('silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(system).toEqual([]);
  });

  test('that refuses is a failure, and the system is not asked in its place', async () => {
    for (const type of ['A', 'AAAA']) dns.answers.set(`${type} refused.example`, 5);
    await expect(names.resolve('refused.example')).rejects.toMatchObject({ code: 'EREFUSED' });
    expect(system).toEqual([]);
  });
});

describe('the system', () => {
  test.each(['localhost', 'localhost.', 'intranet'])(
    'is asked for %s, which DNS cannot know',
    async (name) => {
      const found = names.resolve(name);
      expect(await answerNext([LOCAL, { address: '::1', family: 6 }])).toBe(name);
      expect(await found).toEqual([LOCAL, { address: '::1', family: 6 }]);
      expect(dns.asked).toEqual([]);
    },
  );

  test.each([
    ['knows no such name', 3],
    ['fails', 2],
    ['has no address of it', []],
  ] as const)('is asked where DNS %s, as for names of the hosts file', async (_what, records) => {
    for (const type of ['A', 'AAAA']) dns.answers.set(`${type} hosts.example`, records);
    const found = names.resolve('hosts.example');
    expect(await answerNext([LOCAL])).toBe('hosts.example');
    expect(await found).toEqual([LOCAL]);
  });

  test('is asked two names at a time, the others in their order, whether or not it knows them', async () => {
    const hosts = ['one', 'two', 'three', 'four', 'five', 'six'];
    const found = hosts.map((name) => names.resolve(name).catch((error: unknown) => error));
    const order: string[] = [];
    for (const [place] of hosts.entries()) {
      await until(() => system.length === Math.min(2, hosts.length - place));
      order.push(await answerNext(place % 2 === 0 ? [LOCAL] : new Error(`place ${place}`)));
    }
    expect(order).toEqual(hosts);
    expect(await Promise.all(found)).toEqual([
      [LOCAL],
      new Error('place 1'),
      [LOCAL],
      new Error('place 3'),
      [LOCAL],
      new Error('place 5'),
    ]);
    // And then two more, as if nothing had been.
    const more = [names.resolve('seven'), names.resolve('eight'), names.resolve('nine')];
    await until(() => system.length === 2);
    for (let count = 0; count < 3; count++) await answerNext([LOCAL]);
    expect(await Promise.all(more)).toEqual([[LOCAL], [LOCAL], [LOCAL]]);
  });

  test('is not asked while fifty names wait for it', async () => {
    const hosts = Array.from({ length: 52 }, (_, place) => `host${place}`);
    const found = hosts.map((name) => names.resolve(name));
    await expect(names.resolve('late')).rejects.toThrow('too many DNS lookups are waiting');
    for (let count = 0; count < hosts.length; count++) await answerNext([LOCAL]);
    expect(await Promise.all(found)).toHaveLength(52);
  });

  test('that hangs holds up no name that DNS knows', async () => {
    const hanging = ['one', 'two', 'three'].map((name) => names.resolve(name));
    dns.answers.set('A reader.example', ['192.0.2.1']);
    expect(await names.resolve('reader.example')).toEqual([{ address: '192.0.2.1', family: 4 }]);
    for (let count = 0; count < 3; count++) await answerNext([LOCAL]);
    await Promise.all(hanging);
  });
});
