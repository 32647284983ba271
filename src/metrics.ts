// Metrics of the table in model/metrics.ts, to which the rooms hand in numbers.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Metric, METRIC_TEXTS, METRICS } from './model/metrics.ts';

type Table = typeof METRICS;
type KeyOf<Kind> = {
  [Key in keyof Table]: Table[Key]['kind'] extends Kind ? Key : never;
}[keyof Table];
type LabelOf<Key extends keyof Table> = Table[Key] extends {
  readonly labels: readonly (infer Label extends string)[];
}
  ? Label
  : never;

/** `collect` sets the counter whenever the metrics are collected. */
export function addCounter<Key extends KeyOf<'counter'>>(
  registry: Registry,
  key: Key,
  collect?: (counter: Counter<LabelOf<Key>>) => void | Promise<void>,
): Counter<LabelOf<Key>> {
  const counter: Counter<LabelOf<Key>> = new Counter({
    ...configurationOf(registry, key),
    ...(collect && { collect: () => collect(counter) }),
  });
  return counter;
}

/** `collect` sets the gauge whenever the metrics are collected. */
export function addGauge<Key extends KeyOf<'gauge'>>(
  registry: Registry,
  key: Key,
  collect?: (gauge: Gauge<LabelOf<Key>>) => void | Promise<void>,
): Gauge<LabelOf<Key>> {
  const gauge: Gauge<LabelOf<Key>> = new Gauge({
    ...configurationOf(registry, key),
    ...(collect && { collect: () => collect(gauge) }),
  });
  return gauge;
}

export function addHistogram<Key extends KeyOf<'histogram'>>(
  registry: Registry,
  key: Key,
): Histogram<LabelOf<Key>> {
  return new Histogram({ ...configurationOf(registry, key), buckets: [...METRICS[key].buckets] });
}

/** What all kinds have in common. */
function configurationOf<Key extends keyof Table>(registry: Registry, key: Key) {
  const { labels = [], ofWorkers }: Metric = METRICS[key];
  return {
    ...METRIC_TEXTS[key],
    labelNames: labels as readonly LabelOf<Key>[],
    registers: [registry],
    aggregator: ofWorkers ?? ('sum' as const),
  };
}
