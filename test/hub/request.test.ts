// Parsing subscription requests: every row of WEBSUB.md, section 1.2, that depends on it.

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { formatIssue } from '../../src/errors.ts';
import { AddressPolicy } from '../../src/hub/addresses.ts';
import { withParameters } from '../../src/hub/callback-url.ts';
import { parseHubRequest } from '../../src/hub/request.ts';
import type { NewIntent } from '../../src/store/hub/intents.ts';

const ORIGIN = 'https://reviews.example';
const CONTEXT = {
  hub: parseConfig({}).hub,
  addresses: new AddressPolicy([]),
  origin: ORIGIN,
};
const GIVEN = {
  'hub.mode': 'subscribe',
  'hub.topic': `${ORIGIN}/feed.xml`,
  'hub.callback': 'https://reader.example/callback',
};
const INTENT: NewIntent = {
  mode: 'subscribe',
  topic: '/feed.xml',
  topic_url: 'https://reviews.example/feed.xml',
  callback: {
    href: 'https://reader.example/callback',
    origin: 'https://reader.example',
    host: 'reader.example',
    port: 443,
    path: '/callback',
    domain: 'reader.example',
  },
  callback_key: 'https://reader.example/callback',
  lease_seconds: 864_000,
  secret: null,
  verify_token: null,
};

type Fields = Readonly<Record<string, string>>;

const parseBytes = (body: string | Buffer, context = CONTEXT) =>
  parseHubRequest(Buffer.from(body as string), context);
const encoded = (fields: Fields) => new URLSearchParams(fields).toString();

/** The intent of the usual fields with these. */
function accepted(fields: Fields = {}, more = '', context = CONTEXT): NewIntent {
  const parsed = parseBytes(encoded({ ...GIVEN, ...fields }) + more, context);
  if (!parsed.ok) throw new Error(parsed.issues.map(formatIssue).join('\n'));
  return parsed.value;
}

/** The issues of a body, or of the usual fields with these. */
function refused(fields: Fields | string, more = ''): string[] {
  const body = typeof fields === 'string' ? fields : encoded({ ...GIVEN, ...fields });
  const parsed = parseBytes(body + more);
  if (parsed.ok) throw new Error('it was accepted');
  return parsed.issues.map(formatIssue);
}

test('S1: hub.callback, hub.mode and hub.topic are enough', () => {
  expect(accepted()).toEqual(INTENT);
});

test('S2: hub.secret is kept as it is', () => {
  for (const secret of [' s e c r e t ', 'ключ é 🔑', '&=%+']) {
    expect(accepted({ 'hub.secret': secret })).toEqual({ ...INTENT, secret });
  }
});

describe('S3: UTF-8', () => {
  test('is decoded, percent-encoded or not', () => {
    const href = 'https://reader.example/ü?é=😀';
    expect(accepted({ 'hub.callback': href })).toMatchObject({
      callback: { href, host: 'reader.example', domain: 'reader.example' },
    });
    expect(accepted({}, '&hub.secret=ü')).toMatchObject({ secret: 'ü' });
  });

  test('in a form has plus signs for spaces, and %2B for plus signs', () => {
    expect(accepted({}, '&hub.secret=a+b%2Bc')).toMatchObject({ secret: 'a b+c' });
  });

  test.each(['%FF', '%C3', '%ED%A0%80', '%C3%28', '%E9'])(
    'that is invalid, as in %s, is refused in a known field, and ignored elsewhere',
    (bytes) => {
      expect(refused({}, `&hub.secret=${bytes}`)).toEqual([
        'hub.secret: expected UTF-8, percent-encoded, got other bytes',
      ]);
      expect(accepted({}, `&other=${bytes}`)).toEqual(INTENT);
    },
  );

  test('must not contain U+0000, which PostgreSQL cannot store', () => {
    expect(refused({}, '&hub.secret=a%00b')).toEqual([
      'hub.secret: expected text without the character U+0000',
    ]);
  });

  test('that is invalid is refused as raw bytes too', () => {
    const body = Buffer.concat([Buffer.from(`${encoded(GIVEN)}&hub.secret=`), Buffer.of(0xe9)]);
    expect(parseBytes(body)).toEqual({
      ok: false,
      issues: [
        {
          code: 'invalid_encoding',
          path: ['hub.secret'],
          message: 'expected UTF-8, percent-encoded, got other bytes',
        },
      ],
    });
  });
});

describe('S4: required fields', () => {
  test('that are missing are all reported', () => {
    const topics = `${ORIGIN}/reviews.json or ${ORIGIN}/api/feed.json or ${ORIGIN}/feed.xml`;
    for (const body of [
      '',
      'hub.mode=&hub.topic=&hub.callback=',
      'mode=subscribe',
      '&&&',
      '\u0000',
    ]) {
      expect(refused(body)).toEqual([
        'hub.mode: expected subscribe or unsubscribe, got nothing',
        `hub.topic: expected ${topics}, got nothing`,
        'hub.callback: expected a URL that begins with https:// and a host, got nothing',
      ]);
    }
  });

  test.each(['publish', 'Subscribe', 'SUBSCRIBE', ' subscribe', 'subscribe ', 'denied', '1'])(
    'P8: hub.mode=%j is neither subscribe nor unsubscribe',
    (mode) => {
      expect(refused({ 'hub.mode': mode })).toEqual([
        `hub.mode: expected subscribe or unsubscribe, got ${JSON.stringify(mode)}`,
      ]);
    },
  );

  test('are case-sensitive', () => {
    expect(accepted({}, '&Hub.Mode=x&HUB.SECRET=y')).toEqual(INTENT);
  });

  test.each([
    'hub.mode',
    'hub.topic',
    'hub.callback',
    'hub.secret',
    'hub.lease_seconds',
    'hub.verify_token',
  ])('%s must not be repeated, even with the same value', (name) => {
    const value = { ...GIVEN, 'hub.lease_seconds': '60' }[name as 'hub.mode'] ?? 'x';
    const body = encoded({ ...GIVEN, [name]: value });
    const again = `&${new URLSearchParams({ [name]: value }).toString()}`;
    expect(refused(body + again)).toEqual([`${name}: expected it once, got it 2 times`]);
    expect(refused(`${body}${again}&${name}=`)).toEqual([
      `${name}: expected it once, got it 3 times`,
    ]);
  });
});

describe('S5: hub.lease_seconds', () => {
  test.each([
    ['60', 60],
    ['1000', 1_000],
    ['0001000', 1_000],
    ['2592000', 2_592_000],
    // Clamped to the limits.
    ['1', 60],
    ['59', 60],
    ['2592001', 2_592_000],
    ['9007199254740991', 2_592_000],
    // L3: ten days by default.
    ['', 864_000],
  ])('of %j results in %d', (requested, lease_seconds) => {
    expect(accepted({ 'hub.lease_seconds': requested })).toEqual({ ...INTENT, lease_seconds });
  });

  test.each([
    '0',
    '00',
    '-1',
    '+60',
    '1.5',
    '1e3',
    '0x10',
    'abc',
    ' 60',
    '60 ',
    '٦٠',
    '9007199254740992',
    `1${'0'.repeat(30)}`,
  ])('of %j is refused', (requested) => {
    expect(refused({ 'hub.lease_seconds': requested })).toEqual([
      'hub.lease_seconds: expected a positive number of seconds in decimal digits, ' +
        `got ${JSON.stringify(requested)}`,
    ]);
  });

  test('L2: follows the limits of the operator', () => {
    const { hub } = parseConfig({
      HUB_LEASE_DEFAULT_SECONDS: '200',
      HUB_LEASE_MIN_SECONDS: '100',
      HUB_LEASE_MAX_SECONDS: '300',
    });
    const leaseOf = (fields: Fields) => accepted(fields, '', { ...CONTEXT, hub }).lease_seconds;
    expect([
      leaseOf({}),
      leaseOf({ 'hub.lease_seconds': '99' }),
      leaseOf({ 'hub.lease_seconds': '301' }),
    ]).toEqual([200, 100, 300]);
  });

  test.each(['abc', '-1', '0', '', '99', '&hub.lease_seconds=5', '%FF'])(
    'S6: of %j is ignored on unsubscribe',
    (requested) => {
      const fields = { 'hub.mode': 'unsubscribe' };
      expect(accepted(fields, `&hub.lease_seconds=${requested}`)).toEqual({
        ...INTENT,
        mode: 'unsubscribe',
      });
    },
  );
});

describe('S7: hub.secret has fewer than 200 bytes', () => {
  test.each([
    ['199 ASCII', 'a'.repeat(199)],
    ['198 in 99 characters', 'é'.repeat(99)],
    ['199 with one of 4', `${'é'.repeat(97)}a🔑`],
  ])('%s are accepted', (_what, secret) => {
    expect(accepted({ 'hub.secret': secret }).secret).toBe(secret);
  });

  test.each([
    ['ASCII', 'a'.repeat(200)],
    ['in 100 characters', 'é'.repeat(100)],
    ['in 50 of 4 bytes', '🔑'.repeat(50)],
  ])('200 %s are refused, and the secret is not repeated', (_what, secret) => {
    expect(refused({ 'hub.secret': secret })).toEqual([
      'hub.secret: expected fewer than 200 bytes, got 200',
    ]);
  });

  test('an empty one counts as absent', () => {
    expect(accepted({ 'hub.secret': '' }).secret).toBeNull();
  });
});

test('S8: unknown parameters are ignored, even if repeated or invalid', () => {
  const more = '&foo=bar&foo=bar&hub.foo=hub.bar&hub.verify=async&hub.verify=sync&%FF=%FF&=&a';
  expect(accepted({}, more)).toEqual(INTENT);
});

describe('S12, S13: hub.topic', () => {
  test.each([
    [`${ORIGIN}/reviews.json`, '/reviews.json'],
    [`${ORIGIN}/api/feed.json`, '/api/feed.json'],
    [`${ORIGIN}/feed%2Exml`, '/feed.xml'],
    [`${ORIGIN}/%66eed.xml`, '/feed.xml'],
    ['HTTPS://Reviews.EXAMPLE/feed.xml', '/feed.xml'],
  ])('%s is %s, and kept as given', (topic_url, topic) => {
    expect(accepted({ 'hub.topic': topic_url })).toEqual({ ...INTENT, topic, topic_url });
  });

  test.each([
    `${ORIGIN}/insights.json`,
    `${ORIGIN}/FEED.xml`,
    `${ORIGIN}/feed.xml/`,
    `${ORIGIN}/feed.xml?a`,
    `${ORIGIN}/feed.xml#a`,
    `${ORIGIN}/api%2Ffeed.json`,
    `${ORIGIN}/feed%252Exml`,
    ORIGIN,
    '/feed.xml',
    'http://reviews.example/feed.xml',
    'https://reviews.example:444/feed.xml',
    'https://elsewhere.example/feed.xml',
  ])('K2: %s is refused', (topic_url) => {
    expect(refused({ 'hub.topic': topic_url })).toEqual([
      `hub.topic: expected ${ORIGIN}/reviews.json or ${ORIGIN}/api/feed.json or ` +
        `${ORIGIN}/feed.xml, got ${JSON.stringify(topic_url)}`,
    ]);
  });
});

test('S13: a callback in another spelling has the same key, and is kept as given', () => {
  const href = 'HTTPS://READER.example/%63allback';
  expect(accepted({ 'hub.callback': href })).toEqual({
    ...INTENT,
    callback: { ...INTENT.callback, href, path: '/%63allback' },
  });
});

test('hub.verify_token of PubSubHubbub 0.3 is kept', () =>
  expect(accepted({ 'hub.verify_token': 'a&b' })).toEqual({ ...INTENT, verify_token: 'a&b' }));

describe('the target of a challenge has less than 3,000 characters, whatever a body of 8 KiB has', () => {
  test.each(['a', '/', '%2F', '%', 'é', '漢', '𝄞'])('of %j', (filler) => {
    let longest = 0;
    for (const count of [50, 100, 160, 200, 220, 320, 500, 670, 1_000, 2_000, 7_000]) {
      for (const field of ['hub.callback', 'hub.verify_token']) {
        const value = (field === 'hub.callback' ? `${GIVEN[field]}/` : '') + filler.repeat(count);
        // Characters may come as they are, or percent-encoded.
        const raw =
          encoded({ ...GIVEN, [field]: '' }).replace(`&${field}=`, '') + `&${field}=${value}`;
        for (const body of [encoded({ ...GIVEN, [field]: value }), raw]) {
          const parsed = parseBytes(body);
          if (!parsed.ok) continue;
          const { callback, topic_url, verify_token } = parsed.value;
          const target = withParameters(callback.path, [
            ['hub.mode', 'subscribe'],
            ['hub.topic', topic_url],
            ['hub.challenge', 'x'.repeat(32)],
            ['hub.lease_seconds', '2592000'],
            ['hub.verify_token', verify_token ?? ''],
          ]);
          longest = Math.max(longest, target.length);
        }
      }
    }
    expect(longest).toBeGreaterThan(500);
    expect(longest).toBeLessThan(2_048 + 512 + 400);
  });
});

test('a token that would be sent on with more than 512 characters is refused', () => {
  expect(accepted({ 'hub.verify_token': 'a'.repeat(512) }).verify_token).toHaveLength(512);
  expect(refused({ 'hub.verify_token': '/'.repeat(171) })).toEqual([
    'hub.verify_token: expected at most 512 characters, percent-encoded, got 513',
  ]);
});

test('R3: all issues are reported at once', () => {
  const issues = refused({
    'hub.mode': 'x',
    'hub.topic': 'x',
    'hub.callback': 'http://reader.example/',
    'hub.lease_seconds': 'x',
    'hub.secret': 'a'.repeat(200),
  });
  expect(issues.map((issue) => issue.split(':')[0])).toEqual([
    'hub.mode',
    'hub.topic',
    'hub.callback',
    'hub.lease_seconds',
    'hub.secret',
  ]);
});
