// The table of metrics is the only place that names them.

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Metric, METRIC_TEXTS, METRICS } from '../../src/model/metrics.ts';

const ROOT = new URL('../..', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const metrics = Object.entries(METRICS as Record<keyof typeof METRICS, Metric>).map(
  ([key, metric]) => ({ ...metric, ...METRIC_TEXTS[key as keyof typeof METRICS] }),
);

test('no other file of src names a metric', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (path) => path !== 'src/model/metrics.ts',
  );
  expect(files.length).toBeGreaterThan(100);
  const naming = files.filter((path) => /'(?:public_reviews|http)_\w+'/.test(read(path)));
  expect(naming).toEqual([]);
});

test('names end with the unit: counters with _total, durations with _seconds', () => {
  const endings = { counter: /_total$/, gauge: /(?<!_total|_ms)$/, histogram: /_seconds$/ };
  expect(metrics.filter(({ kind, name }) => !endings[kind].test(name))).toEqual([]);
});
