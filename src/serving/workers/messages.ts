// The messages between the supervisor and its workers.

import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { PublishHealth } from '../../model/health.ts';
import type { ClientMinute } from '../../model/http-seam.ts';

export type MetricList = MetricObjectWithValues<MetricValue<string>>[];

/** What a worker gets at its start and keeps. */
export interface Assignment {
  /** The port that all workers share. */
  readonly port: number;
  /** Whether the system distributes connections among the workers; if not, the supervisor does. */
  readonly reusesPort: boolean;
  /** Whether this worker also publishes and runs the hub's dispatcher, which only one may. */
  readonly isLead: boolean;
}

export type ToWorker =
  | { readonly kind: 'assign'; readonly assignment: Assignment }
  /** Every worker has been ready at least once. */
  | { readonly kind: 'all_ready' }
  | { readonly kind: 'close' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'send_metrics'; readonly id: number }
  | { readonly kind: 'publish_health'; readonly health: PublishHealth }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer };

export type FromWorker =
  /** It receives messages. */
  | { readonly kind: 'started' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong' }
  /** From the lead, when it changes. */
  | { readonly kind: 'publish_health'; readonly health: PublishHealth }
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: MetricList }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question };

/** What a worker needs from the supervisor. */
export type Question =
  | { readonly about: 'metrics' }
  /** Also counts a request of the client. */
  | { readonly about: 'client'; readonly client: string };

export type Answer =
  | { readonly about: 'metrics'; readonly text: string }
  | { readonly about: 'client'; readonly minute: ClientMinute };
