// The monitoring of deploy/: its files fit each other and the documentation. package.test.ts compares their
// metrics with those of a server.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

test('the dashboard is one of Grafana, and each alert is explained', async () => {
  const read = (path: string) => readFile(join(PROJECT, path), 'utf8');
  const { panels } = JSON.parse(await read('deploy/monitoring/dashboard.json'));
  for (const { title, targets, gridPos } of panels) {
    expect([title, targets.length > 0, gridPos.x + gridPos.w <= 24]).toEqual([title, true, true]);
    for (const { expr } of targets) {
      const names = expr.replaceAll(/"[^"]*"/g, '').match(/[a-z]\w*_\w+(?=[{[)\s]|$)/g);
      expect(names, expr).not.toBe(null);
    }
  }
  const alerts = [...(await read('deploy/monitoring/alerts.yaml')).matchAll(/- alert: (\w+)/g)];
  const page = await read('docs/operator.md');
  const names = alerts.map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(5);
  // A Prometheus has the servers of several businesses.
  const rules = await read('deploy/monitoring/alerts.yaml');
  expect(rules.match(/\b(?:sum|max|min)\b(?! by \((?:job|instance)).*/g)).toBe(null);
  // And each business of a process is one of its own.
  expect(rules.match(/\bby \((?!instance|job, site\b).*/g)).toBe(null);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the compose file lets Prometheus read the metrics of its servers', async () => {
  const compose = await readFile(join(PROJECT, 'deploy/compose.yaml'), 'utf8');
  const [, subnet] = /subnet: (\S+)/.exec(compose)!;
  const [, networks] = /OPERATOR_NETWORKS: (\S+)/.exec(compose)!;
  expect(parseConfig({ OPERATOR_NETWORKS: networks }).operatorNetworks).toContain(subnet);
  const read = (name: string) => readFile(join(PROJECT, 'deploy/monitoring', name), 'utf8');
  const scraped = await read('prometheus.yaml');
  const servers = [...compose.matchAll(/^ {2}(server-\d+):/gm)].map(([, name]) => `${name}:8080`);
  expect(/targets: \[(.*)\]/.exec(scraped)![1]!.split(', ')).toEqual(servers);
  // The same for one server, whose network the other compose file gives to Prometheus.
  const local = await read('prometheus.local.yaml');
  const rest = (text: string) => text.slice(text.indexOf('\nglobal:'));
  expect(rest(local)).toBe(
    rest(scraped)
      .replace(servers.join(', '), '"127.0.0.1:8080"')
      .replace('blackbox:', '127.0.0.1:'),
  );
  const alerts = await read('alerts.yaml');
  const jobs = [...alerts.matchAll(/job="([\w-]+)"/g)].map(([, name]) => name!);
  const named = [...scraped.matchAll(/job_name: (\S+)/g)].map(([, name]) => name);
  expect(new Set(jobs)).toEqual(new Set(named));
});
