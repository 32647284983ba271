// Environment and settings file to a frozen Config. Only config/compile-cache.ts reads process.env too.

import { resolve } from 'node:path';
import type { z } from 'zod';
import { environmentSchema, type LOG_FORMATS, type LOG_LEVELS } from './config/environment.ts';
import { parseTrustProxy } from './config/networks.ts';
import { readSettingsFile, settingKey, type SettingsFile } from './config/settings-file.ts';
import { InputError, show } from './errors.ts';
import { parseWitnesses, type Witness } from './log/cosigning.ts';
import type { AuthorDisplay } from './model/author-names.ts';
import type { ImportSource } from './model/import-source.ts';
import { DEFAULT_PEOPLE, type PeopleSettings } from './model/people.ts';

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
  /** Sources that are kept in step. */
  readonly sources: readonly ImportSource[];
  /** How the names of authors are shown. */
  readonly authors: AuthorDisplay;
  /** The business's colour on its pages, as `#` and six hexadecimal digits. */
  readonly siteColor: string;
  /** The language of the pages, such as "de" or "en-GB"; null follows the country of the business. */
  readonly siteLanguage: string | null;
  /** Null if neither the environment nor the settings file says anything of people. */
  readonly people: PeopleSettings | null;
  /** Whether search engines may index the pages of people. */
  readonly peopleIndexing: boolean;
  /** Has the keys of the log; null keeps them in the store. */
  readonly logKeyFile: string | null;
  readonly logWitnesses: readonly Witness[];
  /** Null without a language model. */
  readonly analyser: AnalyserConfig | null;
  readonly hub: HubConfig;
  readonly mcp: McpConfig;
}

/** A language model that proposes claims about reviews. */
export interface AnalyserConfig {
  /** Base URL of an interface like that of OpenAI, without a trailing slash. */
  readonly url: string;
  readonly model: string;
  /** Null for servers that need none. */
  readonly key: string | null;
  /** The newest reviews that it is asked about. */
  readonly maxReviews: number;
}

export interface McpConfig {
  /** Signs session ids; null means the key in the store. */
  readonly sessionKey: string | null;
  /** Whether to refuse requests without a session, in revisions that have sessions. */
  readonly requireSession: boolean;
}

/** Settings of the WebSub hub. */
export interface HubConfig {
  /** Networks in CIDR notation whose addresses count as public. */
  readonly allowNetworks: readonly string[];
  readonly leaseDefaultSeconds: number;
  readonly leaseMinSeconds: number;
  readonly leaseMaxSeconds: number;
  /** Waits before the second and the third attempt of a delivery. */
  readonly retryDelaysSeconds: readonly [number, number];
  /** Limit for a whole request to a callback; each MiB of its body adds a second. */
  readonly timeoutSeconds: number;
  /** Requests to callbacks in flight, in total and to one registrable domain. */
  readonly concurrency: number;
  readonly concurrencyPerHost: number;
  /** Time between a first change and the delivery of the newest content. */
  readonly coalesceSeconds: number;
  /** Subscriptions in total; 0 means no limit. */
  readonly maxSubscriptions: number;
  /** Subscriptions per callback host; 0 means no limit. */
  readonly maxSubscriptionsPerHost: number;
  /** Requests to the hub per minute and client address; 0 means no limit. */
  readonly requestsPerMinute: number;
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
    sources: Object.freeze(file?.sources ?? []),
    authors: values.AUTHORS,
    siteColor: values.SITE_COLOR,
    siteLanguage: values.SITE_LANGUAGE ?? null,
    people:
      given['PEOPLE'] === undefined && given['PEOPLE_MIN_REVIEWS'] === undefined
        ? null
        : {
            ...DEFAULT_PEOPLE,
            mode: values.PEOPLE ?? DEFAULT_PEOPLE.mode,
            minScored: values.PEOPLE_MIN_REVIEWS,
          },
    peopleIndexing: values.PEOPLE_INDEXING === 'on',
    logKeyFile: values.LOG_KEY_FILE ?? null,
    logWitnesses: Object.freeze(parseWitnesses(values.LOG_WITNESSES) ?? []),
    analyser: analyserOf(values, place),
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

/** @throws {InputError} if a language model is named only in part */
function analyserOf(
  values: z.infer<typeof environmentSchema>,
  place: (name: string) => string,
): AnalyserConfig | null {
  if (values.ANALYSER === 'offline') return null;
  const { ANALYSER_URL: url, ANALYSER_MODEL: model } = values;
  if (url === undefined || model === undefined) {
    const name = url === undefined ? 'ANALYSER_URL' : 'ANALYSER_MODEL';
    throw new InputError(`${place(name)}: expected a value, because ANALYSER is openai-compatible`);
  }
  return Object.freeze({
    url: url.replace(/\/$/, ''),
    model,
    key: values.ANALYSER_KEY ?? null,
    maxReviews: values.ANALYSER_MAX_REVIEWS,
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
