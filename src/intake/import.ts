// Import: files to reviews in the store. Rows are read and staged in batches, and merged in one
// transaction. Publishing what was merged is the next stage.

import { formatIssue, InputError, show } from '../errors.ts';
import type { Business } from '../model/business.ts';
import { isOfHealth } from '../model/verticals.ts';
import type { Database } from '../store/database.ts';
import {
  type ImportedFile,
  type ImportInput,
  type ImportOrigin,
  listImports,
  NO_ROWS,
  recordFailure,
  type RefusedLine,
  type MergeCounts,
} from '../store/merge/imports.ts';
import { loadIdKey } from '../store/reviews/keyed-ids.ts';
import { Staging } from '../store/merge/merge.ts';
import type { Gone } from '../store/merge/staged.ts';
import { loadBusiness } from '../store/reviews/reviews.ts';
import type { NamedDuplicate } from '../store/merge/near-duplicates.ts';
import { ANY_DATE, parseRecord, type RecordOptions, type Row } from './record.ts';
import { RowTally } from './row-tally.ts';
import { type FormatChoice, parseFormatChoice, remarkOn } from './formats/recognise.ts';
import { type Page, restOf } from './formats/page.ts';
import { type ReadBusiness, readBusiness } from './formats/small-files.ts';
import { type InputFile, type InputOptions, type Inputs, withInputs } from './input-files.ts';

export interface ImportOptions extends RecordOptions {
  /** The name of a format, or the path of a mapping file; `auto` and null recognise it by the content. */
  readonly format: string | null;
  /** Path of the business's record; null keeps the stored one, or takes the one in the files. */
  readonly business: string | null;
  readonly takesBusiness: boolean;
  readonly dryRun: boolean;
  readonly prune: boolean;
  /** Whether new reviews are hidden; absent as this was chosen last, if the business is one of health. */
  readonly hides?: boolean | undefined;
  readonly example: boolean;
  /** Who imports; null keeps no record of this import. */
  readonly origin: ImportOrigin | null;
  readonly remarks?: readonly string[];
  /** Names of the files for messages, by path; absent names have their paths. */
  readonly names?: ReadonlyMap<string, string>;
  readonly areMembers?: boolean;
}

/** An import that takes all dates, recognises the format and leaves no record of itself. */
export const PLAIN_IMPORT: ImportOptions = {
  format: null,
  source: null,
  business: null,
  verifiedBy: null,
  dates: ANY_DATE,
  takesBusiness: true,
  dryRun: false,
  prune: false,
  example: false,
  origin: null,
};

const BUSINESS_LEFT_OUT =
  'business: the one in this source was left out; to take it, set "business": true for the source';

/** Is called while an import runs. */
export interface ImportListener {
  onProgress(bytesRead: number, totalBytes: number): void;
  onRefused(row: RefusedLine): void;
  onMerging(): void;
  /** What would be pruned, while the store is not locked; fails if it must not be. */
  onPrune?(gone: readonly Gone[]): void | Promise<void>;
  /** Something that the operator should know about a file. */
  onNote?(note: string): void;
  /** In a dry run, after the merge: a row that would not be published, because it is not verified. */
  onUnverified(row: RowLocation): void;
}

const ignore = () => undefined;
/** Ignores everything. */
export const SILENT: ImportListener = {
  onProgress: ignore,
  onRefused: ignore,
  onMerging: ignore,
  onUnverified: ignore,
};

export interface RowLocation {
  readonly file: string;
  readonly line: number;
}

export interface ImportReport extends MergeCounts {
  refused: number;
  /** Rows of all files: the sum of the other counts, except `removed`. */
  rows: number;
  /** Whether `--prune` did nothing, because rows were refused. */
  pruneSkipped: boolean;
  /** Rows that their platform does not publish; they are not counted in `rows`. */
  leftOut: number;
  /** What the files were taken for, and what was left out or changed. */
  remarks: readonly string[];
  /** The number of the record of this import; null if none was kept. */
  number: number | null;
  /** Whether new reviews are hidden. */
  hides: boolean;
  /** New reviews that are like others, the first 100. */
  nearDuplicates: readonly NamedDuplicate[];
  /** The names of files that could not be read beside others. */
  readonly failed: readonly string[];
}

/** The options of an import, with what they name. */
export interface PreparedImport {
  readonly options: ImportOptions;
  readonly choice: FormatChoice;
  readonly choices?: ReadonlyMap<string, FormatChoice>;
  /** Of the option; null if the files may contain one. */
  readonly business: ReadBusiness | null;
}

/** What is wrong with words that say how reviews were verified; null if nothing is. */
export function faultOfProof(how: string): string | null {
  if (!/^(?:[a-z]|yes|no)$/i.test(how)) return null;
  return `expected how you know it, such as "receipt", got ${show(how)}`;
}

/**
 * Reads what the options name. It needs no store, so that wrong options do not create one.
 *
 * @throws {InputError} if an option, a mapping file or a business file is invalid.
 */
export async function prepareImport(options: ImportOptions): Promise<PreparedImport> {
  requireText('--source', options.source);
  requireText('--verified-by', options.verifiedBy);
  const fault = faultOfProof(options.verifiedBy ?? '');
  if (fault !== null) throw new InputError(`--verified-by: ${fault}`);
  const choice = await parseFormatChoice(options.format);
  const business =
    options.business === null ? null : await readBusiness(options.business, '--business');
  return { options, choice, business };
}

/**
 * Imports files in their order; of several rows for one review the last one counts.
 *
 * @throws {InputError} if a file cannot be read as its format, or if all rows were refused. Then nothing
 * is stored.
 */
export async function importFiles(
  database: Database,
  files: readonly string[],
  prepared: PreparedImport,
  listener: ImportListener,
): Promise<ImportReport> {
  const { options } = prepared;
  const hides = options.hides ?? (await hidesStill(database, prepared));
  let hasFiles = false;
  try {
    return await withInputs(files, inputOptions(prepared), (inputs) => {
      hasFiles = true;
      return importInputs(database, inputs, { ...prepared, hides }, listener);
    });
  } catch (error) {
    if (error instanceof InputError && !hasFiles && options.origin && !options.dryRun) {
      const named = files.map((path) => ({ name: options.names?.get(path) ?? path, bytes: 0 }));
      const input = { ...NO_ROWS, files: named, options: givenOptions(options) };
      await recordFailure(database, options.origin, input, error.message);
    }
    throw error;
  }
}

export function inputOptions({ options, choice, choices }: PreparedImport): InputOptions {
  const { names, prune, areMembers } = options;
  return { choiceFor: (name) => choices?.get(name) ?? choice, names, prune, areMembers };
}

/** Whether a column says of each row whether its author agrees to be shown. */
export function readsConsent({ choice, choices }: PreparedImport): boolean {
  return [choice, ...(choices?.values() ?? [])].some(
    (one) => one.kind === 'mapping' && Object.keys(one.mapping.agreed).length > 0,
  );
}

/** Whether the last import that chose hides reviews of patients who were not asked; if none chose, a source, which nobody watches. */
async function hidesStill({ read }: Database, prepared: PreparedImport): Promise<boolean> {
  const { vertical } = await loadBusiness(read);
  if (readsConsent(prepared) || !isOfHealth(vertical)) return false;
  const chose = (await listImports(read)).find(({ report }) => 'hidden' in report.options);
  if (chose === undefined) return prepared.options.origin?.command.startsWith('sync ') === true;
  return chose.report.options['hidden'] === true;
}

async function importInputs(
  database: Database,
  inputs: Inputs,
  { options, hides, business: fromOption }: PreparedImport & { readonly hides: boolean },
  listener: ImportListener,
): Promise<ImportReport> {
  for (const note of fromOption?.notes ?? []) listener.onNote?.(note);
  const rows = new RowReader(inputs);
  const tally = new RowTally();
  const input = (): ImportInput => {
    const { rows: count, refused, refusedLines } = tally;
    return {
      files: rows.files,
      options: givenOptions(options),
      rows: count,
      refused,
      refusedLines,
      remarks: [
        ...(options.remarks ?? []),
        ...rows.remarks,
        ...tally.remarks,
        ...(rows.business === null || options.takesBusiness ? [] : [BUSINESS_LEFT_OUT]),
      ],
    };
  };
  try {
    const idKey = await loadIdKey(database, options.dryRun);
    return await Staging.use(database, async (staging) => {
      const read = rows.read((done, total) => listener.onProgress(done, total));
      const locations = await stage(staging, read, { tally, options, idKey, listener });
      tally.assertSomeAccepted();
      listener.onMerging();
      const { rows: count, refused } = tally;
      const { origin, dryRun, example } = options;
      const counts = await staging.merge({
        business: fromOption?.business ?? (options.takesBusiness ? rows.business : null),
        logo: fromOption?.logo ?? null,
        header: fromOption?.header ?? null,
        prune: options.prune && refused === 0,
        onPrune: (gone) => listener.onPrune?.(gone),
        hides,
        dryRun,
        example,
        record: origin && { origin, input: input() },
      });
      if (dryRun) {
        for (const sequence of await staging.unverified()) {
          listener.onUnverified(locations[sequence - 1] as RowLocation);
        }
      }
      const { remarks = [] } = input();
      const { importNumber: number, nearDuplicates, changes } = staging;
      return {
        ...counts,
        refused,
        rows: count,
        leftOut: tally.leftOut,
        remarks: [...remarks, ...changes],
        pruneSkipped: options.prune && refused > 0,
        number,
        hides,
        nearDuplicates,
        failed: inputs.failed,
      };
    });
  } catch (error) {
    if (error instanceof InputError && options.origin && !options.dryRun) {
      await recordFailure(database, options.origin, input(), error.message);
    }
    throw error;
  }
}

interface StageParts {
  readonly tally: RowTally;
  readonly options: ImportOptions;
  readonly idKey: string;
  readonly listener: ImportListener;
}

/** Stages the valid rows. Returns the locations of the staged rows, in a dry run only. */
async function stage(
  staging: Staging,
  rows: AsyncIterable<{ file: string; row: Row }>,
  { tally, options, idKey, listener }: StageParts,
): Promise<RowLocation[]> {
  const locations: RowLocation[] = [];
  const latest = new Map<string, number>();
  for await (const { file, row } of rows) {
    const refuse = (reason: string) => {
      const refused = { file, line: row.line, reason };
      tally.refuse(refused);
      listener.onRefused(refused);
    };
    if ('leftOut' in row) {
      tally.leaveOut(row.isNamed ? `${file}:${row.line}: ${row.leftOut}` : row.leftOut);
      const parsed = parseRecord(row.record, options, idKey);
      if (parsed.ok) await staging.disagree(parsed.value);
    } else if ('refusal' in row) refuse(row.refusal);
    else {
      const parsed = parseRecord(row.record, options, idKey);
      if (!parsed.ok) {
        refuse(parsed.issues.map(formatIssue).join('; '));
        continue;
      }
      if (row.updated !== undefined) {
        const { id } = parsed.value;
        const time = Date.parse(row.updated);
        if (time < (latest.get(id) ?? time)) {
          tally.leaveOut('an older version of a review that another row has');
          continue;
        }
        latest.set(id, time);
      }
      tally.accept(row.notes);
      await staging.add(parsed.value);
      if (options.dryRun) locations.push({ file, line: row.line });
    }
  }
  return locations;
}

function givenOptions(options: ImportOptions): ImportInput['options'] {
  const { format, source, business, verifiedBy, prune, hides } = options;
  const given = {
    format,
    source,
    business,
    verified_by: verifiedBy,
    prune: prune || null,
    hidden: hides ?? null,
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string | boolean] => entry[1] !== null),
  );
}

/** Reads the rows of several files, one file after another. */
class RowReader {
  /** The last business that a file contained. */
  business: Business | null = null;
  readonly #files: readonly InputFile[];
  /** What was left out, and what the files were taken for, where their names do not say it. */
  readonly remarks: string[];

  constructor({ files, leftOut }: Inputs) {
    this.#files = files;
    this.remarks = [...leftOut];
  }

  get files(): readonly ImportedFile[] {
    return this.#files.map(({ name, bytes }) => ({ name, bytes }));
  }

  async *read(
    onProgress: ImportListener['onProgress'],
  ): AsyncGenerator<{ file: string; row: Row }> {
    const totalBytes = this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
    let bytesRead = 0;
    let all = 0;
    const pages: { readonly name: string; readonly page: Page; readonly count: number }[] = [];
    const onRead = (bytes: number) => onProgress((bytesRead += bytes), totalBytes);
    for (const file of this.#files) {
      const { name, chosen } = file;
      const source = file.open(onRead);
      const rows = chosen.read(source, (business) => {
        this.business = business;
      });
      let count = 0;
      for await (const row of rows) {
        count += 1;
        yield { file: name, row };
      }
      const remark = remarkOn(source, chosen);
      if (remark !== null) this.remarks.push(remark);
      all += count;
      if (chosen.page !== null) pages.push({ name, page: chosen.page, count });
    }
    // Each of several files has the number of all reviews.
    for (const { name, page, count } of pages) {
      const rest = page[1] !== null && page[1] <= all ? null : restOf(page, count);
      if (rest !== null) this.remarks.push(`${name}: ${rest}`);
    }
  }
}

/** An empty option, as from an unset variable of a script, must not count as a proof. */
function requireText(option: string, value: string | null): void {
  if (value?.trim() === '') throw new InputError(`${option}: expected text, got ${show(value)}`);
}
