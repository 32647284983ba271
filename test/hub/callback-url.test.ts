// What is accepted as a callback, where it leads, and that it is never rewritten.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import {
  comparable,
  problemOfCallback,
  targetOf,
  withoutQuery,
  withParameters,
} from '../../src/hub/callback-url.ts';

const POLICY = new AddressPolicy([]);
const problem = (callback: string, ownOrigin = 'https://reviews.example') =>
  problemOfCallback(callback, POLICY, ownOrigin);

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

  test('of more than 2,048 characters, without being repeated', () => {
    expect(problem(`https://reader.example/${'a'.repeat(2_026)}`)).toBe(
      'expected at most 2048 characters, got 2049',
    );
  });

  test('on our own origin, with its port and of whatever scheme', () => {
    expect(problem('https://localhost.example:8080/', 'http://localhost.example:8080')).toMatch(
      OWN,
    );
    expect(problem('https://reviews.example/', 'http://reviews.example')).toMatch(OWN);
    expect(problem('https://reviews.example:8443/')).toBeNull();
  });

  test('on localhost, where we are, although other ports of it may be allowed', () => {
    const policy = new AddressPolicy(['127.0.0.0/8']);
    const own = 'http://localhost:8080';
    expect(problemOfCallback('https://localhost:8080/x', policy, own)).toMatch(OWN);
    expect(problemOfCallback('https://localhost.:8080/x', policy, own)).toMatch(OWN);
    expect(problemOfCallback('https://localhost:8081/x', policy, own)).toBeNull();
  });
});

describe('a callback leads', () => {
  test.each([
    ['https://Reader.Example', 'https://reader.example', 'reader.example', '/'],
    ['https://reader.example:443/a', 'https://reader.example', 'reader.example', '/a'],
    ['https://reader.example:8443/a', 'https://reader.example:8443', 'reader.example', '/a'],
    ['https://reader.example./a', 'https://reader.example.', 'reader.example', '/a'],
    ['https://reader.example?x=1', 'https://reader.example', 'reader.example', '/?x=1'],
    ['https://[2606:4700::1]:444/', 'https://[2606:4700::1]:444', '2606:4700::1', '/'],
    ['https://0x08080808/a', 'https://8.8.8.8', '8.8.8.8', '/a'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example', 'xn--bcher-kva.example', '/'],
    // I8: exactly there. A client would rewrite these.
    ['https://r.example/A/../b/./c//d', 'https://r.example', 'r.example', '/A/../b/./c//d'],
    ['https://r.example/%7Ea%2f?q=%20+%41', 'https://r.example', 'r.example', '/%7Ea%2f?q=%20+%41'],
    ['https://r.example/a\'"<>`{}|^b', 'https://r.example', 'r.example', '/a\'"<>`{}|^b'],
    ['https://r.example/a?b?c&&=&', 'https://r.example', 'r.example', '/a?b?c&&=&'],
    // What no request line can hold is encoded, and nothing beside it.
    [
      'https://r.example/ü%C3%BC?😀=%20',
      'https://r.example',
      'r.example',
      '/%C3%BC%C3%BC?%F0%9F%98%80=%20',
    ],
  ])('%s', (callback, origin, host, path) => {
    expect(targetOf(callback)).toEqual({ origin, host, path });
  });
});

describe('S14: parameters are appended', () => {
  const PARAMETERS = [
    ['hub.mode', 'subscribe'],
    ['hub.topic', 'https://reviews.example/feed.xml?a=b&c d'],
  ] as const;
  const APPENDED =
    'hub.mode=subscribe&hub.topic=https%3A%2F%2Freviews.example%2Ffeed.xml%3Fa%3Db%26c%20d';
  test.each([
    ['/c', `/c?${APPENDED}`],
    ['/', `/?${APPENDED}`],
    ['/c?z=1&a=%20b&hub.mode=q', `/c?z=1&a=%20b&hub.mode=q&${APPENDED}`],
    ['/c?', `/c?${APPENDED}`],
    ['/c?a=1&', `/c?a=1&${APPENDED}`],
    ['/c?a+b', `/c?a+b&${APPENDED}`],
    ['/c?a=1?', `/c?a=1?${APPENDED}`],
    ['/c??', `/c??${APPENDED}`],
    ['/c?a=%zz&%41=;', `/c?a=%zz&%41=;&${APPENDED}`],
  ])('to %s', (path, expected) => {
    expect(withParameters(path, PARAMETERS)).toBe(expected);
  });

  test('to any query, which stays byte for byte, and all can be read', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.string(), fc.string(), (query, one, other) => {
        const path = `/c?${query}`;
        const whole = withParameters(path, [
          ['hub.mode', one],
          ['hub.mode', other],
        ]);
        expect(whole.startsWith(path)).toBe(true);
        const added = new URLSearchParams(whole.slice(path.length)).getAll('hub.mode');
        expect(added).toEqual([one, other].map((each) => each.toWellFormed()));
      }),
    );
  });
});

describe('S13: two URLs are the same', () => {
  test.each([
    ['https://r.example/feed.xml', 'https://r.example/%66eed%2Exml'],
    ['https://r.example/a-b_c~d', 'https://r.example/a%2Db%5fc%7Ed'],
    ['https://r.example/%2f', 'https://r.example/%2F'],
    ['https://r.example/', 'HTTPS://R.Example/'],
    ['https://r.example/', 'https://%72.example/'],
  ])('%s and %s', (one, other) => {
    expect(comparable(one)).toBe(comparable(other));
  });

  test.each([
    ['https://r.example/a', 'https://r.example/A'],
    ['https://r.example/a/b', 'https://r.example/a%2Fb'],
    ['https://r.example/?a=b&c', 'https://r.example/?a=b%26c'],
    ['https://r.example/a', 'https://r.example/a/'],
    ['https://r.example/%C3%BC', 'https://r.example/%FC'],
    ['https://r.example/a?B', 'https://r.example/a?b'],
    ['https://r.example/%41', 'https://r.example/%2541'],
  ])('%s and %s are not', (one, other) => {
    expect(comparable(one)).not.toBe(comparable(other));
  });
});

test('a callback is shown without its query', () => {
  expect(withoutQuery('https://r.example/c?token=secret?more')).toBe('https://r.example/c?...');
  expect(withoutQuery('https://r.example/c?')).toBe('https://r.example/c?...');
  expect(withoutQuery('https://r.example/c')).toBe('https://r.example/c');
});

describe('a port', () => {
  const own = 'https://reviews.example';
  const policy = new AddressPolicy([]);
  test.each([0, 1, 22, 25, 53, 110, 143, 389, 465, 587, 993, 2049, 5060, 6000, 6667, 10_080])(
    '%i that belongs to another protocol is refused',
    (port) => {
      expect(problemOfCallback(`https://reader.example:${port}/x`, policy, own)).toMatch(
        /^expected a port that is not one of another protocol, got /,
      );
    },
  );

  test.each([80, 443, 1024, 3000, 8080, 8443, 65_535])('%i is accepted', (port) => {
    expect(problemOfCallback(`https://reader.example:${port}/x`, policy, own)).toBeNull();
  });
});
