// Which addresses are one client.

import { expect, test } from 'vitest';
import { callerAt, clientKey } from '../../src/http/callers.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('%s is the client %s', (address, key) => {
  expect(clientKey(address)).toBe(key);
});

const NO_TURNS = () => Promise.resolve(null);

test('a client waits as long as the longest wait that its requests were told', async () => {
  const waits = [0, 7, 3];
  const caller = callerAt('192.0.2.7', NO_TURNS, [], () => {
    const ttlInSeconds = waits.shift() ?? 0;
    return Promise.resolve({ isAllowed: false, isExceeded: ttlInSeconds > 0, ttlInSeconds });
  });
  expect(await caller.countMore(3)).toBe(7);
  expect(waits).toEqual([]);
  expect(await callerAt('192.0.2.7', NO_TURNS).countMore(9)).toBe(0);
});
