// Import: files to reviews in the store. Rows are read and staged in batches, and merged in one
// transaction. Publishing what was merged is the next stage.

import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { formatIssue, InputError, show } from '../errors.ts';
import type { Business } from '../model/business.ts';
import type { Database } from '../store/database.ts';
import { type MergeCounts, Staging } from '../store/merge.ts';
import { parseBusiness } from './json.ts';
import { csvMappingSchema, type CsvMapping, parseMapping } from './mapping.ts';
import { parseRecord, type RecordOptions, type Row } from './record.ts';
import { type Format, readRows } from './rows.ts';
import { openSource, reasonOf } from './text.ts';

export interface ImportOptions extends RecordOptions {
  /** `json`, `ndjson`, `csv`, or the path of a mapping file for CSV; null goes by the file's name. */
  readonly format: string | null;
  /** Path of the business's record; null keeps the stored one, or takes the one in the files. */
  readonly business: string | null;
  readonly dryRun: boolean;
  readonly prune: boolean;
  /** Whether this is the example business, which the first real import replaces. */
  readonly example: boolean;
}

/** Is called while an import runs. */
export interface ImportListener {
  onProgress(bytesRead: number, totalBytes: number): void;
  onRefused(row: RefusedRow): void;
  onMerging(): void;
  /** In a dry run, after the merge: a row that would not be published, because it is not verified. */
  onUnverified(row: RowLocation): void;
}

export interface RowLocation {
  readonly file: string;
  readonly line: number;
}

export interface RefusedRow extends RowLocation {
  readonly reason: string;
}

export interface ImportReport extends MergeCounts {
  refused: number;
  /** Rows of all files: the sum of the other counts, except `removed`. */
  rows: number;
  /** Whether `--prune` did nothing, because rows were refused. */
  pruneSkipped: boolean;
}

const FORMATS: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};
/** Refused rows that the message of an import names when all rows were refused. */
const NAMED_REFUSALS = 3;

/**
 * Imports files in their order; of several rows for one review the last one counts.
 *
 * @throws {InputError} if a file cannot be read as its format, or if all rows were refused. Then nothing
 * is stored.
 */
export async function importFiles(
  database: Database,
  files: readonly string[],
  options: ImportOptions,
  listener: ImportListener,
): Promise<ImportReport> {
  requireText('--source', options.source);
  requireText('--verified-by', options.verifiedBy);
  const { format, mapping } = await resolveFormat(options.format);
  const fromOption = options.business === null ? null : await readBusiness(options.business);
  const rows = new RowReader(files, { format, mapping }, listener);
  return Staging.use(database, async (staging) => {
    const locations: RowLocation[] = [];
    const firstRefusals: RefusedRow[] = [];
    let [total, refused] = [0, 0];
    for await (const { file, row } of rows.read()) {
      total += 1;
      const parsed = 'record' in row ? parseRecord(row.record, options) : null;
      if (parsed?.ok) {
        await staging.add(parsed.value);
        if (options.dryRun) locations.push({ file, line: row.line });
        continue;
      }
      refused += 1;
      const reason =
        parsed?.issues.map(formatIssue).join('; ') ?? (row as { refusal: string }).refusal;
      const refusedRow = { file, line: row.line, reason };
      if (firstRefusals.length < NAMED_REFUSALS) firstRefusals.push(refusedRow);
      listener.onRefused(refusedRow);
    }
    if (refused > 0 && refused === total) throw allRefused(total, firstRefusals);
    listener.onMerging();
    const counts = await staging.merge({
      business: fromOption ?? rows.business,
      prune: options.prune && refused === 0,
      dryRun: options.dryRun,
      example: options.example,
    });
    if (options.dryRun) {
      for (const sequence of await staging.unverified()) {
        listener.onUnverified(locations[sequence - 1] as RowLocation);
      }
    }
    return { ...counts, refused, rows: total, pruneSkipped: options.prune && refused > 0 };
  });
}

/** Reads the rows of several files, one file after another. */
class RowReader {
  /** The last business that a file contained. */
  business: Business | null = null;
  readonly #files: readonly string[];
  readonly #options: { format: Format | null; mapping: CsvMapping };
  readonly #listener: ImportListener;

  constructor(
    files: readonly string[],
    options: { format: Format | null; mapping: CsvMapping },
    listener: ImportListener,
  ) {
    this.#files = files;
    this.#options = options;
    this.#listener = listener;
  }

  async *read(): AsyncGenerator<{ file: string; row: Row }> {
    const { format, mapping } = this.#options;
    const sizes = await Promise.all(this.#files.map(sizeOf));
    const totalBytes = sizes.reduce((sum, size) => sum + size, 0);
    let bytesRead = 0;
    const onRead = (bytes: number) => {
      bytesRead += bytes;
      this.#listener.onProgress(bytesRead, totalBytes);
    };
    for (const file of this.#files) {
      const rows = readRows(openSource(file, onRead), {
        format: format ?? formatOf(file),
        mapping,
        onBusiness: (business) => {
          this.business = business;
        },
      });
      for await (const row of rows) yield { file, row };
    }
  }
}

function allRefused(total: number, first: readonly RefusedRow[]): InputError {
  const which = total === 1 ? 'the only row was' : `all ${total} rows were`;
  const lines = first.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
  const more = total > first.length ? [`and ${total - first.length} more`] : [];
  return new InputError([`nothing was imported: ${which} refused`, ...lines, ...more].join('\n'));
}

/** An empty option, as from an unset variable of a script, must not count as a proof. */
function requireText(option: string, value: string | null): void {
  if (value?.trim() === '') throw new InputError(`${option}: expected text, got ${show(value)}`);
}

async function resolveFormat(
  format: string | null,
): Promise<{ format: Format | null; mapping: CsvMapping }> {
  const standard = csvMappingSchema.parse({});
  if (format === null) return { format: null, mapping: standard };
  if (format === 'json' || format === 'ndjson' || format === 'csv') {
    return { format, mapping: standard };
  }
  const expected = 'json, ndjson, csv, or a mapping file that can be read';
  const text = await readSmall(format, '--format', expected);
  return { format: 'csv', mapping: parseMapping(format, text) };
}

function formatOf(file: string): Format {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format) return format;
  throw new InputError(
    `${file}: expected a name that ends in ${Object.keys(FORMATS).join(', ')}; ` +
      'for any other name add --format json, ndjson or csv',
  );
}

async function readBusiness(file: string): Promise<Business> {
  const text = await readSmall(file, '--business', 'a file that can be read');
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw new InputError(`${file}: expected a business in JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return parseBusiness(file, record);
}

/** Reads a whole file of UTF-8 text that an option names. */
async function readSmall(file: string, option: string, expected: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new InputError(`${file}: expected text in UTF-8, got other bytes`, { cause: error });
    }
    throw new InputError(
      `${option}: expected ${expected}, got "${file}", which ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** 0 if there is no such file: reading it reports that. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
