import { describe, expect, test } from 'vitest';
import { parseConfig } from '../src/config.ts';
import { InputError } from '../src/errors.ts';

const DEFAULTS = {
  port: 8080,
  host: '127.0.0.1',
  baseUrl: null,
  databaseUrl: 'sqlite:data/public-reviews.db',
  cacheControl: 'public, max-age=60, stale-while-revalidate=600',
  trustProxy: false,
  rateLimitPerMinute: 0,
  logLevel: 'info',
  metrics: true,
};

const NAMES = [
  'PORT',
  'HOST',
  'BASE_URL',
  'DATABASE_URL',
  'CACHE_CONTROL',
  'TRUST_PROXY',
  'RATE_LIMIT_PER_MINUTE',
  'LOG_LEVEL',
  'METRICS',
];

describe('the configuration', () => {
  test('of an empty environment is the defaults, and cannot be changed', () => {
    const config = parseConfig({});
    expect(config).toEqual(DEFAULTS);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('takes an empty variable for an absent one, and ignores those of others', () => {
    const empty = Object.fromEntries(NAMES.map((name) => [name, '']));
    expect(parseConfig({ ...empty, HOME: '/root', UNSET: undefined })).toEqual(DEFAULTS);
  });

  test.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['BASE_URL', 'https://reviews.example.com', { baseUrl: 'https://reviews.example.com' }],
    ['BASE_URL', 'http://localhost:3000', { baseUrl: 'http://localhost:3000' }],
    ['DATABASE_URL', 'sqlite:/var/lib/r.db', { databaseUrl: 'sqlite:/var/lib/r.db' }],
    ['CACHE_CONTROL', 'no-cache', { cacheControl: 'no-cache' }],
    ['TRUST_PROXY', 'off', { trustProxy: false }],
    ['TRUST_PROXY', 'false', { trustProxy: false }],
    ['TRUST_PROXY', 'on', { trustProxy: true }],
    ['TRUST_PROXY', 'true', { trustProxy: true }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1/128,loopback', { trustProxy: '10.0.0.0/8, ::1/128,loopback' }],
    ['RATE_LIMIT_PER_MINUTE', '600', { rateLimitPerMinute: 600 }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['METRICS', 'off', { metrics: false }],
  ])('may have %s=%s', (name, value, expected) => {
    expect(parseConfig({ [name]: value })).toEqual({ ...DEFAULTS, ...expected });
  });

  const port = 'expected an integer from 0 to 65535';
  const origin =
    'expected an origin such as "https://reviews.example.com", without a path or trailing slash';
  const database =
    'expected "sqlite:" and the path of a file, such as "sqlite:data/public-reviews.db"';
  const proxy =
    'expected on, off, a number of proxies, or their addresses such as "10.0.0.0/8,::1"';
  test.each([
    ['PORT', '65536', port],
    ['PORT', '-1', port],
    ['PORT', '80.5', port],
    ['PORT', '8080 ', port],
    ['PORT', 'http', port],
    ['BASE_URL', 'reviews.example.com', origin],
    ['BASE_URL', 'https://reviews.example.com/', origin],
    ['BASE_URL', 'https://reviews.example.com/reviews', origin],
    ['BASE_URL', 'https://user@reviews.example.com', origin],
    ['BASE_URL', 'ftp://reviews.example.com', origin],
    ['DATABASE_URL', 'data/public-reviews.db', database],
    ['DATABASE_URL', 'sqlite:', database],
    // Each thread and command would have a database of its own.
    ['DATABASE_URL', 'sqlite::memory:', database],
    ['CACHE_CONTROL', 'no-cache\r\nX: y', 'expected the value of a Cache-Control header'],
    ['TRUST_PROXY', 'yes', proxy],
    ['TRUST_PROXY', '10.0.0.0/33', proxy],
    ['TRUST_PROXY', '10.0.0.0/8,,', proxy],
    ['TRUST_PROXY', '-1', proxy],
    ['RATE_LIMIT_PER_MINUTE', '1000001', 'expected an integer from 0 to 1000000'],
    ['LOG_LEVEL', 'loud', 'expected one of fatal, error, warn, info, debug, trace, silent'],
    ['METRICS', 'true', 'expected "on" or "off"'],
  ])('with %s=%j is refused, naming what was expected and what came', (name, value, expected) => {
    const parse = () => parseConfig({ [name]: value });
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(`${name}: ${expected}, got ${JSON.stringify(value)}`);
  });

  test('tells all bad values at once, a line for each', () => {
    expect(() => parseConfig({ PORT: 'x', METRICS: 'y', LOG_LEVEL: 'z' })).toThrow(
      /^PORT: .+, got "x"\nLOG_LEVEL: .+, got "z"\nMETRICS: .+, got "y"$/,
    );
  });
});
