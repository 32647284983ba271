// `/metrics` of several workers.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Metrics } from '../../../src/http/metrics.ts';
import type { MetricList } from '../../../src/serving/workers/messages.ts';
import { GroupMetrics } from '../../../src/serving/workers/metrics.ts';

/** The metrics of a worker that has answered `requests` requests and uses `bytes` of memory. */
async function metricsOf(requests: number, bytes: number): Promise<MetricList> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: '.', registers }).inc(requests);
  new Gauge({ name: 'memory_bytes', help: '.', registers }).set(bytes);
  new Histogram({ name: 'seconds', help: '.', buckets: [1], registers }).observe(requests);
  return registry.getMetricsAsJSON();
}

function valuesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1])]));
}

test('the metrics of the workers are summed', async () => {
  const group = new GroupMetrics();
  group.update(1, await metricsOf(3, 100));
  group.update(2, await metricsOf(4, 50));
  expect(valuesOf(await group.render())).toMatchObject({
    requests_total: 7,
    memory_bytes: 150,
    'seconds_bucket{le="1"}': 0,
    seconds_sum: 7,
    seconds_count: 2,
  });
});

test('file descriptors are those of the worker that has most', async () => {
  const group = new GroupMetrics();
  for (const [id, open] of [700, 20].entries()) {
    const registers = [new Registry()];
    new Gauge({ name: 'process_open_fds', help: '.', registers }).set(open);
    new Gauge({ name: 'process_max_fds', help: '.', registers }).set(1_024);
    group.update(id, await registers[0]!.getMetricsAsJSON());
  }
  const values = valuesOf(await group.render());
  expect(values).toEqual({ process_open_fds: 700, process_max_fds: 1_024 });
});

test('new metrics of a worker replace its previous ones', async () => {
  const group = new GroupMetrics();
  group.update(1, await metricsOf(3, 100));
  group.update(1, await metricsOf(5, 80));
  expect(valuesOf(await group.render())).toMatchObject({ requests_total: 5, memory_bytes: 80 });
});

test('counts of a worker stay in the sum after it has ended, gauges do not', async () => {
  const group = new GroupMetrics();
  group.update(1, await metricsOf(3, 100));
  group.update(2, await metricsOf(4, 50));
  group.end(1);
  group.end(2);
  group.update(3, await metricsOf(1, 10));
  expect(valuesOf(await group.render())).toMatchObject({
    requests_total: 8,
    memory_bytes: 10,
    seconds_count: 3,
  });
});

test('a worker that ended before it sent metrics changes nothing', async () => {
  const group = new GroupMetrics();
  group.update(1, await metricsOf(3, 100));
  group.end(2);
  expect(valuesOf(await group.render())).toMatchObject({ requests_total: 3, memory_bytes: 100 });
});

test('the snapshot is the oldest that a worker serves, and its reviews are not summed', async () => {
  const group = new GroupMetrics();
  for (const [worker, number] of [
    [1, 8],
    [2, 7],
  ] as const) {
    const metrics = new Metrics();
    metrics.countRequest('/reviews.json', 200);
    metrics.showSnapshot(number, 307);
    group.update(worker, await metrics.collecting().getMetricsAsJSON());
  }
  const values = valuesOf(await group.render());
  expect(values).toMatchObject({
    public_reviews_snapshot_number: 7,
    public_reviews_published_reviews: 307,
    'http_requests_total{route="/reviews.json",status="200"}': 2,
  });
  expect(values['process_cpu_seconds_total']).toBeGreaterThan(0);
});
