// Stage 1: files to reviews in the store. Rows are read and staged a few at a time, and merged in
// one transaction; publishing what was merged is the next stage.

import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InputError, show, tellIssue } from '../errors.ts';
import { csvMappingSchema, type CsvMapping, parseMapping } from './mapping.ts';
import { parseRecord } from './record.ts';
import { parseBusiness } from './json.ts';
import { type Format, readRows } from './rows.ts';
import { openSource } from './text.ts';
import type { Business } from '../model/business.ts';
import type { Database } from '../store/database.ts';
import { type MergeCounts, Staging } from '../store/merge.ts';
import { hasContent } from '../store/reviews.ts';
import { loadState } from '../store/snapshots.ts';

export interface ImportOptions {
  /** `json`, `ndjson`, `csv`, or the path of a mapping file for CSV; null goes by the file's name. */
  readonly format: string | null;
  /** Source of the rows that name none. */
  readonly source: string | null;
  /** Path of the business's record; null keeps what is stored, or takes what the files say. */
  readonly business: string | null;
  /** How the rows that say nothing of it were verified. */
  readonly verifiedBy: string | null;
  readonly dryRun: boolean;
  readonly prune: boolean;
  /** Whether this is the example business, which the first real import replaces. */
  readonly example: boolean;
}

/** What the person is told while it happens. */
export interface ImportListener {
  onProgress(bytesRead: number, bytesInAll: number): void;
  onRefused(file: string, line: number, reason: string): void;
  onMerging(): void;
}

export interface ImportReport extends MergeCounts {
  refused: number;
  /** Rows of all files: what the other counts, but the removed, add up to. */
  rows: number;
  /** Whether pruning was asked for and not done, because rows were refused. */
  pruneSkipped: boolean;
}

const FORMATS: Readonly<Record<string, Format>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

/**
 * Imports files in their order; of rows for the same review the last one counts.
 *
 * @throws {InputError} where a file cannot be read as its format: then nothing is stored.
 */
export async function importFiles(
  database: Database,
  files: readonly string[],
  options: ImportOptions,
  listener: ImportListener,
): Promise<ImportReport> {
  requireWords('--source', options.source);
  requireWords('--verified-by', options.verifiedBy);
  const { format, mapping } = await resolveFormat(options.format);
  const given = options.business === null ? null : await readBusiness(options.business);
  let found: Business | null = null;
  const sizes = await Promise.all(files.map(sizeOf));
  const bytesInAll = sizes.reduce((sum, size) => sum + size, 0);
  let bytesRead = 0;
  const onRead = (bytes: number) => {
    bytesRead += bytes;
    listener.onProgress(bytesRead, bytesInAll);
  };
  let [rows, refused] = [0, 0];
  const counts = await Staging.use(database, async (staging) => {
    for (const file of files) {
      const rowsOfFile = readRows(openSource(file, onRead), {
        format: format ?? formatOf(file),
        mapping,
        onBusiness: (business) => {
          found = business;
        },
      });
      for await (const row of rowsOfFile) {
        rows += 1;
        const parsed = 'record' in row ? parseRecord(row.record, options) : null;
        if (parsed?.ok) {
          await staging.add(parsed.value);
          continue;
        }
        refused += 1;
        const reason = parsed
          ? parsed.issues.map(tellIssue).join('; ')
          : (row as { refusal: string }).refusal;
        listener.onRefused(file, row.line, reason);
      }
    }
    listener.onMerging();
    return staging.merge({
      business: given ?? found,
      prune: options.prune && refused === 0,
      dryRun: options.dryRun,
      example: options.example,
    });
  });
  return { ...counts, refused, rows, pruneSkipped: options.prune && refused > 0 };
}

/** An option that a script left empty must not say that everything is proven. */
function requireWords(option: string, value: string | null): void {
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
  return { format: 'csv', mapping: parseMapping(format, await readSmall(format, '--format')) };
}

function formatOf(file: string): Format {
  const format = FORMATS[extname(file).toLowerCase()];
  if (format) return format;
  throw new InputError(
    `${file}: expected a name that ends in ${Object.keys(FORMATS).join(', ')}; ` +
      'for any other name say --format json, ndjson or csv',
  );
}

async function readBusiness(file: string): Promise<Business> {
  const text = await readSmall(file, '--business');
  try {
    return parseBusiness(file, JSON.parse(text));
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${file}: expected a business in JSON: ${String(error)}`, {
      cause: error,
    });
  }
}

async function readSmall(file: string, option: string): Promise<string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true });
    return text.decode(await readFile(file));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new InputError(`${file}: expected text in UTF-8, got bytes that are not`, {
        cause: error,
      });
    }
    throw new InputError(
      `${option}: expected a file that can be read${option === '--format' ? ', or json, ndjson or csv' : ''}, got "${file}"`,
      { cause: error },
    );
  }
}

/** 0 where there is no such file: reading it will say so. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}

/** Of the example business, beside the sources. */
const EXAMPLE_REVIEWS = new URL('../../examples/reviews.ndjson', import.meta.url);
const EXAMPLE_BUSINESS = new URL('../../examples/business.json', import.meta.url);

/** Imports the example business unless something real was imported; again it changes nothing. */
export async function importExample(database: Database): Promise<void> {
  const { example } = await loadState(database.read);
  if (!example && (await hasContent(database.read))) return;
  const options: ImportOptions = {
    format: 'ndjson',
    source: null,
    business: fileURLToPath(EXAMPLE_BUSINESS),
    verifiedBy: null,
    dryRun: false,
    // What an update of the program took out of the example goes.
    prune: true,
    example: true,
  };
  const { refused } = await importFiles(database, [fileURLToPath(EXAMPLE_REVIEWS)], options, {
    onProgress: () => undefined,
    onRefused: () => undefined,
    onMerging: () => undefined,
  });
  if (refused > 0) throw new Error(`the example has ${refused} rows that are no reviews`);
}
