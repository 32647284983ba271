// What the publish process is asked to do, and what it says while it does it.

import type { PeopleSettings } from '../../model/people.ts';
import type { Stage } from './stages.ts';

/** Who publishes, and what the store does not know. */
export interface Publishing {
  /** Names this process among all that may publish. */
  readonly publisherId: string;
  /** Base URL to write where no server has recorded one. */
  readonly defaultOrigin: string;
  /** The file with the keys of the log; null or absent keeps them in the store. */
  readonly logKeyFile?: string | null;
  /** The language of pages and feeds; null is that of the business's country. Absent keeps the published one. */
  readonly siteLanguage?: string | null | undefined;
  /** Null or absent takes those of the current snapshot, which a server chose. */
  readonly people?: PeopleSettings | null;
}

export interface PublishJob {
  readonly databaseUrl: string;
  readonly publishing: Publishing;
}

/** A part of the snapshot that was left out because making it failed. */
export interface Omission {
  /** For example `chart "ratings wide"`. */
  readonly what: string;
  readonly reason: string;
}

export interface Published {
  readonly omitted: readonly Omission[];
  /** How long each stage took. */
  readonly stageSeconds: Readonly<Partial<Record<Stage, number>>>;
}

/** An error as another process sends it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

export type Message =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'published'; readonly published: Published }
  | { readonly kind: 'failed'; readonly failure: Failure };
