// Every metric of `/metrics` but those of Node: its name with the unit, what it says, and its labels.
// docs/operating.md lists them.

import texts from './metric-texts.json' with { type: 'json' };

export interface Metric {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly labels?: readonly string[];
  /** How the values of several workers become one; by default their sum. */
  readonly ofWorkers?: 'min' | 'max';
  /** The upper bounds of a histogram. */
  readonly buckets?: readonly number[];
}

/** The name of each metric, and what it says. */
export const METRIC_TEXTS: Readonly<Record<keyof typeof METRICS, { name: string; help: string }>> =
  texts;

export const METRICS = {
  requests: { kind: 'counter', labels: ['route', 'status'] },
  refusedConnections: { kind: 'counter', labels: ['limit'] },
  snapshotNumber: { kind: 'gauge', ofWorkers: 'min' },
  publishedReviews: { kind: 'gauge', ofWorkers: 'min' },
  storeReachable: { kind: 'gauge', ofWorkers: 'min' },
  publishFailing: { kind: 'gauge', ofWorkers: 'max' },
  build: { kind: 'gauge', labels: ['version', 'node'] },
  lastImport: { kind: 'gauge' },
  lastImportRefused: { kind: 'gauge' },
  lastPublish: { kind: 'gauge' },
  publishStageSeconds: {
    kind: 'histogram',
    labels: ['stage'],
    buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
  },
  lastBackup: { kind: 'gauge' },
  storeBytes: { kind: 'gauge' },
  diskFreeBytes: { kind: 'gauge' },
  sourceLastSuccess: { kind: 'gauge', labels: ['source'] },
  sourceFailures: { kind: 'gauge', labels: ['source'] },
  analyserRequests: { kind: 'counter', labels: ['outcome'] },
  analyserWaiting: { kind: 'gauge' },
  hubVerifications: { kind: 'counter', labels: ['mode', 'outcome'] },
  hubDeliveries: { kind: 'counter', labels: ['topic', 'outcome'] },
  hubDeliverySeconds: { kind: 'histogram', buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30] },
  hubSubscriptions: { kind: 'gauge', labels: ['topic'] },
  hubPendingDeliveries: { kind: 'gauge', labels: ['topic'] },
} as const satisfies Record<string, Metric>;
