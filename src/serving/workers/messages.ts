// What the process that holds the port and its workers tell each other.

import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { PublishHealth } from '../../http/health.ts';
import type { ClientMinute } from '../../http/request-limits.ts';

/** The metrics of one process. */
export type MetricList = MetricObjectWithValues<MetricValue<string>>[];

/** What is the same for a worker's whole life. */
export interface Assignment {
  /** The port that all share. */
  readonly port: number;
  /** Whether the system shares the connections out; otherwise the process that started them does. */
  readonly reusesPort: boolean;
  /** Whether this one also does what must be done once: publish, and the work of the hub. */
  readonly isLead: boolean;
}

export type ToWorker =
  | { readonly kind: 'assign'; readonly assignment: Assignment }
  /** Every worker has been ready once. */
  | { readonly kind: 'all_ready' }
  | { readonly kind: 'close' }
  | { readonly kind: 'show_life' }
  | { readonly kind: 'tell_metrics'; readonly id: number }
  /** How the lead's last publish went. */
  | { readonly kind: 'publish_health'; readonly health: PublishHealth }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer };

export type FromWorker =
  /** It listens for what it is told. */
  | { readonly kind: 'started' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  /** From the lead, when it changes. */
  | { readonly kind: 'publish_health'; readonly health: PublishHealth }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricList }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question };

/** What a worker cannot know alone. */
export type Question =
  | { readonly about: 'metrics' }
  /** Counts a request of a client, too. */
  | { readonly about: 'client'; readonly client: string };

export type Answer =
  | { readonly about: 'metrics'; readonly text: string }
  | { readonly about: 'client'; readonly minute: ClientMinute };
