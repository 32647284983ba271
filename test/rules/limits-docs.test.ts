// docs/limits.md lists the limits that a client can meet as the code has them.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../src/config.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { CALLS_PER_SUBSCRIPTION, DOMAINS_PER_NETWORK, HUB_LIMITS } from '../../src/hub/limits.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import type { FixedLimit } from '../../src/model/limit.ts';
import { METRICS } from '../../src/model/metrics.ts';

const ROOT = new URL('../..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

/** A limit that operators set. */
interface ConfiguredLimit extends Omit<FixedLimit, 'value'> {
  /** The environment variable. */
  readonly setting: string;
  readonly valueOf: (config: Config) => number;
}

type AnyLimit = FixedLimit | ConfiguredLimit;

const HTTP_SETTINGS: readonly ConfiguredLimit[] = [
  {
    what: 'connections of a process',
    setting: 'MAX_CONNECTIONS',
    valueOf: ({ maxConnections }) => maxConnections,
    answer: 'closed',
    metric: METRICS.refusedConnections.name,
  },
  {
    what: 'connections of a public client address, if no proxy is trusted',
    setting: 'MAX_CONNECTIONS_PER_CLIENT',
    valueOf: ({ maxConnectionsPerClient }) => maxConnectionsPerClient,
    answer: 'closed',
    metric: METRICS.refusedConnections.name,
  },
  {
    what: 'reads and MCP messages of a client address in a minute',
    setting: 'RATE_LIMIT_PER_MINUTE',
    valueOf: ({ rateLimitPerMinute }) => rateLimitPerMinute,
    answer: '429',
    metric: METRICS.requests.name,
  },
];

const HUB_SETTINGS: readonly ConfiguredLimit[] = [
  {
    what: 'requests of a client address to the hub in a minute, to each server',
    setting: 'HUB_REQUESTS_PER_MINUTE',
    valueOf: ({ hub }) => hub.requestsPerMinute,
    answer: '429',
    metric: METRICS.requests.name,
  },
  {
    what: 'subscriptions',
    setting: 'HUB_MAX_SUBSCRIPTIONS',
    valueOf: ({ hub }) => hub.maxSubscriptions,
    answer: '503',
    metric: METRICS.requests.name,
  },
  {
    what: 'subscriptions of a host; ten times as many of a registrable domain',
    setting: 'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
    valueOf: ({ hub }) => hub.maxSubscriptionsPerHost,
    answer: '429',
    metric: METRICS.requests.name,
  },
  {
    what: 'requests of the hub to a registrable domain in a minute, of each server; half of them to unproven callbacks',
    setting: 'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
    valueOf: ({ hub }) => CALLS_PER_SUBSCRIPTION * hub.maxSubscriptionsPerHost,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'requests of the hub to an address in a minute, of each server; half of them to unproven callbacks',
    setting: 'HUB_MAX_SUBSCRIPTIONS_PER_HOST',
    valueOf: ({ hub }) =>
      DOMAINS_PER_NETWORK * CALLS_PER_SUBSCRIPTION * hub.maxSubscriptionsPerHost,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'requests of the hub in flight, of each server',
    setting: 'HUB_CONCURRENCY',
    valueOf: ({ hub }) => hub.concurrency,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'of them to a registrable domain; four times as many to an address',
    setting: 'HUB_CONCURRENCY_PER_HOST',
    valueOf: ({ hub }) => hub.concurrencyPerHost,
    answer: 'sent later',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'time of a request to a callback in seconds; one more for each MiB',
    setting: 'HUB_TIMEOUT_SECONDS',
    valueOf: ({ hub }) => hub.timeoutSeconds,
    answer: 'a failed attempt',
    metric: METRICS.hubDeliveries.name,
  },
  {
    what: 'longest lease in seconds',
    setting: 'HUB_LEASE_MAX_SECONDS',
    valueOf: ({ hub }) => hub.leaseMaxSeconds,
    answer: 'a longer one counts as this',
    metric: null,
  },
];

const ROOMS: Readonly<Record<string, readonly AnyLimit[]>> = {
  'Connections and reads': [...HTTP_SETTINGS, ...Object.values(HTTP_LIMITS)],
  MCP: Object.values(MCP_LIMITS),
  'The hub': [...HUB_SETTINGS, ...Object.values(HUB_LIMITS)],
};

function rowOf(limit: AnyLimit): string {
  const isSetting = 'setting' in limit;
  const value = isSetting ? limit.valueOf(parseConfig({})) : limit.value;
  const setting = isSetting ? `\`${limit.setting}\`` : '';
  const metric = limit.metric === null ? '' : `\`${limit.metric}\``;
  return `| ${limit.what} | ${show(value, limit.unit)} | ${setting} | ${limit.answer} | ${metric} |`;
}

function show(value: number, unit?: string): string {
  if (unit === undefined && value === 0) return 'unlimited';
  if (unit === 'ms') return value < 1_000 ? `${value} ms` : `${value / 1000} s`;
  if (unit !== 'bytes') return value.toLocaleString('en-US') + (unit ? ` ${unit}` : '');
  return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`;
}

test.each(Object.entries(ROOMS))(
  'docs/limits.md has the limits of "%s", in order',
  (room, limits) => {
    const section = read('docs/limits.md').split(`## ${room}\n`)[1]!.split('\n## ')[0]!;
    const rows = section.split('\n').filter((line) => /^\| (?!limit|-)/.test(line));
    expect(rows).toEqual(limits.map(rowOf));
  },
);

test('the sections are the rooms', () => {
  const headings = [...read('docs/limits.md').matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(expect.arrayContaining(Object.keys(ROOMS)));
});

test('every limit of the configuration is a setting of the operating page', () => {
  const settings = Object.values(ROOMS)
    .flat()
    .flatMap((limit) => ('setting' in limit ? limit.setting : []));
  const page = read('docs/operating.md');
  expect(settings.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test('a metric that a limit names exists', () => {
  const metrics = new Set(
    Object.values(ROOMS)
      .flat()
      .flatMap(({ metric }) => metric ?? []),
  );
  const sources = globSync('src/{http,hub,model}/*.ts', { cwd: ROOT }).map((path) => read(path));
  const isNamed = (name: string) => sources.some((text) => text.includes(`'${name}'`));
  expect([...metrics].filter((name) => !isNamed(name))).toEqual([]);
});
