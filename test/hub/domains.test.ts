// The registrable domains of hosts.

import { expect, test } from 'vitest';
import { domainOf } from '../../src/hub/parse-callback.ts';

test.each([
  ['reader.example', 'reader.example'],
  ['a.b.c.example.co.uk', 'example.co.uk'],
  // Customers of a hosting platform are independent of each other.
  ['somebody.github.io', 'somebody.github.io'],
  ['a.somebody.github.io', 'somebody.github.io'],
  ['github.io', 'github.io'],
  ['co.uk', 'co.uk'],
  ['a_b.example.com', 'example.com'],
  ['a.xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['localhost', 'localhost'],
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
])('%s belongs to %s', (host, domain) => {
  expect(domainOf(host)).toBe(domain);
});
