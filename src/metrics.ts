// Metrics of the table in model/metrics.ts, to which the rooms hand in numbers.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Metric, METRICS } from './model/metrics.ts';

type Key = keyof typeof METRICS;

/** `collect` sets the counter whenever the metrics are collected. */
export function addCounter<Label extends string>(
  registry: Registry,
  key: Key,
  collect?: (counter: Counter<Label>) => void | Promise<void>,
): Counter<Label> {
  const counter: Counter<Label> = new Counter({
    ...configurationOf(registry, key),
    ...(collect && { collect: () => collect(counter) }),
  });
  return counter;
}

/** `collect` sets the gauge whenever the metrics are collected. */
export function addGauge<Label extends string>(
  registry: Registry,
  key: Key,
  collect?: (gauge: Gauge<Label>) => void | Promise<void>,
): Gauge<Label> {
  const gauge: Gauge<Label> = new Gauge({
    ...configurationOf(registry, key),
    ...(collect && { collect: () => collect(gauge) }),
  });
  return gauge;
}

export function addHistogram<Label extends string>(registry: Registry, key: Key): Histogram<Label> {
  const buckets = [...(METRICS[key].buckets ?? [])];
  return new Histogram({ ...configurationOf(registry, key), buckets });
}

/** What all kinds have in common. */
function configurationOf(registry: Registry, key: Key) {
  const { name, help, labels = [], ofWorkers }: Metric = METRICS[key];
  const aggregator = ofWorkers ?? ('sum' as const);
  return {
    name,
    help,
    labelNames: labels as readonly never[],
    registers: [registry],
    aggregator,
  };
}
