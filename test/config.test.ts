import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig, loadSiteConfig, parseConfig } from '../src/config.ts';
import { parseSettings } from '../src/config/settings-file.ts';
import { InputError } from '../src/errors.ts';

const DEFAULTS = {
  site: null,
  settingsFile: 'public-reviews.config.json',
  aliases: [],
  sitesMemory: 1024,
  port: 8080,
  host: '127.0.0.1',
  baseUrl: null,
  databaseUrl: 'sqlite:data/public-reviews.db',
  cacheControl: 'public, max-age=60, stale-while-revalidate=600',
  trustProxy: false,
  operatorNetworks: ['127.0.0.0/8', '::1/128'],
  logFormat: 'auto',
  rateLimitPerMinute: 0,
  maxConnections: 10_000,
  maxConnectionsPerClient: 256,
  logLevel: 'info',
  accessLog: false,
  metrics: true,
  reviewDateEarliest: '1995-01-01',
  google: { placesKey: null, credentialsFile: null },
  logKeyFile: null,
  logWitnesses: [],
  sources: [],
  authors: null,
  siteColor: '#1f5c4d',
  siteLanguage: null,
  people: null,
  peopleIndexing: false,
  analyser: null,
  hub: {
    allowNetworks: [],
    leaseDefaultSeconds: 864_000,
    leaseMinSeconds: 60,
    leaseMaxSeconds: 2_592_000,
    retryDelaysSeconds: [60, 1_800],
    timeoutSeconds: 10,
    concurrency: 256,
    concurrencyPerHost: 8,
    coalesceSeconds: 2,
    maxSubscriptions: 100_000,
    maxSubscriptionsPerHost: 100,
    requestsPerMinute: 60,
  },
  mcp: { sessionKey: null, requireSession: false },
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
  'ACCESS_LOG',
  'METRICS',
  'OPERATOR_NETWORKS',
  'AUTHORS',
  'SITE_COLOR',
  'SITE_LANGUAGE',
  'PEOPLE',
  'PEOPLE_MIN_REVIEWS',
  'PEOPLE_INDEXING',
  'REVIEW_DATE_EARLIEST',
  'ANALYSER',
  'ANALYSER_URL',
  'ANALYSER_MODEL',
  'ANALYSER_KEY',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_PLACES_KEY',
  'ANALYSER_MAX_REVIEWS',
  'HUB_ALLOW_NETWORKS',
  'HUB_LEASE_DEFAULT_SECONDS',
  'HUB_LEASE_MIN_SECONDS',
  'HUB_LEASE_MAX_SECONDS',
  'HUB_RETRY_DELAYS_SECONDS',
  'HUB_TIMEOUT_SECONDS',
  'HUB_CONCURRENCY',
  'HUB_CONCURRENCY_PER_HOST',
  'HUB_COALESCE_SECONDS',
  'HUB_MAX_SUBSCRIPTIONS',
  'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
  'HUB_REQUESTS_PER_MINUTE',
  'LOG_KEY_FILE',
  'LOG_WITNESSES',
  'MCP_SESSION_KEY',
  'MCP_REQUIRE_SESSION',
];

describe('the configuration', () => {
  test('of an empty environment has the defaults, and is frozen', () => {
    const config = parseConfig({});
    expect(config).toEqual(DEFAULTS);
    expect([config, config.hub, config.mcp].every(Object.isFrozen)).toBe(true);
  });

  test('treats an empty variable as absent, and ignores unknown ones', () => {
    const empty = Object.fromEntries(NAMES.map((name) => [name, '']));
    expect(parseConfig({ ...empty, HOME: '/root', UNSET: undefined })).toEqual(DEFAULTS);
  });

  test.each([
    ['PORT', '0', { port: 0 }],
    ['REVIEW_DATE_EARLIEST', '1900-01-01', { reviewDateEarliest: '1900-01-01' }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['BASE_URL', 'https://reviews.example.com', { baseUrl: 'https://reviews.example.com' }],
    ['BASE_URL', 'reviews.example.com', { baseUrl: 'https://reviews.example.com' }],
    ['BASE_URL', 'https://reviews.example.com/', { baseUrl: 'https://reviews.example.com' }],
    ['BASE_URL', 'http://localhost:3000', { baseUrl: 'http://localhost:3000' }],
    ['DATABASE_URL', 'sqlite:/var/lib/r.db', { databaseUrl: 'sqlite:/var/lib/r.db' }],
    ['DATABASE_URL', 'postgres://u:p@db:5432/r', { databaseUrl: 'postgres://u:p@db:5432/r' }],
    [
      'DATABASE_URL',
      'postgresql://db/r?sslmode=require',
      {
        databaseUrl: 'postgresql://db/r?sslmode=require',
      },
    ],
    ['CACHE_CONTROL', 'no-cache', { cacheControl: 'no-cache' }],
    ['TRUST_PROXY', 'off', { trustProxy: false }],
    ['TRUST_PROXY', 'false', { trustProxy: false }],
    ['TRUST_PROXY', 'on', { trustProxy: 1 }],
    ['TRUST_PROXY', 'true', { trustProxy: 1 }],
    ['OPERATOR_NETWORKS', '10.0.0.0/8, ::1/128', { operatorNetworks: ['10.0.0.0/8', '::1/128'] }],
    ['TRUST_PROXY', '2', { trustProxy: 2 }],
    ['TRUST_PROXY', '10.0.0.0/8, ::1/128,loopback', { trustProxy: '10.0.0.0/8, ::1/128,loopback' }],
    ['RATE_LIMIT_PER_MINUTE', '600', { rateLimitPerMinute: 600 }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['LOG_FORMAT', 'pretty', { logFormat: 'pretty' }],
    ['METRICS', 'off', { metrics: false }],
    ['SITE_COLOR', '#AB00cd', { siteColor: '#AB00cd' }],
    ['SITE_LANGUAGE', 'de', { siteLanguage: 'de' }],
    ['SITE_LANGUAGE', 'en-GB', { siteLanguage: 'en-GB' }],
    ['PEOPLE', 'off', { people: { mode: 'off', minNaming: 3, minScored: 5 } }],
    ['PEOPLE_MIN_REVIEWS', '9', { people: { mode: 'auto', minNaming: 3, minScored: 9 } }],
    ['PEOPLE_INDEXING', 'on', { peopleIndexing: true }],
  ])('may have %s=%s', (name, value, expected) => {
    expect(parseConfig({ [name]: value })).toEqual({ ...DEFAULTS, ...expected });
  });

  const model = {
    ANALYSER: 'openai-compatible',
    ANALYSER_URL: 'http://localhost:11434/v1/',
    ANALYSER_MODEL: 'llama3.1',
  };

  test('may name a language model', () => {
    const analyser = {
      url: 'http://localhost:11434/v1',
      model: 'llama3.1',
      key: null,
      maxReviews: 1_000,
    };
    expect(parseConfig(model)).toEqual({ ...DEFAULTS, analyser });
    const more = { ANALYSER_KEY: 'sk-1', ANALYSER_MAX_REVIEWS: '5' };
    const chosen = { ...analyser, key: 'sk-1', maxReviews: 5 };
    expect(parseConfig({ ...model, ...more })).toEqual({ ...DEFAULTS, analyser: chosen });
    expect(parseConfig({ ...model, ANALYSER: 'offline' })).toEqual(DEFAULTS);
  });

  test.each([
    [{ ...model, ANALYSER_URL: '' }, /^ANALYSER_URL: expected a value, because ANALYSER is/],
    [{ ...model, ANALYSER_MODEL: '' }, /^ANALYSER_MODEL: expected a value, because ANALYSER is/],
    [{ ...model, ANALYSER_URL: 'localhost:11434' }, /^ANALYSER_URL: expected a URL without user/],
    [{ ...model, ANALYSER_URL: 'http://me:pw@localhost/v1' }, /^ANALYSER_URL: expected a URL/],
    [{ ...model, ANALYSER_KEY: 'a secret' }, /^ANALYSER_KEY: expected .*, got 8 characters$/],
    [{ ANALYSER: 'on' }, /^ANALYSER: expected one of offline, openai-compatible, got "on"$/],
  ])('names a language model only whole: %o', (environment, message) => {
    expect(() => parseConfig(environment)).toThrow(message);
  });

  test.each([
    ['HUB_ALLOW_NETWORKS', '127.0.0.0/8', { allowNetworks: ['127.0.0.0/8'] }],
    [
      'HUB_ALLOW_NETWORKS',
      '127.0.0.0/8, ::1/128,10.1.2.3/32,0.0.0.0/0',
      { allowNetworks: ['127.0.0.0/8', '::1/128', '10.1.2.3/32', '0.0.0.0/0'] },
    ],
    ['HUB_LEASE_DEFAULT_SECONDS', '3600', { leaseDefaultSeconds: 3_600 }],
    // What is given without a wish is within the limits too.
    ['HUB_LEASE_DEFAULT_SECONDS', '1', { leaseDefaultSeconds: 60 }],
    ['HUB_LEASE_DEFAULT_SECONDS', '31536000', { leaseDefaultSeconds: 2_592_000 }],
    ['HUB_LEASE_MIN_SECONDS', '1', { leaseMinSeconds: 1 }],
    [
      'HUB_LEASE_MIN_SECONDS',
      '2592000',
      { leaseMinSeconds: 2_592_000, leaseDefaultSeconds: 2_592_000 },
    ],
    ['HUB_LEASE_MAX_SECONDS', '60', { leaseMaxSeconds: 60, leaseDefaultSeconds: 60 }],
    ['HUB_LEASE_MAX_SECONDS', '31536000', { leaseMaxSeconds: 31_536_000 }],
    ['HUB_RETRY_DELAYS_SECONDS', '0,5', { retryDelaysSeconds: [0, 5] }],
    ['HUB_TIMEOUT_SECONDS', '600', { timeoutSeconds: 600 }],
    ['HUB_CONCURRENCY', '1', { concurrency: 1 }],
    ['HUB_CONCURRENCY_PER_HOST', '10000', { concurrencyPerHost: 10_000 }],
    ['HUB_COALESCE_SECONDS', '0', { coalesceSeconds: 0 }],
    ['HUB_MAX_SUBSCRIPTIONS', '0', { maxSubscriptions: 0 }],
    ['HUB_MAX_SUBSCRIPTIONS_PER_HOST', '0', { maxSubscriptionsPerHost: 0 }],
    ['HUB_REQUESTS_PER_MINUTE', '0', { requestsPerMinute: 0 }],
  ])('of the hub may have %s=%s', (name, value, expected) => {
    expect(parseConfig({ [name]: value })).toEqual({
      ...DEFAULTS,
      hub: { ...DEFAULTS.hub, ...expected },
    });
  });

  const key = 'k'.repeat(32);
  test.each([
    ['MCP_SESSION_KEY', key, { sessionKey: key }],
    ['MCP_REQUIRE_SESSION', 'true', { requireSession: true }],
    ['MCP_REQUIRE_SESSION', 'false', { requireSession: false }],
  ])('of MCP may have %s=%s', (name, value, expected) => {
    expect(parseConfig({ [name]: value })).toEqual({
      ...DEFAULTS,
      mcp: { ...DEFAULTS.mcp, ...expected },
    });
  });

  test('does not repeat a key that is too short', () => {
    expect(() => parseConfig({ MCP_SESSION_KEY: 'too short' })).toThrow(
      new InputError(
        'MCP_SESSION_KEY: expected at least 32 characters that cannot be guessed, got 9 characters',
      ),
    );
  });

  const port = 'expected an integer from 0 to 65535';
  const origin = 'expected an address such as "https://reviews.example.com", without a path';
  const database =
    'expected "sqlite:" and the path of a file, such as "sqlite:data/public-reviews.db", or ' +
    '"postgres://user:password@host:5432/database"';
  const proxy =
    'expected on, off, a number of proxies, or their addresses such as "10.0.0.0/8,::1"';
  const operators = 'expected networks separated by commas, such as "127.0.0.0/8,10.0.0.0/8"';
  const networks = 'expected networks separated by commas, such as "127.0.0.0/8,::1/128"';
  const lease = 'expected an integer from 1 to 31536000';
  const delays = 'expected the seconds before the 2nd and the 3rd attempt, such as "60,1800"';
  const requests = 'expected an integer from 1 to 10000';
  test.each([
    ['PORT', '65536', port],
    ['MCP_REQUIRE_SESSION', 'yes', 'expected one of true, false'],
    ['PORT', '-1', port],
    ['PORT', '80.5', port],
    ['PORT', '8080 ', port],
    ['PORT', 'http', port],
    ['BASE_URL', 'reviews', origin],
    ['BASE_URL', 'https://reviews.example.com/reviews', origin],
    ['BASE_URL', 'https://user@reviews.example.com', origin],
    ['BASE_URL', 'ftp://reviews.example.com', origin],
    ['DATABASE_URL', 'data/public-reviews.db', database],
    ['DATABASE_URL', 'sqlite:', database],
    // Each thread and command would have a database of its own.
    ['DATABASE_URL', 'sqlite::memory:', database],
    ['DATABASE_URL', 'postgres://db', database],
    ['DATABASE_URL', 'postgres:///reviews', database],
    ['DATABASE_URL', 'postgres://db/one/two', database],
    ['DATABASE_URL', 'mysql://db/reviews', database],
    ['CACHE_CONTROL', 'no-cache\r\nX: y', 'expected the value of a Cache-Control header'],
    ['TRUST_PROXY', 'yes', proxy],
    ['TRUST_PROXY', '10.0.0.0/33', proxy],
    ['TRUST_PROXY', '10.0.0.0/8,,', proxy],
    ['TRUST_PROXY', '-1', proxy],
    ['OPERATOR_NETWORKS', '10.0.0.1', operators],
    ['OPERATOR_NETWORKS', '0.0.0.0/0,', operators],
    ['RATE_LIMIT_PER_MINUTE', '1000001', 'expected an integer from 0 to 1000000'],
    ['LOG_LEVEL', 'loud', 'expected one of fatal, error, warn, info, debug, trace, silent'],
    ['REVIEW_DATE_EARLIEST', '1995', 'expected a date that exists, written YYYY-MM-DD'],
    ['REVIEW_DATE_EARLIEST', '1995-02-30', 'expected a date that exists, written YYYY-MM-DD'],
    [
      'SITE_COLOR',
      'green',
      'expected a colour as "#" and six digits such as "#1f5c4d" (green), "#1d4ed8" (blue) or "#b91c1c" (red)',
    ],
    [
      'SITE_LANGUAGE',
      'ja',
      'expected one of de, es, fr, it, nl, pt, en, or with a region such as "en-GB"',
    ],
    [
      'SITE_LANGUAGE',
      'de_AT',
      'expected one of de, es, fr, it, nl, pt, en, or with a region such as "en-GB"',
    ],
    ['PEOPLE', 'nobody', 'expected one of auto, catalogue, mentioned, off'],
    ['PEOPLE_MIN_REVIEWS', '0', 'expected an integer from 1 to 1000'],
    ['PEOPLE_INDEXING', 'yes', 'expected one of on, off'],
    ['METRICS', 'true', 'expected one of on, off'],
    ['HUB_ALLOW_NETWORKS', '127.0.0.1', networks],
    ['HUB_ALLOW_NETWORKS', '127.0.0.0/33', networks],
    ['HUB_ALLOW_NETWORKS', '::1/129', networks],
    ['HUB_ALLOW_NETWORKS', '127.0.0.0/', networks],
    ['HUB_ALLOW_NETWORKS', '127.0.0.0/8/8', networks],
    ['HUB_ALLOW_NETWORKS', '127.1/8', networks],
    ['HUB_ALLOW_NETWORKS', '0x7f000000/8', networks],
    ['HUB_ALLOW_NETWORKS', 'localhost', networks],
    ['HUB_ALLOW_NETWORKS', 'loopback', networks],
    ['HUB_ALLOW_NETWORKS', '127.0.0.0/8,', networks],
    ['HUB_ALLOW_NETWORKS', '127.0.0.0/8 ::1/128', networks],
    ['HUB_LEASE_DEFAULT_SECONDS', '0', lease],
    // L2: no lease is perpetual.
    ['HUB_LEASE_MAX_SECONDS', '31536001', lease],
    ['HUB_LEASE_MAX_SECONDS', '0', lease],
    ['HUB_LEASE_MIN_SECONDS', '0', lease],
    ['HUB_LEASE_MIN_SECONDS', '1.5', lease],
    ['HUB_LEASE_MIN_SECONDS', '2592001', 'expected at most HUB_LEASE_MAX_SECONDS, 2592000'],
    ['HUB_RETRY_DELAYS_SECONDS', '60', delays],
    ['HUB_RETRY_DELAYS_SECONDS', '60,1800,3600', delays],
    ['HUB_RETRY_DELAYS_SECONDS', '60, 1800', delays],
    ['HUB_RETRY_DELAYS_SECONDS', '-1,60', delays],
    ['HUB_RETRY_DELAYS_SECONDS', '60,1000000', delays],
    ['HUB_TIMEOUT_SECONDS', '0', 'expected an integer from 1 to 600'],
    ['HUB_TIMEOUT_SECONDS', '601', 'expected an integer from 1 to 600'],
    ['HUB_CONCURRENCY', '0', requests],
    ['HUB_CONCURRENCY', '10001', requests],
    ['HUB_CONCURRENCY_PER_HOST', '0', requests],
    ['HUB_COALESCE_SECONDS', '3601', 'expected an integer from 0 to 3600'],
    ['HUB_MAX_SUBSCRIPTIONS', '-1', 'expected an integer from 0 to 10000000'],
    ['HUB_MAX_SUBSCRIPTIONS_PER_HOST', '-1', 'expected an integer from 0 to 1000000'],
    ['HUB_REQUESTS_PER_MINUTE', '1000001', 'expected an integer from 0 to 1000000'],
  ])('with %s=%j is refused with what was expected and what was given', (name, value, expected) => {
    const parse = () => parseConfig({ [name]: value });
    expect(parse).toThrow(InputError);
    expect(parse).toThrow(`${name}: ${expected}, got ${JSON.stringify(value)}`);
  });

  test('with a password in a bad DATABASE_URL is refused without repeating it', () => {
    const parse = () => parseConfig({ DATABASE_URL: 'postgres://me:pass@word@db/one/two' });
    expect(parse).toThrow(/got "postgres:\/\/\*\*\*@db\/one\/two"$/);
  });

  test('reports all bad values, one on each line', () => {
    expect(() => parseConfig({ PORT: 'x', METRICS: 'y', LOG_LEVEL: 'z' })).toThrow(
      /^PORT: .+, got "x"\nLOG_LEVEL: .+, got "z"\nMETRICS: .+, got "y"$/,
    );
  });
});

describe('the settings file', () => {
  const parse = (record: unknown, environment: Record<string, string> = {}) =>
    parseConfig(environment, parseSettings('settings.json', JSON.stringify(record), NAMES));

  test('holds the settings under their names in lower case; variables win', () => {
    const record = {
      $schema: './settings.schema.json',
      port: 9000,
      base_url: 'https://reviews.example',
      operator_networks: ['10.0.0.0/8', '::1/128'],
      mcp_require_session: true,
      metrics: 'off',
    };
    const ofFile = { ...DEFAULTS, settingsFile: 'settings.json' };
    expect(parse(record, { PORT: '9001', METRICS: '' })).toEqual({
      ...ofFile,
      port: 9001,
      baseUrl: 'https://reviews.example',
      operatorNetworks: ['10.0.0.0/8', '::1/128'],
      metrics: false,
      mcp: { ...DEFAULTS.mcp, requireSession: true },
    });
    expect(parse({})).toEqual(ofFile);
  });

  test('gets all its problems at once, with those of the environment', () => {
    const record = {
      prot: 80,
      colour: 'red',
      shape: 'round',
      port: { number: 80 },
      hub_timeout_seconds: 0,
      mcp_session_key: 'short',
      log_level: 'loud',
    };
    const expected = [
      'settings.json: expected "port", got the unknown key "prot"',
      'settings.json: expected "site_color", got the unknown key "colour"',
      'settings.json: expected a key that docs/operating.md names, got the unknown key "shape"',
      'settings.json: port: expected a text, a number, true, false, or a list of texts, got {"number":80}',
      'LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent, got "quiet"',
      'settings.json: hub_timeout_seconds: expected an integer from 1 to 600, got "0"',
      'settings.json: mcp_session_key: expected at least 32 characters that cannot be guessed, got 5 characters',
    ];
    expect(() => parse(record, { LOG_LEVEL: 'quiet' })).toThrow(
      new InputError(expected.join('\n')),
    );
    expect(() => parse({ hub_lease_min_seconds: 2_592_001 })).toThrow(
      'settings.json: hub_lease_min_seconds: expected at most HUB_LEASE_MAX_SECONDS',
    );
  });

  test.each([
    ['[]', 'settings.json: expected an object such as { "base_url": '],
    ['{ "port": ', 'all, such as { "base_url": '],
    [
      '{} { "port": 1 }',
      /^settings\.json: expected settings in JSON: .*; got in or before line 1: \{\} \{ "port": 1 \}$/,
    ],
    ['{\n  "host": "::"\n  "port": 1\n}', /; got in or before line 3: "port": 1$/],
    ['{\n  "port": 1,\n  "host": \'::\'\n}', /; got in or before line 3: "host": '::'$/],
    ['{ “port”: 1 }', /: straight quotes, .*; got in or before line 1: \{ “port”: 1 \}$/],
    ['', /; got nothing$/],
  ])('that is %s is refused', (text, message) => {
    expect(() => parseSettings('settings.json', text, NAMES)).toThrow(message);
  });

  test('is read from the path that a variable names, which must exist', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-settings-'));
    const path = join(folder, 'mine.json');
    await writeFile(path, '\ufeff{"port": 0}');
    expect(loadConfig({ PUBLIC_REVIEWS_CONFIG: path })).toEqual({
      ...DEFAULTS,
      settingsFile: path,
      port: 0,
    });
    // As editors on Windows save it.
    await rename(path, `${path}.txt`);
    expect(() => loadConfig({ PUBLIC_REVIEWS_CONFIG: path })).toThrow(
      `expected ${path}, got ${path}.txt: rename it`,
    );
    await rm(folder, { recursive: true });
    expect(() => loadConfig({ PUBLIC_REVIEWS_CONFIG: path })).toThrow(
      `${path}: expected a settings file that can be read, got no file`,
    );
    // Without the variable, and without a file in the working directory, there are the defaults.
    expect(loadConfig({})).toEqual(DEFAULTS);
  });
});

describe('a site among others', () => {
  test('has its own settings, then those of all, then the environment, and paths in its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'public-reviews-sites-'));
    const write = async (name: string, content: object) =>
      writeFile(join(folder, name, 'public-reviews.config.json'), JSON.stringify(content));
    await mkdir(join(folder, 'a.example'));
    await mkdir(join(folder, 'b.example'));
    await write('', { authors: 'initials', cache_control: 'of all', log_key_file: 'keys' });
    const sources = [{ name: 'inbox', directory: 'inbox' }];
    await write('a.example', {
      base_url: 'http://a.example:81',
      cache_control: 'its own',
      sources,
    });
    const environment = {
      AUTHORS: 'full',
      SITE_LANGUAGE: 'de',
      BASE_URL: 'https://not.example',
      DATABASE_URL: 'sqlite:/not',
    };
    const load = (name: string) => loadSiteConfig({ folder, name }, environment);
    const a = join(folder, 'a.example');
    expect(load('a.example')).toMatchObject({
      site: { folder, name: 'a.example' },
      baseUrl: 'http://a.example:81',
      authors: 'initials',
      cacheControl: 'its own',
      siteLanguage: 'de',
      databaseUrl: `sqlite:${join(a, 'data', 'public-reviews.db')}`,
      logKeyFile: join(a, 'keys'),
      sources: [{ directory: join(a, 'inbox') }],
    });
    expect(load('b.example')).toMatchObject({ baseUrl: 'https://b.example', sources: [] });
    await write('', { cash_control: 'x' });
    expect(() => load('b.example')).toThrow('got the unknown key "cash_control"');
    await rm(folder, { recursive: true });
  });
});
