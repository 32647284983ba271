// What threads and the publish process are asked to do, and what they answer.

import { ANALYSER } from '../insights/reuse.ts';
import type { AuthorDisplay } from '../model/author-names.ts';
import type { PeopleSettings } from '../model/people.ts';
import type { LoadedSnapshot } from '../snapshot/unpack.ts';
import type { Wanted } from './load.ts';

/** The format of documents and search index. A snapshot of another format cannot be served. */
export const SNAPSHOT_FORMAT = 'public-reviews/16';

/** Changes whenever the same reviews would make other documents, or another index, than before. */
export const BUILDER = `${SNAPSHOT_FORMAT} ${ANALYSER}`;

export interface PublishTask {
  readonly kind: 'publish';
  readonly databaseUrl: string;
  readonly publishing: Publishing;
}

/** What a thread runs (see thread.ts). */
export type Task =
  | PublishTask
  | { readonly kind: 'load'; readonly databaseUrl: string; readonly wanted: Wanted | null }
  | { readonly kind: 'checkpoint'; readonly databaseUrl: string }
  | { readonly kind: 'erase'; readonly databaseUrl: string };

/** What the publish process runs (see process.ts). */
export interface PublishJob {
  readonly task: PublishTask;
  /** The process ends itself after a step that takes longer. */
  readonly stallLimitMs: number;
}

/** What a thread gets as its `workerData`. */
export interface ThreadData {
  readonly task: Task;
  /** The memory of a `Progress`, for a publish. */
  readonly progress: SharedArrayBuffer | null;
}

/** Who publishes, and what the store does not know. */
export interface Publishing {
  /** Names this process among all that may publish. */
  readonly publisherId: string;
  /** Base URL to write where no server has recorded one. */
  readonly defaultOrigin: string;
  /** How to show authors where no server has recorded it; absent means in full. */
  readonly defaultAuthors?: AuthorDisplay;
  /** The file with the keys of the log; null or absent keeps them in the store. */
  readonly logKeyFile?: string | null;
  /** The language of pages and feeds; null is that of the business's country. Absent keeps the published one. */
  readonly siteLanguage?: string | null | undefined;
  /** Null or absent takes those of the current snapshot, which a server chose. */
  readonly people?: PeopleSettings | null;
}

/** Why a publish failed: an error as its process sends it. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
}

/** A part of the snapshot that was left out because making it failed. */
export interface Omission {
  /** For example `rating picture`. */
  readonly what: string;
  readonly reason: string;
}

/** What a thread answers. */
export type TaskResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'erased'; readonly isComplete: boolean }
  | { readonly kind: 'published'; readonly omitted: readonly Omission[] }
  | { readonly kind: 'loaded'; readonly snapshot: LoadedSnapshot | null };
