// Environment to a frozen Config. Nothing else reads process.env.

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

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) && origin === value;
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
  DATABASE_URL: text('sqlite:data/public-reviews.db').refine(
    (url) => /^sqlite:(?!:memory:$)./.test(url),
    {
      error: 'expected "sqlite:" and the path of a file, such as "sqlite:data/public-reviews.db"',
    },
  ),
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
  METRICS: z.enum(['on', 'off'], { error: 'expected "on" or "off"' }).default('on'),
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
  /** As Fastify takes it: whether, how many, or which proxies tell the client's address. */
  readonly trustProxy: boolean | number | string;
  /** Requests that a client address may send in a minute; 0 is any number. */
  readonly rateLimitPerMinute: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly metrics: boolean;
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
      return `${name}: ${message}, got ${show(given[name])}`;
    });
    throw new InputError(lines.join('\n'));
  }
  const values = result.data;
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    baseUrl: values.BASE_URL ?? null,
    databaseUrl: values.DATABASE_URL,
    cacheControl: values.CACHE_CONTROL,
    trustProxy: parseTrustProxy(values.TRUST_PROXY),
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS === 'on',
  });
}

/** The words that Fastify takes for networks. */
const NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

function isTrustProxy(value: string): boolean {
  return /^(?:on|off|true|false|\d{1,3})$/.test(value) || value.split(',').every(isNetwork);
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.trim().split('/');
  if (NETWORKS.has(value.trim())) return true;
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    longest > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
  );
}

/** `off`, `on`, a number of hops, or addresses and networks separated by commas. */
function parseTrustProxy(value: string): boolean | number | string {
  if (value === 'off' || value === 'false') return false;
  if (value === 'on' || value === 'true') return true;
  return /^\d+$/.test(value) ? Number(value) : value;
}
