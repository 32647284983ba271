// Every metric of `/metrics` but those of Node: its name with the unit, what it says, and its labels.
// docs/operating.md lists them.

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

export const METRICS = {
  requests: {
    kind: 'counter',
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    labels: ['route', 'status'],
  },
  refusedConnections: {
    kind: 'counter',
    name: 'public_reviews_refused_connections_total',
    help: 'Connections that were closed because they reached a limit, by limit.',
    labels: ['limit'],
  },
  snapshotNumber: {
    kind: 'gauge',
    name: 'public_reviews_snapshot_number',
    help: 'Number of the snapshot that is served.',
    // The snapshot that all have reached.
    ofWorkers: 'min',
  },
  publishedReviews: {
    kind: 'gauge',
    name: 'public_reviews_published_reviews',
    help: 'Verified reviews in the snapshot that is served.',
    ofWorkers: 'min',
  },
  storeReachable: {
    kind: 'gauge',
    name: 'public_reviews_store_reachable',
    help: '1 if the store answered when it was last asked, else 0.',
    ofWorkers: 'min',
  },
  publishFailing: {
    kind: 'gauge',
    name: 'public_reviews_publish_failing',
    help: '1 if the last publish failed, else 0.',
    ofWorkers: 'max',
  },
  build: {
    kind: 'gauge',
    name: 'public_reviews_build_info',
    help: '1, with the versions of the program and of Node.',
    labels: ['version', 'node'],
  },
  lastImport: {
    kind: 'gauge',
    name: 'public_reviews_last_import_timestamp_seconds',
    help: 'When the last import that changed something began; seconds since 1970, 0 for none.',
  },
  lastImportRefused: {
    kind: 'gauge',
    name: 'public_reviews_last_import_refused',
    help: 'Rows that the last import refused; at least 1 if it failed.',
  },
  lastPublish: {
    kind: 'gauge',
    name: 'public_reviews_last_publish_timestamp_seconds',
    help: 'When a snapshot was last published; seconds since 1970, 0 for never.',
  },
  publishStageSeconds: {
    kind: 'histogram',
    name: 'public_reviews_publish_stage_seconds',
    help: 'How long each stage of a publish by this server took.',
    labels: ['stage'],
    buckets: [0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300],
  },
  lastBackup: {
    kind: 'gauge',
    name: 'public_reviews_last_backup_timestamp_seconds',
    help: 'When the last backup began; seconds since 1970, 0 for none.',
  },
  storeBytes: {
    kind: 'gauge',
    name: 'public_reviews_store_bytes',
    help: 'Size of the database, without its write-ahead log.',
  },
  diskFreeBytes: {
    kind: 'gauge',
    name: 'public_reviews_disk_free_bytes',
    help: 'Free space on the disk of an SQLite store; absent on PostgreSQL.',
  },
  sourceLastSuccess: {
    kind: 'gauge',
    name: 'public_reviews_source_last_success_timestamp_seconds',
    help: 'When a source was last read successfully, changed or not; seconds since 1970.',
    labels: ['source'],
  },
  sourceFailures: {
    kind: 'gauge',
    name: 'public_reviews_source_failures',
    help: 'Failures of a source since its last success.',
    labels: ['source'],
  },
  analyserRequests: {
    kind: 'counter',
    name: 'public_reviews_analyser_requests_total',
    help: 'Requests to the language model, by outcome: answered, unusable, failed; absent without one.',
    labels: ['outcome'],
  },
  analyserWaiting: {
    kind: 'gauge',
    name: 'public_reviews_analyser_waiting',
    help: 'Reviews that the language model has not been asked about yet; absent without one.',
  },
  hubVerifications: {
    kind: 'counter',
    name: 'public_reviews_hub_verifications_total',
    help: 'Challenges sent to callbacks, by mode and outcome.',
    labels: ['mode', 'outcome'],
  },
  hubDeliveries: {
    kind: 'counter',
    name: 'public_reviews_hub_deliveries_total',
    help: 'Deliveries to callbacks, by topic and outcome.',
    labels: ['topic', 'outcome'],
  },
  hubDeliverySeconds: {
    kind: 'histogram',
    name: 'public_reviews_hub_delivery_seconds',
    help: 'How long callbacks took to answer a delivery.',
    buckets: [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
  },
  hubSubscriptions: {
    kind: 'gauge',
    name: 'public_reviews_hub_subscriptions',
    help: 'Active subscriptions, by topic.',
    labels: ['topic'],
  },
  hubPendingDeliveries: {
    kind: 'gauge',
    name: 'public_reviews_hub_pending_deliveries',
    help: 'Active subscriptions that have not acknowledged the newest content, by topic.',
    labels: ['topic'],
  },
} as const satisfies Record<string, Metric>;
