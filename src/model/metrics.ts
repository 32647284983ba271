// Every metric of `/metrics` but those of Node: its name with the unit, what it says, and its labels.
// docs/operating.md lists them.

import metrics from './metrics.json' with { type: 'json' };

export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  /** How the values of several workers become one; by default their sum. */
  readonly ofWorkers?: 'min' | 'max';
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

export const METRICS = metrics as Readonly<Record<keyof typeof metrics, Metric>>;
