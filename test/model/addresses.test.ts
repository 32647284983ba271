// Which addresses are one client, and which text is a network.

import { expect, test } from 'vitest';
import { clientOf, isCidr } from '../../src/model/addresses.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::9', '2001:db8::/64'],
  ['::1', '::/64'],
  ['::', '::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['', ''],
])('%s is the client %s', (address, client) => {
  expect(clientOf(address)).toBe(client);
});

test.each([
  ['10.0.0.0/8', true],
  [' ::1/128', true],
  ['10.0.0.0', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/8', false],
  ['10.1/8', false],
  ['::1/129', false],
  ['10.0.0.0/', false],
])('%s is a network: %s', (value, expected) => {
  expect(isCidr(value)).toBe(expected);
});
