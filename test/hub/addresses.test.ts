// The address matrix of WEBSUB.md, section 5.1: every range that is not public, as the result of a DNS
// lookup and in every spelling that a URL may have.

import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { parseCallback } from '../../src/hub/parse-callback.ts';

const ORIGIN = 'https://reviews.example';
const STRICT = new AddressPolicy([]);

// A machine with public addresses. The module's export is replaced, because addresses.ts may be loaded already.
beforeAll(() => {
  const found = [
    { address: '93.184.216.34', family: 'IPv4' },
    { address: '2606:2800:21f:cb07:0:0:0:1', family: 'IPv6' },
    { address: 'fe80::1%eth0', family: 'IPv6' },
  ] as os.NetworkInterfaceInfo[];
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: found, none: undefined });
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Why a callback is refused; null if it is accepted. */
function problem(callback: string, addresses = STRICT): string | null {
  const parsed = parseCallback(callback, { addresses, origin: ORIGIN });
  return parsed.ok ? null : parsed.issues.map(({ message }) => message).join();
}

/** Addresses as DNS returns them and as connections report them. */
const FORBIDDEN = {
  loopback: ['127.0.0.1', '127.0.0.53', '127.255.255.255', '::1'],
  'this host': ['0.0.0.0', '0.1.2.3', '::'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    'fc00::1',
    'fd00::1',
    'fdff:ffff::1',
  ],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1', 'fec0::1'],
  'metadata services': ['169.254.169.254', '168.63.129.16', '100.100.100.200', 'fd00:ec2::254'],
  'carriers inside': ['100.64.0.1', '100.127.255.255'],
  'protocol assignments': ['192.0.0.1', '192.0.0.170', '192.0.0.255'],
  'tests and documentation': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.255',
    '198.18.0.1',
    '198.19.255.255',
    '2001:db8::1',
    '2001:2::1',
    '3fff::1',
    '3fff:fff::1',
  ],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff00::1', 'ff02::1', 'ff0e::1'],
  'reserved, and to all': ['240.0.0.1', '254.255.255.255', '255.255.255.255'],
  'mapped IPv4': [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:168.63.129.16',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
  ],
  'compatible IPv4': ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::808:808', '0:0:0:0:0:0:8.8.8.8'],
  'translated and tunnelled IPv4': [
    '64:ff9b::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::10.0.0.1',
    '2002:7f00:1::1',
    '2002:0808:0808::1',
    '2001:0:53aa:64c:0:0:80ff:fffe',
    '192.88.99.1',
  ],
  'that no registry gave to anybody': [
    '100::1',
    '1fff::1',
    '4000::1',
    '5f00::1',
    'e000::1',
    '2001:10::1',
    '2001:20::1',
  ],
  'our own, though public': ['93.184.216.34', '::ffff:93.184.216.34', '2606:2800:21f:cb07::1'],
};

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.35',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '168.63.129.17',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
];

describe.each(Object.entries(FORBIDDEN))('%s', (_kind, addresses) => {
  test.each(addresses)('%s is refused, from DNS and as a literal', (address) => {
    expect(STRICT.permits(address)).toBe(false);
    const literal = address.includes(':') ? `[${address}]` : address;
    expect(problem(`https://${literal}/callback`)).toMatch(/^expected a /);
    expect(problem(`https://${literal}:8443/callback`)).toMatch(/^expected a /);
  });
});

test.each(PUBLIC)('%s is public, from DNS and as a literal', (address) => {
  expect(STRICT.permits(address)).toBe(true);
  const literal = address.includes(':') ? `[${address}]` : address;
  expect(problem(`https://${literal}/callback`)).toBeNull();
});

test.each([
  '',
  'localhost',
  'example.com',
  '1.2.3.4.5',
  '256.1.1.1',
  ':::',
  '127.0.0.1:80',
  '[::1]',
])('%j is not an address, and refused', (address) => {
  expect(STRICT.permits(address)).toBe(false);
});

describe('a literal in another spelling is refused like the address', () => {
  test.each([
    // 127.0.0.1
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0X7F000001/',
    'https://017700000001/',
    'https://127.1/',
    'https://127.0.1/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://0177.0x0.0.1/',
    'https://127.000.000.001/',
    'https://127.0.0.1./',
    'https://127.0.0.1%2e/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.0.0.1/',
    'https://127。0。0。1/',
    'https://127.0.0.1:443/',
    'HTTPS://127.0.0.1/',
    'https://127.0.0.1',
    'https://127.0.0.1?query',
    'https://[::ffff:127.0.0.1]/',
    'https://[::FFFF:7F00:1]/',
    'https://[0:0:0:0:0:ffff:127.0.0.1]/',
    'https://[::127.0.0.1]/',
    'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
    // 0.0.0.0
    'https://0/',
    'https://0x0/',
    'https://[::]/',
    'https://[0::0]/',
    // 169.254.169.254
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://[::ffff:a9fe:a9fe]/',
    // 168.63.129.16
    'https://2822734096/',
    'https://0xa83f8110/',
    // 10.0.0.1, 192.168.0.1
    'https://167772161/',
    'https://10.1/',
    'https://192.168.1/',
    'https://0300.0250.1/',
  ])('%s', (callback) => {
    expect(problem(callback)).toBe(
      `expected a host that is public, got ${JSON.stringify(callback)}`,
    );
  });

  test.each([
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://4294967296/',
    'https://127.0.0.1../',
    'https://[::1].example.com/',
    'https://[fe80::1%25eth0]/',
    'https://[::1/',
    'https://[127.0.0.1]/',
  ])('%s is not a valid host', (callback) => {
    expect(problem(callback)).toBe(
      `expected a URL with a valid host, got ${JSON.stringify(callback)}`,
    );
  });
});

describe('a name that is never public', () => {
  const INTERNAL = [
    'localhost',
    'localhost.',
    'LOCALHOST',
    'ⓛocalhost',
    'hub.localhost',
    'intranet',
    'metadata',
    'printer.local',
    'printer.local.',
    'printer.LOCAL',
    'printer。local',
    'metadata.google.internal',
    'router.home.arpa',
    'localhost.localdomain',
    'abcdefghijklmnop.onion',
    'name.test',
    'name.invalid',
  ];
  test.each(INTERNAL)('%s is refused, unless private networks are allowed', (name) => {
    const callback = `https://${name}/callback`;
    expect(problem(callback)).toMatch('expected a host that is public');
    // Then its addresses decide.
    expect(problem(callback, new AddressPolicy(['10.0.0.0/8']))).toBeNull();
  });

  test.each([
    'reader.example.com',
    'localhost.example.com',
    'local.example',
    'internal.example.com',
    'home.arpa.example',
    'xlocal.com',
    'a_b.example',
    'bücher.example',
    'reader.example.com.',
  ])('%s is accepted', (name) => {
    expect(problem(`https://${name}/callback`)).toBeNull();
  });

  test.each(['printer.local..', 'localhost..', 'reader..example.com', '.example.com'])(
    '%s is not a valid name',
    (name) => {
      expect(problem(`https://${name}/callback`)).toMatch('expected a URL with a valid host');
    },
  );
});

describe('HUB_ALLOW_NETWORKS', () => {
  const allowing = (...networks: string[]) => new AddressPolicy(networks);

  test('permits its addresses, and no others', () => {
    const policy = allowing('127.0.0.0/8', '10.1.2.0/24', '::1/128');
    for (const address of ['127.0.0.1', '127.9.9.9', '10.1.2.3', '::1', '8.8.8.8']) {
      expect([address, policy.permits(address)]).toEqual([address, true]);
    }
    for (const address of ['10.1.3.1', '192.168.0.1', '::', 'fe80::1', '169.254.169.254']) {
      expect([address, policy.permits(address)]).toEqual([address, false]);
    }
  });

  test('permits IPv4-mapped addresses, but not IPv4-compatible ones', () => {
    const policy = allowing('127.0.0.0/8');
    expect(policy.permits('::ffff:127.0.0.1')).toBe(true);
    expect(problem('https://[::ffff:127.0.0.1]/', policy)).toBeNull();
    expect(policy.permits('::127.0.0.1')).toBe(false);
    expect(problem('https://[::127.0.0.1]/', policy)).toMatch('expected a host that is public');
    expect(allowing('::/0').permits('127.0.0.1')).toBe(false);
  });

  test('permits literals in every spelling', () => {
    const policy = allowing('127.0.0.0/8');
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '127.0.0.1.']) {
      expect(problem(`https://${host}/`, policy)).toBeNull();
    }
    expect(problem('https://10.0.0.1/', policy)).toMatch('expected a host that is public');
  });

  test('may contain the own addresses of the machine', () => {
    expect(allowing('93.184.216.34/32').permits('93.184.216.34')).toBe(true);
  });

  test('is empty by default', () => {
    expect(STRICT.allowsAny).toBe(false);
    expect(allowing('::1/128').allowsAny).toBe(true);
  });
});
