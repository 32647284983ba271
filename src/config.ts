// Environment and settings file to a frozen Config. Nothing else reads process.env.

import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { HubConfig, McpConfig } from './config/endpoints.ts';
import { isCidr, isTrustProxy, parseTrustProxy } from './config/networks.ts';
import { readSettingsFile, settingKey, type SettingsFile } from './config/settings-file.ts';
import { InputError, show } from './errors.ts';
import { parseWitnesses, type Witness } from './log/cosigning.ts';
import { isDate } from './model/date.ts';
import { isSiteLanguage } from './strings/language.ts';
import { LANGUAGE_CODES } from './strings/regions.ts';

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

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

/** Leases must not be perpetual (WebSub, section 5.3.1), so their length is limited to a year. */
const LONGEST_LEASE_SECONDS = 31_536_000;

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) && origin === value;
}

/** Parameters of a PostgreSQL URL, such as `?sslmode=require`, are checked when it is opened. */
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
  MAX_CONNECTIONS: number(0, 1_000_000, 10_000),
  MAX_CONNECTIONS_PER_CLIENT: number(0, 1_000_000, 256),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(', ')}` })
    .default('info'),
  LOG_FORMAT: z
    .enum(LOG_FORMATS, { error: `expected one of ${LOG_FORMATS.join(', ')}` })
    .default('auto'),
  SITE_COLOR: text('#1f5c4d').refine((value) => /^#[0-9a-f]{6}$/i.test(value), {
    error: 'expected a colour such as "#1f5c4d"',
  }),
  SITE_LANGUAGE: z
    .string()
    .refine(isSiteLanguage, {
      error: `expected one of ${LANGUAGE_CODES.join(', ')}, or with a region such as "en-GB"`,
    })
    .optional(),
  OPERATOR_NETWORKS: text('127.0.0.0/8,::1/128').refine((value) => value.split(',').every(isCidr), {
    error: 'expected networks separated by commas, such as "127.0.0.0/8,10.0.0.0/8"',
  }),
  REVIEW_DATE_EARLIEST: text('1995-01-01').refine(isDate, {
    error: 'expected a date that exists, written YYYY-MM-DD',
  }),
  METRICS: z.enum(['on', 'off'], { error: 'expected "on" or "off"' }).default('on'),
  HUB_ALLOW_NETWORKS: text('').refine((value) => value === '' || value.split(',').every(isCidr), {
    error: 'expected networks separated by commas, such as "127.0.0.0/8,::1/128"',
  }),
  HUB_LEASE_DEFAULT_SECONDS: number(1, LONGEST_LEASE_SECONDS, 864_000),
  HUB_LEASE_MIN_SECONDS: number(1, LONGEST_LEASE_SECONDS, 60),
  HUB_LEASE_MAX_SECONDS: number(1, LONGEST_LEASE_SECONDS, 2_592_000),
  HUB_RETRY_DELAYS_SECONDS: text('60,1800').refine((value) => /^\d{1,6},\d{1,6}$/.test(value), {
    error: 'expected the seconds before the 2nd and the 3rd attempt, such as "60,1800"',
  }),
  HUB_TIMEOUT_SECONDS: number(1, 600, 10),
  HUB_CONCURRENCY: number(1, 10_000, 256),
  HUB_CONCURRENCY_PER_HOST: number(1, 10_000, 8),
  HUB_COALESCE_SECONDS: number(0, 3_600, 2),
  HUB_MAX_SUBSCRIPTIONS: number(0, 10_000_000, 100_000),
  HUB_MAX_SUBSCRIPTIONS_PER_HOST: number(0, 1_000_000, 100),
  HUB_REQUESTS_PER_MINUTE: number(0, 1_000_000, 60),
  LOG_KEY_FILE: z.string().optional(),
  LOG_WITNESSES: text('').refine((value) => parseWitnesses(value) !== null, {
    error: 'expected witnesses separated by commas, each a verifier key, a space and a URL',
  }),
  MCP_SESSION_KEY: z
    .string()
    .refine((key) => key.length >= 32, {
      error: 'expected at least 32 characters that cannot be guessed',
    })
    .optional(),
  MCP_REQUIRE_SESSION: z
    .enum(['true', 'false'], { error: 'expected "true" or "false"' })
    .default('false'),
});

export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** The public origin; null means `http://localhost:` and the port that was bound. */
  readonly baseUrl: string | null;
  readonly databaseUrl: string;
  /** The Cache-Control header of every answer to a read. */
  readonly cacheControl: string;
  /** Trusted proxies, by number or by addresses and networks; false trusts none. */
  readonly trustProxy: false | number | string;
  /** Networks in CIDR notation whose clients may read metrics and details of the store. */
  readonly operatorNetworks: readonly string[];
  /** Requests per minute and client address; 0 means no limit. */
  readonly rateLimitPerMinute: number;
  /** Open connections of this process, and of one public client address; 0 means no limit. */
  readonly maxConnections: number;
  readonly maxConnectionsPerClient: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** `auto` is pretty at a terminal, else JSON. */
  readonly logFormat: (typeof LOG_FORMATS)[number];
  readonly metrics: boolean;
  /** Earlier dates of reviews and replies are refused by imports; YYYY-MM-DD. */
  readonly reviewDateEarliest: string;
  /** The business's colour on its pages, as `#` and six hexadecimal digits. */
  readonly siteColor: string;
  /** The language of the pages, such as "de" or "en-GB"; null follows the country of the business. */
  readonly siteLanguage: string | null;
  /** Has the keys of the log; null keeps them in the store. */
  readonly logKeyFile: string | null;
  readonly logWitnesses: readonly Witness[];
  readonly hub: HubConfig;
  readonly mcp: McpConfig;
}

/** Read from the working directory, unless the variable names another. */
export const SETTINGS_FILE = 'public-reviews.config.json';
const SETTINGS_FILE_VARIABLE = 'PUBLIC_REVIEWS_CONFIG';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment and the settings file, if there is one.
 *
 * @throws {InputError} with a line for each bad value of both.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const path = settingsPath(environment);
  const mustExist = path === environment[SETTINGS_FILE_VARIABLE];
  const names = Object.keys(environmentSchema.shape);
  return parseConfig(environment, readSettingsFile(path, names, { mustExist }));
}

/** Where the settings file is, if there is one. */
export function settingsPath(environment: Environment = process.env): string {
  const named = environment[SETTINGS_FILE_VARIABLE] ?? '';
  return named === '' ? SETTINGS_FILE : named;
}

/**
 * Parses the environment, which wins over the settings file. An empty variable counts as absent.
 *
 * @throws {InputError} with a line for each bad value: variable, what was expected, what was given.
 */
export function parseConfig(
  environment: Environment = process.env,
  file: SettingsFile | null = null,
): Config {
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const given: Record<string, string | undefined> = { ...file?.values, ...variables };
  const place = (name: string) =>
    file === null || name in variables ? name : `${file.path}: ${settingKey(name)}`;
  const result = environmentSchema.safeParse(given);
  if (!result.success || (file !== null && file.problems.length > 0)) {
    const lines = (result.error?.issues ?? []).map(({ path, message }) => {
      const name = String(path[0]);
      return `${place(name)}: ${message}, got ${isSecret(name) ? sizeOf(given[name]) : show(withoutPassword(given[name]))}`;
    });
    throw new InputError([...(file?.problems ?? []), ...lines].join('\n'));
  }
  const values = result.data;
  const [low, high] = [values.HUB_LEASE_MIN_SECONDS, values.HUB_LEASE_MAX_SECONDS];
  if (low > high) {
    throw new InputError(
      `${place('HUB_LEASE_MIN_SECONDS')}: expected at most HUB_LEASE_MAX_SECONDS, ${high}, got "${low}"`,
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
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerClient: values.MAX_CONNECTIONS_PER_CLIENT,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    metrics: values.METRICS === 'on',
    reviewDateEarliest: values.REVIEW_DATE_EARLIEST,
    siteColor: values.SITE_COLOR,
    siteLanguage: values.SITE_LANGUAGE ?? null,
    logKeyFile: values.LOG_KEY_FILE ?? null,
    logWitnesses: Object.freeze(parseWitnesses(values.LOG_WITNESSES) ?? []),
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

/** Whether a value must not appear in messages. */
function isSecret(name: string): boolean {
  return name.endsWith('_KEY');
}

/** Masks everything between "//" and the last "@": an unescaped password may contain any character. */
export function withoutPassword(value = ''): string {
  return value.replace(/^(postgres\w*:\/\/).*@/is, '$1***@');
}

/** The absolute path of an SQLite file, or a PostgreSQL URL without its password. */
export function storeName(databaseUrl: string): string {
  const path = /^sqlite:(.*)$/s.exec(databaseUrl)?.[1];
  return path === undefined ? withoutPassword(databaseUrl) : resolve(path);
}

function sizeOf(value = ''): string {
  return `${value.length} characters`;
}

/** Makes Node cache compiled code in a folder that it can write, unless the environment names another. */
export function keepCompiled(folder: string): void {
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  enableCompileCache();
}
