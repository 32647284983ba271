// The parts of a stored snapshot, and when each last changed. The next publish compares with the
// previous manifest, never with a clock alone. Its members are stored: their names stay. All times are seconds since 1970.

import type { Publication } from '../log/entries.ts';
import type { LoggedReason } from '../model/removal.ts';
import type { VerificationCounts } from '../model/verification.ts';
import { DOCUMENT_PATHS, type DocumentPath, ENCODINGS, type Encoding } from './documents.ts';

export interface Manifest {
  /** The version of the program that built it; another version rebuilds everything. */
  readonly builder: string;
  /** Which people insights show (describePeople); absent in manifests of earlier versions. */
  readonly people?: string | undefined;
  readonly number: number;
  /** Base URL in feeds and links, without a trailing slash. */
  readonly origin: string;
  /** The setting of the server that published; null is the language of the business's country. */
  readonly siteLanguage: string | null;
  /** Seconds since 1970, like all times here; increases by at least one with every snapshot. */
  readonly publishedAt: number;
  /** When the very first snapshot of this store was published. */
  readonly firstPublishedAt: number;
  readonly documents: Readonly<Record<DocumentPath, DocumentState>>;
  /** Newest first; a day that lost all its reviews stays, with a null hash. */
  readonly days: readonly DayState[];
  /** The name of the part with the search index. */
  readonly index: string;
  /** The decompressed size in bytes; absent in manifests of earlier versions. */
  readonly indexBytes?: number | undefined;
  /** Absent in manifests of earlier versions. */
  readonly details?: DetailsManifest | undefined;
  /** Absent in manifests of earlier versions. */
  readonly log?: LogManifest | undefined;
  /** The name of the part with results that the next publish may use again; absent in manifests of earlier versions. */
  readonly results?: string | undefined;
}

/** What a snapshot says of its reviews beside their records. */
export interface DetailsManifest {
  /** Hash of how each review was verified, and of its title. */
  readonly hash: string;
  /** When `counts` last changed. */
  readonly changedAt: number;
  readonly counts: Omit<VerificationCounts, 'version' | 'updated_at'>;
}

/** What a snapshot says of the log. */
export interface LogManifest {
  /** Whether it is the log of the example business, which a real one replaces. */
  readonly example: boolean;
  /** Entries. The store may have more: those of a publish that was killed. */
  readonly size: number;
  /** The signed checkpoint, without cosignatures. */
  readonly checkpoint: string;
  /** The verifier keys that it is signed with. */
  readonly keys: readonly string[];
  /** The newest publication in the log. */
  readonly publication: Publication;
  /** Removals so far, by reason. */
  readonly reasons: Readonly<Partial<Record<LoggedReason, number>>>;
  /** The name of the part with the openings of the published reviews. */
  readonly part: string;
}

export interface DocumentState {
  /** Hash of the document without its time. */
  readonly contentHash: string;
  readonly changedAt: number;
  /** The prefix of the names of its parts. */
  readonly part: string;
  /** The decompressed size in bytes; absent in manifests of earlier versions. */
  readonly bytes?: number;
  /** Whether the body is stored in blocks too, from which it is served. */
  readonly blocks?: true;
}

export interface DayState {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Hash of that day's reviews; null if there are none any more. */
  readonly hash: string | null;
  readonly changedAt: number;
}

export function partName(document: DocumentState, encoding: Encoding | 'blocks'): string {
  return `${document.part}.${encoding}`;
}

/** The names of all parts of a snapshot. */
export function partsOf(manifest: Manifest): string[] {
  const documents = DOCUMENT_PATHS.flatMap((path) => {
    const document = manifest.documents[path];
    const forms = document.blocks ? ([...ENCODINGS, 'blocks'] as const) : ENCODINGS;
    return forms.map((form) => partName(document, form));
  });
  const others = [manifest.index, manifest.log?.part, manifest.results];
  return [...documents, ...others.filter((part) => part !== undefined)];
}
