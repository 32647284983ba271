// Environment and settings file to a frozen Config. Only config/compile-cache.ts reads process.env too.

import { type Dirent, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { z } from 'zod';
import { environmentSchema } from './config/environment.ts';
import { readSettingsFile, settingKey, type SettingsFile } from './config/settings-file.ts';
import { InputError, show } from './errors.ts';
import { parseWitnesses } from './log/cosigning.ts';
import { editsBetween, maxEdits } from './model/closeness.ts';
import type { ImportSource } from './model/import-source.ts';
import { DEFAULT_PEOPLE, type PeopleSettings } from './model/people.ts';
import { withSchema } from './model/schema-name.ts';

export type Config = ReturnType<typeof configOf>;

/** A language model that proposes claims about reviews. */
export type AnalyserConfig = NonNullable<ReturnType<typeof analyserOf>>;

export type HubConfig = Config['hub'];

/** The folder of sites if none is named. */
export const SITES = 'sites';

/** A business with its origin and its own store, in a folder of several. */
export interface Site {
  readonly folder: string;
  /** The name of its own folder in that, as a rule its host. */
  readonly name: string;
}

type Values = z.infer<typeof environmentSchema>;

/** Read from the working directory, unless the variable names another. */
export const SETTINGS_FILE = 'public-reviews.config.json';
const SETTINGS_FILE_VARIABLE = 'PUBLIC_REVIEWS_CONFIG';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment, but for some variables, and the settings file, if there is one.
 *
 * @throws {InputError} with a line for each bad value of both.
 */
export function loadConfig(
  all: Environment = process.env,
  without: readonly string[] = [],
): Config {
  const kept = Object.entries(all).filter(([name]) => !without.includes(name));
  const environment: Environment = Object.fromEntries(kept);
  const path = settingsPath(environment);
  const mustExist = path === environment[SETTINGS_FILE_VARIABLE];
  const names = Object.keys(environmentSchema.shape);
  return parseConfig(environment, readSettingsFile(path, names, { mustExist }));
}

/** Variables whose names are nearly those of settings: the variable, and the setting. */
export function misspelt(environment: Environment = process.env): [string, string][] {
  const names = [...Object.keys(environmentSchema.shape), SETTINGS_FILE_VARIABLE];
  const unknown = Object.keys(environment).filter((given) => !names.includes(given));
  return unknown.flatMap((given): [string, string][] => {
    const most = maxEdits(given);
    // Its beginning, as TRUST_PROXIES and RATE_LIMIT_PER_MIN have.
    const start = given.slice(0, Math.max(8, 0.8 * given.length));
    const near = names.find(
      (name) =>
        (start.length >= 8 && name.startsWith(start)) || editsBetween(given, name, most) <= most,
    );
    return near === undefined ? [] : [[given, near]];
  });
}

function settingsPath(environment: Environment = process.env): string {
  const named = environment[SETTINGS_FILE_VARIABLE] ?? '';
  return named === '' ? SETTINGS_FILE : named;
}

/** The folders of sites in a folder: those with the name of a host, in order. */
export function siteNames(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const isSite = ({ name }: Dirent) => URL.parse(`http://${name}`)?.hostname === name;
  return entries.flatMap((one) => (one.isDirectory() && isSite(one) ? one.name : [])).toSorted();
}

/** The settings of the process that serves the sites of a folder: of all of them, and the environment, which wins. */
export function loadSharedConfig(folder: string, environment: Environment = process.env): Config {
  const names = Object.keys(environmentSchema.shape);
  const file = readSettingsFile(join(folder, SETTINGS_FILE), names, { mustExist: false });
  return parseConfig(environment, file);
}

/** What is a site's own: the environment of a process with several must not say it. */
const OWN = ['BASE_URL', 'DATABASE_URL', 'LOG_KEY_FILE'];

/**
 * The settings of a site, a business in a folder of several: its own file wins over that of all, and both over the
 * environment. Without another origin it is `https://` and the name of its folder. Paths begin in its folder.
 *
 * @throws {InputError} with a line for each bad value.
 */
export function loadSiteConfig(site: Site, environment = process.env): Config {
  const { folder, name } = site;
  const names = Object.keys(environmentSchema.shape);
  const [all, own] = [folder, join(folder, name)].map((place) =>
    readSettingsFile(join(place, SETTINGS_FILE), names, { mustExist: false }),
  );
  const given = Object.entries(environment).filter(([key]) => names.includes(key));
  const shared = given.filter(
    ([key, value]) =>
      value !== '' && (!OWN.includes(key) || value?.startsWith('postgres') === true),
  );
  const config = parseConfig(
    {},
    {
      path: own?.path ?? join(folder, name),
      values: {
        BASE_URL: `https://${name}`,
        ...(Object.fromEntries(shared) as Record<string, string>),
        ...all?.values,
        ...own?.values,
      },
      sources: own?.sources ?? [],
      problems: [all, own].flatMap((file) => file?.problems ?? []),
    },
  );
  // A database of all has a schema for each.
  const isShared = own?.values['DATABASE_URL'] === undefined;
  const within = <Path extends string | null>(path: Path) =>
    (path === null ? null : resolve(folder, name, path)) as Path;
  return Object.freeze({
    ...config,
    site,
    databaseUrl:
      isShared && config.databaseUrl.startsWith('postgres')
        ? withSchema(config.databaseUrl, name)
        : config.databaseUrl.replace(
            /^sqlite:(.*)$/s,
            (_, path: string) => `sqlite:${within(path)}`,
          ),
    logKeyFile: within(config.logKeyFile),
    google: { ...config.google, credentialsFile: within(config.google.credentialsFile) },
    sources: config.sources.map((source) => ({
      ...source,
      file: within(source.file),
      directory: within(source.directory),
      // Names of formats have no dot.
      format: source.format?.includes('.') ? within(source.format) : source.format,
    })),
  });
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
      // A key must not appear in messages.
      return `${place(name)}: ${message}, got ${name.endsWith('_KEY') ? `${given[name]?.length} characters` : show(withoutPassword(given[name]))}`;
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
  const isAboutPeople = given['PEOPLE'] !== undefined || given['PEOPLE_MIN_REVIEWS'] !== undefined;
  return configOf(values, {
    settingsFile: file?.path ?? SETTINGS_FILE,
    sources: file?.sources ?? [],
    people: isAboutPeople ? peopleOf(values) : null,
    analyser: analyserOf(values, place),
  });
}

function peopleOf({ PEOPLE, PEOPLE_MIN_REVIEWS: minScored }: Values): PeopleSettings {
  return { ...DEFAULT_PEOPLE, mode: PEOPLE ?? DEFAULT_PEOPLE.mode, minScored };
}

/** What no single variable says. */
interface Others {
  readonly settingsFile: string;
  readonly sources: readonly ImportSource[];
  readonly people: PeopleSettings | null;
  readonly analyser: AnalyserConfig | null;
}

function configOf(values: Values, { sources, people, analyser, settingsFile }: Others) {
  return Object.freeze({
    /** Null for one business alone. */
    site: null as Site | null,
    /** Where the settings file is, or would be. */
    settingsFile,
    /** 0 takes any free port. */
    port: values.PORT,
    host: values.HOST,
    /** The public origin; null means `http://localhost:` and the port that was bound. */
    baseUrl: values.BASE_URL ?? null,
    /** Host names whose readers are redirected to the origin, by a server of several sites. */
    aliases: Object.freeze(values.ALIASES.split(',').flatMap((host) => host.trim() || [])),
    databaseUrl: values.DATABASE_URL,
    /** What the snapshots of several sites may take, in MB. */
    sitesMemory: values.SITES_MEMORY,
    cacheControl: values.CACHE_CONTROL,
    /** Trusted proxies, by number or by addresses and networks; false trusts none. */
    trustProxy: values.TRUST_PROXY,
    /** Networks in CIDR notation whose clients may read metrics and details of the store. */
    operatorNetworks: Object.freeze(values.OPERATOR_NETWORKS.split(',').map((each) => each.trim())),
    /** Requests per minute and client address; 0 means no limit. */
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE,
    /** Open connections of this process, and of one public client address; 0 means no limit. */
    maxConnections: values.MAX_CONNECTIONS,
    maxConnectionsPerClient: values.MAX_CONNECTIONS_PER_CLIENT,
    logLevel: values.LOG_LEVEL,
    /** `auto` is pretty at a terminal, else JSON. */
    logFormat: values.LOG_FORMAT,
    accessLog: values.ACCESS_LOG === 'on',
    metrics: values.METRICS === 'on',
    /** Earlier dates of reviews and replies are refused by imports; YYYY-MM-DD. */
    reviewDateEarliest: values.REVIEW_DATE_EARLIEST,
    sources: Object.freeze(sources),
    google: Object.freeze({
      placesKey: values.GOOGLE_PLACES_KEY ?? null,
      credentialsFile: values.GOOGLE_APPLICATION_CREDENTIALS ?? null,
    }),
    /** How authors are shown; null as the store has recorded it, else in full. */
    authors: values.AUTHORS ?? null,
    /** The business's colour on its pages, as `#` and six hexadecimal digits. */
    siteColor: values.SITE_COLOR,
    /** The language of the pages, such as "de" or "en-GB"; null follows the country of the business. */
    siteLanguage: values.SITE_LANGUAGE ?? null,
    /** Null if neither the environment nor the settings file says anything of people. */
    people,
    /** Whether search engines may index the pages of people. */
    peopleIndexing: values.PEOPLE_INDEXING === 'on',
    /** Has the keys of the log; null keeps them in the store. */
    logKeyFile: values.LOG_KEY_FILE ?? null,
    logWitnesses: Object.freeze(parseWitnesses(values.LOG_WITNESSES) ?? []),
    /** Null without a language model. */
    analyser,
    hub: hubOf(values),
    mcp: Object.freeze({
      /** Signs session ids; null means the key in the store. */
      sessionKey: values.MCP_SESSION_KEY ?? null,
      /** Whether to refuse requests without a session, in revisions that have sessions. */
      requireSession: values.MCP_REQUIRE_SESSION === 'true',
    }),
  });
}

function hubOf(values: Values) {
  const [low, high] = [values.HUB_LEASE_MIN_SECONDS, values.HUB_LEASE_MAX_SECONDS];
  const [second = 0, third = 0] = values.HUB_RETRY_DELAYS_SECONDS.split(',').map(Number);
  return Object.freeze({
    /** Networks in CIDR notation whose addresses count as public. */
    allowNetworks: values.HUB_ALLOW_NETWORKS.split(',').flatMap((network) => network.trim() || []),
    leaseDefaultSeconds: Math.min(Math.max(values.HUB_LEASE_DEFAULT_SECONDS, low), high),
    leaseMinSeconds: low,
    leaseMaxSeconds: high,
    /** Waits before the second and the third attempt of a delivery. */
    retryDelaysSeconds: [second, third] as const,
    /** Limit for a whole request to a callback; each MiB of its body adds a second. */
    timeoutSeconds: values.HUB_TIMEOUT_SECONDS,
    /** Requests to callbacks in flight, in total and to one registrable domain. */
    concurrency: values.HUB_CONCURRENCY,
    concurrencyPerHost: values.HUB_CONCURRENCY_PER_HOST,
    /** Time between a first change and the delivery of the newest content. */
    coalesceSeconds: values.HUB_COALESCE_SECONDS,
    /** Subscriptions in total; 0 means no limit. */
    maxSubscriptions: values.HUB_MAX_SUBSCRIPTIONS,
    /** Subscriptions per callback host; 0 means no limit. */
    maxSubscriptionsPerHost: values.HUB_MAX_SUBSCRIPTIONS_PER_HOST,
    /** Requests to the hub per minute and client address; 0 means no limit. */
    requestsPerMinute: values.HUB_REQUESTS_PER_MINUTE,
  });
}

/** @throws {InputError} if a language model is named only in part */
function analyserOf(values: Values, place: (name: string) => string) {
  if (values.ANALYSER === 'offline') return null;
  const { ANALYSER_URL: url, ANALYSER_MODEL: model } = values;
  if (url === undefined || model === undefined) {
    const name = url === undefined ? 'ANALYSER_URL' : 'ANALYSER_MODEL';
    throw new InputError(`${place(name)}: expected a value, because ANALYSER is openai-compatible`);
  }
  return Object.freeze({
    /** Base URL of an interface like that of OpenAI, without a trailing slash. */
    url: url.replace(/\/$/, ''),
    model,
    /** Null for servers that need none. */
    key: values.ANALYSER_KEY ?? null,
    /** The newest reviews that it is asked about. */
    maxReviews: values.ANALYSER_MAX_REVIEWS,
  });
}

/** Masks everything between "//" and the last "@": an unescaped password may contain any character. */
function withoutPassword(value = ''): string {
  return value.replace(/^(postgres\w*:\/\/).*@/is, '$1***@');
}

/** The absolute path of an SQLite file, or a PostgreSQL URL without its password. */
export function storeName(databaseUrl: string): string {
  const path = /^sqlite:(.*)$/s.exec(databaseUrl)?.[1];
  return path === undefined ? withoutPassword(databaseUrl) : resolve(path);
}
