// Keeps the store in step with a source: looks what is new there, imports it, and remembers what was seen. A
// failure is recorded, and tried again later; it concerns no other source.

import { tmpdir } from 'node:os';
import { InputError } from '../../errors.ts';
import { type GoogleAccess, type ImportSource, placeOf } from '../../model/import-source.ts';
import type { Database } from '../../store/database.ts';
import { type ImportOrigin, NO_ROWS, recordFailure } from '../../store/merge/imports.ts';
import type { SourceRow } from '../../store/schema.ts';
import { assertMostKept } from '../../store/merge/merge.ts';
import {
  claimSource,
  recordSource,
  renewSource,
  SOURCE_CLAIM_MS,
  type SourceOutcome,
} from '../../store/merge/sources.ts';
import { openFolder } from '../../store/temporary-files.ts';
import { collect, type Seen } from './collect.ts';
import { BusyServer } from './fetch-source.ts';
import { googleFormat } from './google.ts';
import { importFiles, type ImportReport, PLAIN_IMPORT, prepareImport, SILENT } from '../import.ts';
import { datesUntilTomorrow } from '../record.ts';

const POSTPONED_MS = 5_000;
/** The wait after a first failure; it doubles with every further one, up to the interval. */
const FIRST_RETRY_MS = 60_000;
/** Waits differ by up to this part, so that sources and servers do not act at the same moment. */
const JITTER = 0.1;

export interface SyncOptions {
  readonly owner: string;
  readonly operator: string;
  readonly reviewDateEarliest: string;
  readonly google: GoogleAccess;
  /** Whether to leave a source alone whose time has not come. */
  readonly mustBeDue: boolean;
}

export type SyncResult =
  | { readonly outcome: 'imported'; readonly report: ImportReport }
  | { readonly outcome: 'unchanged' | 'postponed'; readonly leftOut: readonly string[] }
  | { readonly outcome: 'not claimed' }
  | { readonly outcome: 'failed'; readonly error: string };

/** Looks at a source once. A fault of the store is thrown; everything else is a result. */
export async function syncSource(
  database: Database,
  source: ImportSource,
  { owner, operator, reviewDateEarliest, google, mustBeDue }: SyncOptions,
): Promise<SyncResult> {
  const { name } = source;
  const startedAtMs = Date.now();
  const row = await claimSource(database, name, owner, { nowMs: startedAtMs, mustBeDue });
  if (row === null) return { outcome: 'not claimed' };
  const renewal = setInterval(() => {
    // If it fails, the claim runs out, and the import is still whole.
    renewSource(database, name, owner, Date.now()).catch(() => undefined);
  }, SOURCE_CLAIM_MS / 3);
  const folder = await openFolder(tmpdir(), 'sync');
  const record = (outcome: Omit<SourceOutcome, 'nowMs'>) =>
    recordSource(database, name, owner, { ...outcome, nowMs: Date.now() });
  try {
    const before = row.seen === null ? null : (JSON.parse(row.seen) as Seen);
    const origin = { command: `sync ${name}`, operator, startedAtMs, knownFailure: row.error };
    const { copies, seen, isBusy, leftOut } = await collect(source, before, folder.path, {
      nowMs: startedAtMs,
      google,
    }).catch(async (error: unknown) => {
      await recordUnreadable(database, source, origin, error);
      throw error;
    });
    const next = Date.now() + (isBusy ? POSTPONED_MS : spread(source.every_minutes * 60_000));
    if (copies.length === 0) {
      await record({ nextAtMs: next, seen: JSON.stringify(seen), isPostponed: isBusy });
      return { outcome: isBusy ? 'postponed' : 'unchanged', leftOut };
    }
    const names = new Map(copies.map((copy) => [copy.path, copy.name]));
    const prepared = await prepareImport({
      ...PLAIN_IMPORT,
      format: googleFormat(source) ?? source.format,
      source: source.source,
      verifiedBy: source.verified_by,
      takesBusiness: source.business,
      dates: datesUntilTomorrow(reviewDateEarliest, startedAtMs),
      prune: source.prune,
      origin,
      names,
      areMembers: source.directory !== null,
      remarks: leftOut,
    });
    const paths = copies.map(({ path }) => path);
    // Nobody looks at what a source answers: it may be half of it.
    const listener = { ...SILENT, onPrune: assertMostKept };
    const report = await importFiles(database, paths, prepared, listener);
    // A file that failed beside others is looked at again, and then fails the source.
    const isSeen = ([path]: [string, string]) => !report.failed.includes(path);
    const files = Object.fromEntries(Object.entries(seen.files).filter(isSeen));
    await record({ nextAtMs: next, seen: JSON.stringify({ ...seen, files }) });
    return { outcome: 'imported', report };
  } catch (error) {
    if (!(error instanceof InputError)) {
      await record({ nextAtMs: retryAt(source, row), error: String(error) }).catch(() => undefined);
      throw error;
    }
    const waitMs = error instanceof BusyServer ? error.waitMs : 0;
    const nextAtMs = Math.max(retryAt(source, row), Date.now() + spread(waitMs));
    await record({ nextAtMs, error: error.message });
    return { outcome: 'failed', error: error.message };
  } finally {
    clearInterval(renewal);
    await folder.close();
  }
}

async function recordUnreadable(
  database: Database,
  source: ImportSource,
  origin: ImportOrigin,
  error: unknown,
): Promise<void> {
  if (!(error instanceof InputError)) return;
  const input = { ...NO_ROWS, files: [{ name: placeOf(source), bytes: 0 }] };
  await recordFailure(database, origin, input, error.message);
}

function retryAt({ every_minutes }: ImportSource, { failures }: SourceRow): number {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), every_minutes * 60_000);
  return Date.now() + spread(waitMs);
}

function spread(waitMs: number): number {
  return Math.round(waitMs * (1 + JITTER * Math.random()));
}
