// What a stored snapshot consists of, and when each part of it last changed. The next publish is
// built against the manifest of the one before, never against a clock alone.

import { DOCUMENT_PATHS, type DocumentPath, ENCODINGS, type Encoding } from './documents.ts';

export interface Manifest {
  /** The program that built it; another builds anew. */
  readonly builder: string;
  readonly number: number;
  /** Base URL that is written in feeds and links, without a trailing slash. */
  readonly origin: string;
  /** Seconds since 1970, like every time here; grows by at least one with every snapshot. */
  readonly publishedAt: number;
  /** When the very first snapshot of this store was published. */
  readonly firstPublishedAt: number;
  readonly documents: Readonly<Record<DocumentPath, DocumentState>>;
  /** Newest first; a day without reviews any more stays, with a null hash. */
  readonly days: readonly DayState[];
  /** Name of the part with the search index. */
  readonly index: string;
  /** Its bytes when it is unpacked; not known of what an earlier version built. */
  readonly indexBytes?: number | undefined;
}

export interface DocumentState {
  /** Hash of all that the document says, its own time left out. */
  readonly contentHash: string;
  readonly changedAt: number;
  /** Start of the names of its parts. */
  readonly part: string;
  /** Its bytes when it is unpacked; not known of what an earlier version built. */
  readonly bytes?: number;
}

export interface DayState {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Hash of that day's reviews, null where there are none any more. */
  readonly hash: string | null;
  readonly changedAt: number;
}

export function partName(document: DocumentState, encoding: Encoding): string {
  return `${document.part}.${encoding}`;
}

/** The names of all parts of a snapshot. */
export function partsOf(manifest: Manifest): string[] {
  const documents = DOCUMENT_PATHS.flatMap((path) =>
    ENCODINGS.map((encoding) => partName(manifest.documents[path], encoding)),
  );
  return [...documents, manifest.index];
}
