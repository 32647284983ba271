// Environment to a frozen Config. Nothing else reads process.env.

import { enableCompileCache } from 'node:module';
import { isIP } from 'node:net';
import { z } from 'zod';
import { InputError, show } from './errors.ts';

const number = (low: number, high: number, standard: number) =>
  z
    .string()
    .default(String(standard))
    .refine((text) => /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high, {
      error: `expected an integer from ${low} to ${high}`,
    })
    .transform(Number);

const text = (standard: string) => z.string().default(standard);

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** No lease is perpetual (WebSub, section 5.3.1): not even an operator's wish is, beyond a year. */
const LONGEST_LEASE_SECONDS = 31_536_000;

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) && origin === value;
}

/** What the database itself makes of the rest of a PostgreSQL URL, such as `?sslmode=require`, it says. */
export function isDatabaseUrl(url: string): boolean {
  if (!/^postgres(?:ql)?:/.test(url)) return /^sqlite:(?!:memory:$)./.test(url);
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, hash } = new URL(url);
  return hostname !== '' && /^\/[^/]+$/.test(pathname) && hash === '';
}

const environmentSchema = z.object({
  PORT: number(0, 65_535, 8080),
  HOST: text('127.0.0.1'),
  BASE_URL: z
    .string()
    .refine(isOrigin, {
      error:
        'expected an origin such as "https://reviews.example.com", without a path or trailing slash',
    })
    .optional(),
  DATABASE_URL: text('sqlite:data/public-reviews.db').refine(isDatabaseUrl, {
    error:
      'expected "sqlite:" and the path of a file, such as "sqlite:data/public-reviews.db", or ' +
      '"postgres://user:password@host:5432/database"',
  }),
  CACHE_CONTROL: text('public, max-age=60, stale-while-revalidate=600').refine(
    (value) => /^[\x20-\x7e]+$/.test(value),
    { error: 'expected the value of a Cache-Control header' },
  ),
  TRUST_PROXY: text('off').refine(isTrustProxy, {
    error: 'expected on, off, a number of proxies, or their addresses such as "10.0.0.0/8,::1"',
  }),
  RATE_LIMIT_PER_MINUTE: number(0, 1_000_000, 0),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(', ')}` })
    .default('info'),
  SITE_COLOR: text('#1f5c4d').refine((value) => /^#[0-9a-f]{6}$/i.test(value), {
    error: 'expected a colour such as "#1f5c4d"',
  }),
  OPERATOR_NETWORKS: text('127.0.0.0/8,::1/128').refine((value) => value.split(',').every(isCidr), {
    error: 'expected networks separated by commas, such as "127.0.0.0/8,10.0.0.0/8"',
  }),
  METRICS: z.enum(['on', 'off'], { error: 'expected "on" or "off"' }).default('on'),
  HUB_ALLOW_NETWORKS: text('').refine((value) => value === '' || value.split(',').every(isCidr), {
    error: 'expected networks separated by commas, such as "127.0.0.0/8,::1/128"',
  }),
  HUB_LEASE_DEFAULT_SECONDS: number(1, LONGEST_LEASE_SECONDS, 864_000),
  HUB_LEASE_MIN_SECONDS: number(1, LONGEST_LEASE_SECONDS, 60),
  HUB_LEASE_MAX_SECONDS: number(1, LONGEST_LEASE_SECONDS, 2_592_000),
  HUB_RETRY_DELAYS_SECONDS: text('60,1800').refine((value) => /^\d{1,6},\d{1,6}$/.test(value), {
    error: 'expected the seconds before the 2nd and the 3rd try, such as "60,1800"',
  }),
  HUB_TIMEOUT_SECONDS: number(1, 600, 10),
  HUB_CONCURRENCY: number(1, 10_000, 256),
  HUB_CONCURRENCY_PER_HOST: number(1, 10_000, 8),
  HUB_COALESCE_SECONDS: number(0, 3_600, 2),
  HUB_MAX_SUBSCRIPTIONS: number(0, 10_000_000, 100_000),
  HUB_MAX_SUBSCRIPTIONS_PER_HOST: number(0, 1_000_000, 100),
  HUB_REQUESTS_PER_MINUTE: number(0, 1_000_000, 60),
  MCP_SESSION_KEY: z
    .string()
    .refine((key) => key.length >= 32, {
      error: 'expected 32 characters or more that nobody guesses',
    })
    .optional(),
  MCP_REQUIRE_SESSION: z
    .enum(['true', 'false'], { error: 'expected "true" or "false"' })
    .default('false'),
});

export interface Config {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly host: string;
  /** The public origin; null stands for `http://localhost:` and the port that was bound. */
  readonly baseUrl: string | null;
  readonly databaseUrl: string;
  /** Value of the Cache-Control header of everything that is read. */
  readonly cacheControl: string;
  /** How many proxies, or which, tell the client's address; false believes none. */
  readonly trustProxy: false | number | string;
  /** Networks in CIDR notation of the clients that may read metrics and details of the store. */
  readonly operatorNetworks: readonly string[];
  /** Requests that a client address may send in a minute; 0 is any number. */
  readonly rateLimitPerMinute: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly metrics: boolean;
  /** The business's colour on its pages, as `#` and six hexadecimal digits. */
  readonly siteColor: string;
  readonly hub: HubConfig;
  readonly mcp: McpConfig;
}

export interface McpConfig {
  /** Signs session ids; null stands for the one that the store keeps. */
  readonly sessionKey: string | null;
  /** Refuse requests of revisions with sessions that come without one. */
  readonly requireSession: boolean;
}

/** How the WebSub hub treats subscribers. */
export interface HubConfig {
  /** Networks in CIDR notation whose addresses count as public. */
  readonly allowNetworks: readonly string[];
  readonly leaseDefaultSeconds: number;
  readonly leaseMinSeconds: number;
  readonly leaseMaxSeconds: number;
  /** Waits before the second and the third try of a delivery. */
  readonly retryDelaysSeconds: readonly [number, number];
  /** For a whole request to a callback; each MiB of its body adds a second. */
  readonly timeoutSeconds: number;
  /** Requests to callbacks in flight, in all and to one registrable domain. */
  readonly concurrency: number;
  readonly concurrencyPerHost: number;
  /** From a first change until the newest content is sent. */
  readonly coalesceSeconds: number;
  /** Subscriptions that the hub may have; 0 is any number. */
  readonly maxSubscriptions: number;
  /** Subscriptions that the callbacks of one host may have; 0 is any number. */
  readonly maxSubscriptionsPerHost: number;
  /** Requests that a client address may send to the hub in a minute; 0 is any number. */
  readonly requestsPerMinute: number;
}

/**
 * Parses the environment. An empty variable counts as absent.
 *
 * @throws {InputError} naming every variable that has a bad value, what was expected and what came.
 */
export function parseConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = environmentSchema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return `${name}: ${message}, got ${isSecret(name) ? sizeOf(given[name]) : show(withoutPassword(given[name]))}`;
    });
    throw new InputError(lines.join('\n'));
  }
  const values = result.data;
  const [low, high] = [values.HUB_LEASE_MIN_SECONDS, values.HUB_LEASE_MAX_SECONDS];
  if (low > high) {
    throw new InputError(
      `HUB_LEASE_MIN_SECONDS: expected at most HUB_LEASE_MAX_SECONDS, ${high}, got "${low}"`,
    );
  }
  const [second = 0, third = 0] = values.HUB_RETRY_DELAYS_SECONDS.split(',').map(Number);
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    baseUrl: values.BASE_URL ?? null,
    databaseUrl: values.DATABASE_URL,
    cacheControl: values.CACHE_CONTROL,
    trustProxy: parseTrustProxy(values.TRUST_PROXY),
    operatorNetworks: Object.freeze(values.OPERATOR_NETWORKS.split(',').map((each) => each.trim())),
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS === 'on',
    siteColor: values.SITE_COLOR,
    hub: Object.freeze({
      allowNetworks: values.HUB_ALLOW_NETWORKS.split(',').flatMap(
        (network) => network.trim() || [],
      ),
      leaseDefaultSeconds: Math.min(Math.max(values.HUB_LEASE_DEFAULT_SECONDS, low), high),
      leaseMinSeconds: low,
      leaseMaxSeconds: high,
      retryDelaysSeconds: [second, third] as const,
      timeoutSeconds: values.HUB_TIMEOUT_SECONDS,
      concurrency: values.HUB_CONCURRENCY,
      concurrencyPerHost: values.HUB_CONCURRENCY_PER_HOST,
      coalesceSeconds: values.HUB_COALESCE_SECONDS,
      maxSubscriptions: values.HUB_MAX_SUBSCRIPTIONS,
      maxSubscriptionsPerHost: values.HUB_MAX_SUBSCRIPTIONS_PER_HOST,
      requestsPerMinute: values.HUB_REQUESTS_PER_MINUTE,
    }),
    mcp: Object.freeze({
      sessionKey: values.MCP_SESSION_KEY ?? null,
      requireSession: values.MCP_REQUIRE_SESSION === 'true',
    }),
  });
}

/** Values that no message may repeat. */
function isSecret(name: string): boolean {
  return name.endsWith('_KEY');
}

/** Whatever stands between "//" and the last "@": a password may hold any character by mistake. */
export function withoutPassword(value = ''): string {
  return value.replace(/^(postgres\w*:\/\/).*@/is, '$1***@');
}

function sizeOf(value = ''): string {
  return `${value.length} characters`;
}

/** The words that Fastify takes for networks. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isTrustProxy(value: string): boolean {
  return /^(?:on|off|true|false|\d{1,3})$/.test(value) || value.split(',').every(isNetwork);
}

function isNetwork(value: string): boolean {
  const network = value.trim();
  return NETWORKS.has(network) || isIP(network) !== 0 || isCidr(network);
}

/** An address and the length of its prefix, such as `10.0.0.0/8`. */
function isCidr(value: string): boolean {
  const [address = '', bits = '', ...rest] = value.trim().split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= longest;
}

/** `off`, `on`, which is the nearest proxy alone, a number of proxies, or addresses and networks. */
function parseTrustProxy(value: string): false | number | string {
  if (value === 'off' || value === 'false') return false;
  if (value === 'on' || value === 'true') return 1;
  return /^\d+$/.test(value) ? Number(value) : value;
}

/**
 * Keeps what Node compiles in a folder, unless the environment names another: the next start is
 * shorter. Threads and child processes take it from the environment. Where nothing can be written,
 * nothing is kept.
 */
export function keepCompiled(folder: string): void {
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  enableCompileCache();
}
