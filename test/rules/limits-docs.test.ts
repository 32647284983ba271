// docs/limits.md lists the limits that a client can meet as the code has them.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Config, parseConfig } from '../../src/config.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { CALLS_PER_SUBSCRIPTION, DOMAINS_PER_NETWORK, HUB_LIMITS } from '../../src/hub/limits.ts';
import { MCP_LIMITS } from '../../src/mcp/limits.ts';
import { METRIC_TEXTS } from '../../src/model/metrics.ts';

const ROOT = new URL('../..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

const CALLS = (config: Config) => CALLS_PER_SUBSCRIPTION * config.hub.maxSubscriptionsPerHost;

/** Those that a setting changes, then those that none does, by section. */
const SECTIONS: Readonly<
  Record<string, [[string, (config: Config) => number][], Readonly<Record<string, number>>]>
> = {
  'Connections and reads': [
    [
      ['MAX_CONNECTIONS', ({ maxConnections }) => maxConnections],
      ['MAX_CONNECTIONS_PER_CLIENT', ({ maxConnectionsPerClient }) => maxConnectionsPerClient],
      ['RATE_LIMIT_PER_MINUTE', ({ rateLimitPerMinute }) => rateLimitPerMinute],
    ],
    HTTP_LIMITS,
  ],
  MCP: [[], MCP_LIMITS],
  'The hub': [
    [
      ['HUB_REQUESTS_PER_MINUTE', ({ hub }) => hub.requestsPerMinute],
      ['HUB_MAX_SUBSCRIPTIONS', ({ hub }) => hub.maxSubscriptions],
      ['HUB_MAX_SUBSCRIPTIONS_PER_HOST', ({ hub }) => hub.maxSubscriptionsPerHost],
      ['HUB_MAX_SUBSCRIPTIONS_PER_HOST', CALLS],
      ['HUB_MAX_SUBSCRIPTIONS_PER_HOST', (config) => DOMAINS_PER_NETWORK * CALLS(config)],
      ['HUB_CONCURRENCY', ({ hub }) => hub.concurrency],
      ['HUB_CONCURRENCY_PER_HOST', ({ hub }) => hub.concurrencyPerHost],
      ['HUB_TIMEOUT_SECONDS', ({ hub }) => hub.timeoutSeconds],
      ['HUB_LEASE_MAX_SECONDS', ({ hub }) => hub.leaseMaxSeconds],
    ],
    HUB_LIMITS,
  ],
};

/** The unit is the end of the name of a limit. */
function show(name: string, value: number): string {
  if (name.endsWith('Ms')) return value < 1_000 ? `${value} ms` : `${value / 1000} s`;
  if (name.endsWith('Bytes'))
    return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`;
  if (/(?:Length|Characters)$/.test(name)) return `${value.toLocaleString('en-US')} characters`;
  return value === 0 ? 'unlimited' : value.toLocaleString('en-US');
}

/** The cells of the rows of a section. */
const rowsOf = (section: string) =>
  read('docs/limits.md')
    .split(`## ${section}\n`)[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => /^\| (?!limit|-)/.test(line))
    .map((line) => line.split('|').map((cell) => cell.trim()));

test.each(Object.entries(SECTIONS))(
  'docs/limits.md has the limits of "%s", in order',
  (section, [settings, limits]) => {
    const config = parseConfig({});
    expect(rowsOf(section).map(([, , value, setting]) => [value, setting])).toEqual([
      ...settings.map(([name, valueOf]) => [show('', valueOf(config)), `\`${name}\``]),
      ...Object.entries(limits).map(([name, value]) => [show(name, value), '']),
    ]);
  },
);

test('every limit of the configuration is a setting of the operating page', () => {
  const settings = Object.values(SECTIONS).flatMap(([given]) => given.map(([name]) => name));
  const page = read('docs/operating.md');
  expect(settings.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
});

test('a metric that a limit names exists', () => {
  const known = new Set<string>(Object.values(METRIC_TEXTS).map(({ name }) => `\`${name}\``));
  const named = Object.keys(SECTIONS).flatMap((section) =>
    rowsOf(section).flatMap((cells) => cells[5] || []),
  );
  expect(named.length).toBeGreaterThanOrEqual(10);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});
