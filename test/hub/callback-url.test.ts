// Parameters appended to URLs, equal URLs, and URLs in logs.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalized, withoutQuery, withParameters } from '../../src/hub/callback-url.ts';

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

  test('to any query, which stays byte for byte, and can be parsed', () => {
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

describe('S13: two URLs are equal', () => {
  test.each([
    ['https://r.example/feed.xml', 'https://r.example/%66eed%2Exml'],
    ['https://r.example/a-b_c~d', 'https://r.example/a%2Db%5fc%7Ed'],
    ['https://r.example/%2f', 'https://r.example/%2F'],
    ['https://r.example/', 'HTTPS://R.Example/'],
    ['https://r.example/', 'https://%72.example/'],
  ])('%s and %s', (one, other) => {
    expect(normalized(one)).toBe(normalized(other));
  });

  test.each([
    ['https://r.example/a', 'https://r.example/A'],
    ['https://r.example/a/b', 'https://r.example/a%2Fb'],
    ['https://r.example/?a=b&c', 'https://r.example/?a=b%26c'],
    ['https://r.example/a', 'https://r.example/a/'],
    ['https://r.example/%C3%BC', 'https://r.example/%FC'],
    ['https://r.example/a?B', 'https://r.example/a?b'],
    ['https://r.example/%41', 'https://r.example/%2541'],
  ])('%s and %s are not equal', (one, other) => {
    expect(normalized(one)).not.toBe(normalized(other));
  });
});

test('logs show a callback without its query', () => {
  expect(withoutQuery('https://r.example/c?token=secret?more')).toBe('https://r.example/c?...');
  expect(withoutQuery('https://r.example/c?')).toBe('https://r.example/c?...');
  expect(withoutQuery('https://r.example/c')).toBe('https://r.example/c');
});
