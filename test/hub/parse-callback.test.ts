// Which callback URLs are accepted, where they lead, and that they are never rewritten.

import { describe, expect, test } from 'vitest';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { callbackOf, parseCallback } from '../../src/hub/parse-callback.ts';

const ADDRESSES = new AddressPolicy([]);
const ORIGIN = 'https://reviews.example';

/** Why a callback is refused; null if it is accepted. */
function problem(href: string, origin = ORIGIN, addresses = ADDRESSES): string | null {
  const parsed = parseCallback(href, { addresses, origin });
  if (parsed.ok) return null;
  expect(parsed.issues).toMatchObject([{ code: 'invalid_callback', path: ['hub.callback'] }]);
  return parsed.issues[0]?.message ?? '';
}

describe('a callback is accepted', () => {
  test.each([
    'https://reader.example',
    'https://reader.example/',
    'HTTPS://Reader.Example/Callback',
    'https://reader.example?x',
    'https://reader.example:8443/callback?id=1&a=%20b',
    'https://reader.example/%zz?%',
    'https://reader.example/übung?é=ü',
    'https://reader.example/a|b^c`d{e}"f<g>',
    'https://bücher.example/callback',
    `https://reader.example/${'a'.repeat(2_025)}`,
  ])('%.60s', (callback) => {
    expect(problem(callback)).toBeNull();
  });
});

describe('a callback is refused', () => {
  const HTTPS = 'expected a URL that begins with https:// and a host';
  const CLEAN = 'expected a URL without white space, control characters and backslashes';
  const USER = 'expected a URL without a user name';
  const HOST = 'expected a URL with a valid host';
  const OWN = "expected a callback of another origin than the hub's own";
  test.each([
    // K1: plain HTTP.
    ['http://reader.example/', HTTPS],
    ['', HTTPS],
    ['reader.example/callback', HTTPS],
    ['/callback', HTTPS],
    ['//reader.example/', HTTPS],
    ['https:', HTTPS],
    ['https:reader.example', HTTPS],
    ['https:/reader.example', HTTPS],
    ['https:///reader.example', HTTPS],
    ['https://', HTTPS],
    ['https://?x', HTTPS],
    [' https://reader.example/', HTTPS],
    ['ftp://reader.example/', HTTPS],
    ['javascript:alert(1)', HTTPS],
    ['https://reader.example/ ', CLEAN],
    ['https://reader.example/a b', CLEAN],
    ['https://reader.example/a\tb', CLEAN],
    ['https://reader.example/a\r\nX-Header: 1', CLEAN],
    ['https://reader.example/a\u0000', CLEAN],
    ['https://reader.example/a\u00a0b', CLEAN],
    ['https://127.0.0.1\\@reader.example/', CLEAN],
    ['https://reader.example/a\\b', CLEAN],
    ['https://reader.example/#fragment', 'expected a URL without a fragment'],
    ['https://reader.example#', 'expected a URL without a fragment'],
    ['https://user@reader.example/', USER],
    ['https://user:password@reader.example/', USER],
    ['https://@reader.example/', USER],
    ['https://reader.example@127.0.0.1/', USER],
    ['https://reader.example:99999/', HOST],
    ['https://reader.example:port/', HOST],
    ['https://reader%00.example/', HOST],
    ['https://reader%2f.example/', HOST],
    ['https://rea<der.example/', HOST],
    ['https://:443/', HOST],
    ['https://reviews.example/callback', OWN],
    ['https://REVIEWS.example:443/callback', OWN],
    ['https://reviews.example./callback', OWN],
    ['https://%72eviews.example/', OWN],
  ])('%j', (callback, expected) => {
    expect(problem(callback)).toBe(`${expected}, got ${JSON.stringify(callback)}`);
  });

  test('of more than 2,048 characters, without repeating it in the message', () => {
    expect(problem(`https://reader.example/${'a'.repeat(2_026)}`)).toBe(
      'expected at most 2048 characters, got 2049',
    );
  });

  test('that has more than 2,048 when it is percent-encoded', () => {
    expect(problem(`https://reader.example/${'漢'.repeat(225)}`)).toBeNull();
    expect(problem(`https://reader.example/${'漢'.repeat(226)}`)).toBe(
      'expected at most 2048 characters, percent-encoded, got 2057',
    );
  });

  test("on the hub's own host and port, whatever the scheme", () => {
    expect(problem('https://localhost.example:8080/', 'http://localhost.example:8080')).toMatch(
      OWN,
    );
    expect(problem('https://reviews.example/', 'http://reviews.example')).toMatch(OWN);
    expect(problem('https://reviews.example:8443/')).toBeNull();
  });

  test('on the own port of localhost, even if its network is allowed', () => {
    const policy = new AddressPolicy(['127.0.0.0/8']);
    const own = 'http://localhost:8080';
    expect(problem('https://localhost:8080/x', own, policy)).toMatch(OWN);
    expect(problem('https://localhost.:8080/x', own, policy)).toMatch(OWN);
    expect(problem('https://localhost:8081/x', own, policy)).toBeNull();
  });
});

describe('a callback leads to its origin, host and path', () => {
  test.each([
    ['https://Reader.Example', 'https://reader.example', 'reader.example', '/'],
    ['https://reader.example:443/a', 'https://reader.example', 'reader.example', '/a'],
    ['https://reader.example:8443/a', 'https://reader.example:8443', 'reader.example', '/a'],
    ['https://reader.example./a', 'https://reader.example.', 'reader.example', '/a'],
    ['https://reader.example?x=1', 'https://reader.example', 'reader.example', '/?x=1'],
    ['https://[2606:4700::1]:444/', 'https://[2606:4700::1]:444', '2606:4700::1', '/'],
    ['https://0x08080808/a', 'https://8.8.8.8', '8.8.8.8', '/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example', '/'],
    // I8: exactly as given. HTTP clients would rewrite these.
    ['https://r.example/A/../b/./c//d', 'https://r.example', 'r.example', '/A/../b/./c//d'],
    ['https://r.example/%7Ea%2f?q=%20+%41', 'https://r.example', 'r.example', '/%7Ea%2f?q=%20+%41'],
    ['https://r.example/a\'"<>`{}|^b', 'https://r.example', 'r.example', '/a\'"<>`{}|^b'],
    ['https://r.example/a?b?c&&=&', 'https://r.example', 'r.example', '/a?b?c&&=&'],
    // Only what no request line can hold is encoded.
    [
      'https://r.example/ü%C3%BC?😀=%20',
      'https://r.example',
      'r.example',
      '/%C3%BC%C3%BC?%F0%9F%98%80=%20',
    ],
  ])('%s', (href, origin, host, path) => {
    const port = Number(new URL(origin).port || 443);
    expect(callbackOf(href)).toMatchObject({ href, origin, host, port, path });
  });
});

describe('a port', () => {
  test.each([0, 1, 22, 25, 53, 110, 143, 389, 465, 587, 993, 2049, 5060, 6000, 6667, 10_080])(
    '%i that belongs to another protocol is refused',
    (port) => {
      expect(problem(`https://reader.example:${port}/x`)).toMatch(
        /^expected a port that is not one of another protocol, got /,
      );
    },
  );

  test.each([80, 443, 1024, 3000, 8080, 8443, 65_535])('%i is accepted', (port) => {
    expect(problem(`https://reader.example:${port}/x`)).toBeNull();
  });
});

describe('the domain of a callback', () => {
  test('is the registrable domain of its host', () => {
    const parsed = parseCallback('https://a.b.reader.example/x', {
      addresses: ADDRESSES,
      origin: ORIGIN,
    });
    expect(parsed).toMatchObject({ ok: true, value: { domain: 'reader.example' } });
  });

  test('of the store is kept', () => {
    expect(callbackOf('https://a.reader.example/x', 'stored.example').domain).toBe(
      'stored.example',
    );
  });
});

test('a stored URL without a host is a fault', () => {
  expect(() => callbackOf('http://reader.example/')).toThrow(TypeError);
});
