// What threads are asked to do, and what they answer.

import { ANALYSER } from '../insights/reuse.ts';
import type { LoadedSnapshot } from '../snapshot/unpack.ts';

/** The format of documents and search index. A snapshot of another format cannot be served. */
export const SNAPSHOT_FORMAT = 'public-reviews/25';

/** Changes whenever the same reviews would make other documents, or another index, than before. */
export const BUILDER = `${SNAPSHOT_FORMAT} ${ANALYSER}`;

/** The snapshot to load: built by this version of the program, and for this origin if it is known. */
export interface Wanted {
  readonly builder: string;
  readonly origin: string | null;
}

/** What a thread runs (see thread.ts); its `workerData`. */
export type Task =
  | { readonly kind: 'load'; readonly databaseUrl: string; readonly wanted: Wanted | null }
  | { readonly kind: 'checkpoint' | 'check' | 'erase'; readonly databaseUrl: string };

/** What a thread answers to each kind of task. */
export interface TaskResults {
  /** Null before the first publish. */
  readonly load: LoadedSnapshot | null;
  /** Writes are moved from SQLite's log to the database file. */
  readonly checkpoint: void;
  /** Thrown if the database file is damaged. */
  readonly check: void;
  /** What removals left is erased; whether nothing is left. */
  readonly erase: boolean;
}
