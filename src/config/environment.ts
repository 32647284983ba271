// The schema of the environment: every variable, what it may be, and its default.

import { z } from 'zod';
import { isIP } from 'node:net';
import { parseWitnesses } from '../log/cosigning.ts';
import { AUTHOR_DISPLAYS } from '../model/author-names.ts';
import { isDate } from '../model/date.ts';
import { DEFAULT_PEOPLE, PEOPLE_MODES } from '../model/people.ts';
import { isCidr } from '../model/addresses.ts';
import { COLOR } from '../model/site-look.ts';
import { isSiteLanguage } from '../strings/language.ts';
import { LANGUAGE_CODES } from '../strings/regions.ts';

const number = (low: number, high: number, standard: number) =>
  z
    .string()
    .default(String(standard))
    .refine((text) => /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high, {
      error: `expected an integer from ${low} to ${high}`,
    })
    .transform(Number);

const text = (standard: string) => z.string().default(standard);

const oneOf = <const Names extends readonly string[]>(names: Names) =>
  z.enum(names, { error: `expected one of ${names.join(', ')}` });

const bearerKey = () =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'expected a key without spaces' })
    .optional();

/** Leases must not be perpetual (WebSub, section 5.3.1), so their length is limited to a year. */
const LONGEST_LEASE_SECONDS = 31_536_000;

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) && origin === value;
}

function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** Parameters of a PostgreSQL URL, such as `?sslmode=require`, are checked when it is opened. */
function isDatabaseUrl(url: string): boolean {
  if (!/^postgres(?:ql)?:/.test(url)) return /^sqlite:(?!:memory:$)./.test(url);
  if (!URL.canParse(url)) return false;
  const { hostname, pathname, hash } = new URL(url);
  return hostname !== '' && /^\/[^/]+$/.test(pathname) && hash === '';
}

/** Names of networks that @fastify/proxy-addr knows. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

function isTrustProxy(value: string): boolean {
  const isNetwork = (network: string) =>
    NETWORKS.includes(network) || isIP(network) !== 0 || isCidr(network);
  return (
    /^(?:on|off|true|false|\d{1,3})$/.test(value) ||
    value.split(',').every((network) => isNetwork(network.trim()))
  );
}

/** `off`, `on` for the nearest proxy only, a number of proxies, or addresses and networks. */
function parseTrustProxy(value: string): false | number | string {
  if (value === 'off' || value === 'false') return false;
  if (value === 'on' || value === 'true') return 1;
  return /^\d+$/.test(value) ? Number(value) : value;
}

export const environmentSchema = z.object({
  PORT: number(0, 65_535, 8080),
  HOST: text('127.0.0.1'),
  BASE_URL: z
    .string()
    // The name of a host means its https address.
    .transform((value) => value.replace(/\/$/, '').replace(/^[\w-]+(?:\.[\w-]+)+$/, 'https://$&'))
    .refine(isOrigin, {
      error: 'expected an address such as "https://reviews.example.com", without a path',
    })
    .optional(),
  ALIASES: text('').refine(
    (value) => value === '' || /^[\w-]+(?:\.[\w-]+)*(?:\s*,\s*[\w-]+(?:\.[\w-]+)*)*$/.test(value),
    {
      error: 'expected host names separated by commas, such as "www.example.com"',
    },
  ),
  SITES_MEMORY: number(64, 1_000_000, 1_024),
  DATABASE_URL: text('sqlite:data/public-reviews.db').refine(isDatabaseUrl, {
    error:
      'expected "sqlite:" and the path of a file, such as "sqlite:data/public-reviews.db", or ' +
      '"postgres://user:password@host:5432/database"',
  }),
  CACHE_CONTROL: text('public, max-age=60, stale-while-revalidate=600').refine(
    (value) => /^[\x20-\x7e]+$/.test(value),
    { error: 'expected the value of a Cache-Control header' },
  ),
  TRUST_PROXY: text('off')
    .refine(isTrustProxy, {
      error: 'expected on, off, a number of proxies, or their addresses such as "10.0.0.0/8,::1"',
    })
    .transform(parseTrustProxy),
  RATE_LIMIT_PER_MINUTE: number(0, 1_000_000, 0),
  MAX_CONNECTIONS: number(0, 1_000_000, 10_000),
  MAX_CONNECTIONS_PER_CLIENT: number(0, 1_000_000, 256),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  LOG_FORMAT: oneOf(['auto', 'json', 'pretty']).default('auto'),
  ACCESS_LOG: oneOf(['on', 'off']).default('off'),
  AUTHORS: oneOf(AUTHOR_DISPLAYS).optional(),
  SITE_COLOR: text('#1f5c4d').refine((value) => /^#[0-9a-f]{6}$/i.test(value), {
    error: `expected ${COLOR}`,
  }),
  SITE_LANGUAGE: z
    .string()
    .refine(isSiteLanguage, {
      error: `expected one of ${LANGUAGE_CODES.join(', ')}, or with a region such as "en-GB"`,
    })
    .optional(),
  PEOPLE: oneOf(PEOPLE_MODES).optional(),
  PEOPLE_MIN_REVIEWS: number(1, 1_000, DEFAULT_PEOPLE.minScored),
  PEOPLE_INDEXING: oneOf(['on', 'off']).default('off'),
  OPERATOR_NETWORKS: text('127.0.0.0/8,::1/128').refine((value) => value.split(',').every(isCidr), {
    error: 'expected networks separated by commas, such as "127.0.0.0/8,10.0.0.0/8"',
  }),
  REVIEW_DATE_EARLIEST: text('1995-01-01').refine(isDate, {
    error: 'expected a date that exists, written YYYY-MM-DD',
  }),
  METRICS: oneOf(['on', 'off']).default('on'),
  ANALYSER: oneOf(['offline', 'openai-compatible']).default('offline'),
  ANALYSER_URL: z
    .string()
    .refine(isHttpUrl, {
      error: 'expected a URL without user and query, such as "http://localhost:11434/v1"',
    })
    .optional(),
  ANALYSER_MODEL: z.string().max(100, { error: 'expected at most 100 characters' }).optional(),
  ANALYSER_KEY: bearerKey(),
  ANALYSER_MAX_REVIEWS: number(1, 1_000_000, 1_000),
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
  GOOGLE_PLACES_KEY: bearerKey(),
  GOOGLE_APPLICATION_CREDENTIALS: z.string().optional(),
  LOG_WITNESSES: text('').refine((value) => parseWitnesses(value) !== null, {
    error: 'expected witnesses separated by commas, each a verifier key, a space and a URL',
  }),
  MCP_SESSION_KEY: z
    .string()
    .refine((key) => key.length >= 32, {
      error: 'expected at least 32 characters that cannot be guessed',
    })
    .optional(),
  MCP_REQUIRE_SESSION: oneOf(['true', 'false']).default('false'),
});
