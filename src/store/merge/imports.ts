// The records of imports: what was read, what the merge did, and whether it is published.

import type { Selectable } from 'kysely';
import type { Database } from '../database.ts';
import type { Executor } from '../engine.ts';
import type { NearDuplicate } from './near-duplicates.ts';
import type { ImportRow } from '../schema.ts';

/** Older records are deleted. */
const KEPT_RECORDS = 1_000;
/** Refused rows that a record names; its counts have the number of all. */
export const RECORDED_REFUSALS = 100;
/** Characters of a recorded message. */
const LONGEST_MESSAGE = 1_000;

export interface ImportOrigin {
  readonly command: string;
  /** The user and the host that ran it. */
  readonly operator: string;
  readonly startedAtMs: number;
  /** How the last import of the same source failed: of equal failures in a row only the first is recorded. */
  readonly knownFailure?: string | null;
}

export interface ImportedFile {
  readonly name: string;
  readonly bytes: number;
}

export interface RefusedLine {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** What an import read: everything but the counts of its merge. */
export interface ImportInput {
  readonly files: readonly ImportedFile[];
  /** The options of the command that were given. */
  readonly options: Readonly<Record<string, string | boolean>>;
  readonly rows: number;
  readonly refused: number;
  readonly refusedLines: readonly RefusedLine[];
  /** What the files were taken for, and what was left out or changed. Absent in records of earlier versions. */
  readonly remarks?: readonly string[];
}

export interface ImportRecord {
  readonly origin: ImportOrigin;
  readonly input: ImportInput;
}

/** What a merge did; all but `removed`, `unverified` and `hidden` add up to the staged rows. */
export interface MergeCounts {
  added: number;
  updated: number;
  unchanged: number;
  /** Rows superseded by a later row of the same import for the same review. */
  duplicate: number;
  /** Rows of reviews that were removed for good, which are left out. */
  suppressed: number;
  removed: number;
  /** Reviews of the import that are not verified after it, and so not published. */
  unverified: number;
  /** Verified reviews of the import that are hidden, and so not published. */
  hidden: number;
}

/** Of what reads no rows. */
export const NO_ROWS = { files: [], options: {}, rows: 0, refused: 0, refusedLines: [] } as const;

interface StoredReport extends ImportInput {
  /** Null if nothing was merged. */
  readonly counts: Readonly<
    Omit<MergeCounts, 'hidden' | 'suppressed'> &
      // Absent in records of earlier versions.
      Partial<MergeCounts>
  > | null;
  readonly businessChanged: boolean;
  readonly nearDuplicates?: readonly NearDuplicate[];
}

/**
 * `failed`: nothing was merged. `unchanged`: the merge changed nothing. `pending`: not published yet.
 * `publish failed`: stored, and the last attempt to publish it failed.
 */
type ImportOutcome = 'failed' | 'unchanged' | 'pending' | 'publish failed' | 'published';

export interface RecordedImport extends Omit<ImportOrigin, 'knownFailure'> {
  readonly number: number;
  readonly outcome: ImportOutcome;
  readonly error: string | null;
  readonly publishedAtMs: number | null;
  readonly report: StoredReport;
}

/** When the last import of reviews began that changed something, ms since 1970; null if there is none. */
export async function loadLastImport(executor: Executor): Promise<number | null> {
  const row = await executor
    .selectFrom('imports')
    .select(({ fn }) => fn.max('started_at').as('at'))
    .where((eb) => eb.or([eb('command', '=', 'import'), eb('command', 'like', 'sync %')]))
    .where('content_version', 'is not', null)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** The newest record of an import of files, whose failures nothing else tells; null if there is none. */
export async function loadNewestImport(executor: Executor): Promise<RecordedImport | null> {
  const imports = executor.selectFrom('imports').where('command', '=', 'import');
  const row = await imports.selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
  return row ? importOfRow(row) : null;
}

/** Records an import that merged nothing, and why; unless that is known. */
export async function recordFailure(
  database: Database,
  origin: ImportOrigin,
  input: ImportInput,
  error: string,
): Promise<void> {
  // A source keeps the start of a long error.
  if (origin.knownFailure && error.startsWith(origin.knownFailure)) return;
  const report = { ...input, counts: null, businessChanged: false };
  await database.write((transaction) =>
    recordMerge(transaction, origin, report, null, shorten(error)),
  );
}

/**
 * Records a merge in its transaction; returns the number of the record. `contentVersion` is the content that
 * the merge made, null if it changed nothing.
 */
export async function recordMerge(
  transaction: Executor,
  { command, operator, startedAtMs }: ImportOrigin,
  report: StoredReport,
  contentVersion: number | null,
  error: string | null = null,
): Promise<number> {
  const refusedLines = report.refusedLines
    .slice(0, RECORDED_REFUSALS)
    .map((line) => ({ ...line, reason: shorten(line.reason) }));
  const json = JSON.stringify({ ...report, refusedLines });
  // Of imports that changed nothing, as a timer repeats them, the newest is kept.
  const same = { command, report: json, content_version: null, error };
  const equal = transaction.deleteFrom('imports').where((eb) => eb.and(same));
  await equal.execute();
  const { number } = await transaction
    .insertInto('imports')
    .values({
      started_at: startedAtMs,
      command,
      operator,
      report: json,
      error,
      content_version: contentVersion,
      published_at: null,
      publish_error: null,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  const older = transaction.deleteFrom('imports').where('number', '<=', number - KEPT_RECORDS);
  await older.execute();
  return number;
}

export async function markPublished(
  transaction: Executor,
  contentVersion: number,
  publishedAtMs: number,
): Promise<void> {
  await transaction
    .updateTable('imports')
    .set({ published_at: publishedAtMs, publish_error: null })
    .where('content_version', '<=', contentVersion)
    .where('published_at', 'is', null)
    .execute();
}

/** Records why an import could not be published, unless it was meanwhile. */
export async function recordPublishFailure(
  database: Database,
  number: number,
  error: string,
): Promise<void> {
  await database.write(async (transaction) => {
    await transaction
      .updateTable('imports')
      .set({ publish_error: shorten(error) })
      .where('number', '=', number)
      .where('content_version', 'is not', null)
      .where('published_at', 'is', null)
      .execute();
  });
}

export async function listImports(
  executor: Executor,
  limit = KEPT_RECORDS,
): Promise<RecordedImport[]> {
  const newest = executor.selectFrom('imports').orderBy('number', 'desc').limit(limit);
  return (await newest.selectAll().execute()).map(importOfRow);
}

export async function findImport(
  executor: Executor,
  number: number,
): Promise<RecordedImport | null> {
  const imports = executor.selectFrom('imports').where('number', '=', number);
  const row = await imports.selectAll().executeTakeFirst();
  return row ? importOfRow(row) : null;
}

function importOfRow(row: Selectable<ImportRow>): RecordedImport {
  return {
    number: row.number,
    command: row.command,
    operator: row.operator,
    startedAtMs: row.started_at,
    outcome: outcomeOf(row),
    error: row.error ?? row.publish_error,
    publishedAtMs: row.published_at,
    report: JSON.parse(row.report) as StoredReport,
  };
}

function outcomeOf(row: Selectable<ImportRow>): ImportOutcome {
  if (row.error !== null) return 'failed';
  if (row.content_version === null) return 'unchanged';
  if (row.published_at !== null) return 'published';
  return row.publish_error === null ? 'pending' : 'publish failed';
}

function shorten(message: string): string {
  return message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE - 3)}...` : message;
}

/** Takes removed reviews out of the near duplicates that records name: an id may be derived from the author. */
export async function scrubImports(transaction: Executor, ids: readonly string[]): Promise<void> {
  const removed = new Set(ids);
  const rows = await transaction
    .selectFrom('imports')
    .select(['number', 'report'])
    .where('report', 'like', '%"nearDuplicates":[{%')
    .execute();
  for (const { number, report } of rows) {
    const stored = JSON.parse(report) as StoredReport;
    const kept = stored.nearDuplicates?.filter(
      (pair) => !removed.has(pair.id) && !removed.has(pair.of),
    );
    if (kept?.length === stored.nearDuplicates?.length) continue;
    await transaction
      .updateTable('imports')
      .set({ report: JSON.stringify({ ...stored, nearDuplicates: kept }) })
      .where('number', '=', number)
      .execute();
  }
}
