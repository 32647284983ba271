// `import`: merges the reviews of files into the store, publishes them, and reports both.

import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Config } from '../../config.ts';
import {
  ConnectionLostError,
  InputError,
  isUnavailable,
  show,
  UnavailableError,
  withoutControls,
} from '../../errors.ts';
import {
  importFiles,
  inputOptions,
  type ImportListener,
  type ImportReport,
  type PreparedImport,
  prepareImport,
  readsConsent,
  SILENT,
  type RowLocation,
} from '../../intake/import.ts';
import { AS_TABLE } from '../../intake/formats/json.ts';
import { type FormatChoice, Undecided, UnknownTable } from '../../intake/formats/recognise.ts';
import { withInputs } from '../../intake/input-files.ts';
import { datesUntilTomorrow } from '../../intake/record.ts';
import { AllRefused } from '../../intake/row-tally.ts';
import { UNNAMED_BUSINESS } from '../../model/business.ts';
import { isLocalOrigin } from '../../model/origin.ts';
import { methodOf } from '../../model/verification.ts';
import { GENERAL_ONLY, isOfHealth } from '../../model/verticals.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import { Database } from '../../store/database.ts';
import { isServed } from '../../store/presence.ts';
import { findImport, type RefusedLine } from '../../store/merge/imports.ts';
import { assertMostKept } from '../../store/merge/merge.ts';
import type { NamedDuplicate } from '../../store/merge/near-duplicates.ts';
import type { Gone } from '../../store/merge/staged.ts';
import { listSources, loadBusiness } from '../../store/reviews/reviews.ts';
import { loadState } from '../../store/state.ts';
import { count } from '../reviews/remove.ts';
import { createFilled, tryInNewStore } from '../store/new-store.ts';
import { originOf } from '../operator.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { type ProposalFlags, settleFormat, settleTable, type TableFlags } from './proposal.ts';
import { type Ask, askInTerminal, Questions } from '../terminal/questions.ts';
import { ProgressBar } from '../terminal/progress.ts';
import { noteUnnamed, publishImport } from '../publish.ts';
import { withDatabase } from '../store/store.ts';
import { commandName } from '../../model/command-name.ts';

export interface ImportFlags extends TableFlags {
  readonly format?: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly yes?: boolean;
  readonly hidden?: boolean;
  /** The path of a mapping file; true to print the mapping that is proposed. */
  readonly map?: string | true;
}

const noBusiness = () =>
  `there is no business yet, so pages say "${UNNAMED_BUSINESS.name}" and ${GENERAL_ONLY}: write its file with ` +
  `"${commandName()} init", which asks for its kind, then run "${commandName()} business set business.json"\n`;
const ofHealth = () =>
  'reviews of patients are shown, which needs the permission of each: to take one away, ' +
  `"${commandName()} hide "Jane Doe" --reason not_agreed"; from now on import with --hidden\n`;
const OF_REFUSED =
  'correct what the refused rows lack, and import the file again: what is stored is not added twice';
const MAY_NAME = 'words with digits or an "@" may name customers';
const COUNTS = [
  'rows',
  'added',
  'updated',
  'unchanged',
  'duplicate',
  'removed',
  'refused',
] as const;

/**
 * Imports files and publishes, by default in a publish process.
 *
 * @throws {InputError} if the files or options cannot be used.
 * @throws {UnavailableError} if the store is unavailable, or if publishing failed.
 */
export async function runImport(
  config: Config,
  files: readonly string[],
  given: ImportFlags,
  publish = publishPending,
  ask = askInTerminal(),
): Promise<void> {
  // Editors of texts make quotes curly, which a shell takes for letters.
  const verifiedBy = given.verifiedBy?.replaceAll(/^[“”„«»]+|[“”„«»]+$/g, '');
  const flags = verifiedBy === undefined ? given : { ...given, verifiedBy };
  const dryRun = flags.dryRun === true;
  const isMap = flags.map === true;
  if (flags.format !== undefined && flags.map !== undefined) {
    throw new InputError('expected --format or --map, got both');
  }
  if (typeof flags.map === 'string' && (flags.dates !== undefined || flags.scale !== undefined)) {
    throw new InputError(
      'expected --dates and --scale without a mapping, which has "date_format" and "rating_scale"',
    );
  }
  const method = methodOf(flags.verifiedBy ?? '');
  const withoutChoices = await prepareImport({
    format: isMap ? null : (flags.map ?? flags.format ?? null),
    source: flags.source ?? null,
    business: flags.business ?? null,
    verifiedBy: flags.verifiedBy ?? null,
    dates: datesUntilTomorrow(config.reviewDateEarliest, Date.now()),
    takesBusiness: true,
    dryRun,
    prune: flags.prune === true,
    hides: flags.hidden,
    example: false,
    origin: originOf('import'),
    remarks: method.includes('…')
      ? [`--verified-by is published as ${show(method)}: ${MAY_NAME}`]
      : [],
  });
  let outcome = 'nothing was imported';
  const publishStored: typeof publish = (...pending) => {
    outcome = NOT_PUBLISHED;
    return publish(...pending);
  };
  await interruptible(
    () => outcome,
    async () => {
      const choices = await chooseUnknown(config, files, withoutChoices, { ...flags, isMap });
      if (isMap) return;
      const prepared = { ...withoutChoices, choices };
      const output = new ImportOutput(
        () => {
          // A signal may arrive when the merge is done and this command does not know it yet.
          if (!dryRun) outcome = unknown();
        },
        flags.yes === true ? () => Promise.resolve(true) : ask,
      );
      const merge = (database: Database) => importInto(database, files, prepared, output);
      await mergeAndPublish(config, dryRun, merge, publishStored);
    },
  );
}

/** What a signal during the publish of an import means. */
export const NOT_PUBLISHED =
  'stored, not published yet; the server or the next import publishes it';
const unknown = () =>
  `It is unknown whether anything was imported: "${commandName()} imports list" tells. Nothing is imported twice`;

async function mergeAndPublish(
  config: Config,
  dryRun: boolean,
  merge: (database: Database) => Promise<ImportReport>,
  publish: typeof publishPending,
): Promise<void> {
  const { databaseUrl } = config;
  const exists = await Database.exists(databaseUrl);
  if (dryRun && !exists) {
    await tryInNewStore(merge);
    return;
  }
  if (exists || !databaseUrl.startsWith('sqlite:')) {
    const mergeInto = async (database: Database) => {
      const report = await merge(database);
      if (!dryRun) await publishAndShow(config, database, report, publish);
    };
    await withDatabase(config, mergeInto, { creates: true });
    return;
  }
  const created = await createFilled(databaseUrl, merge);
  // Another import was faster.
  if (created === null) await mergeAndPublish(config, dryRun, merge, publish);
  else if (created.isEmpty)
    process.stderr.write('nothing was imported, so there is still no store\n');
  else {
    const report = created.result;
    await withDatabase(config, (database) => publishAndShow(config, database, report, publish));
  }
}

async function publishAndShow(
  config: Config,
  database: Database,
  report: ImportReport,
  publish: typeof publishPending,
): Promise<void> {
  await publishImport(config, database, report.number, publish);
  const recorded = await findImport(database.read, report.number ?? 0);
  if (recorded?.report.businessChanged === true) await noteUnnamed(config, database);
  if (shownOf(report) <= 0) return;
  const { origin } = await loadState(database.read);
  const local = `http://localhost:${config.port || 8080}`;
  const url = `${origin ?? local}/`;
  if (config.site !== null) {
    process.stdout.write(`See it: ${url} where "serve --sites" runs\n`);
    return;
  }
  const start = (await isServed(config.databaseUrl)) ? 'open' : `${commandName()} serve, then open`;
  const how =
    isLocalOrigin(url) || config.trustProxy !== false
      ? url
      : `${local}/, and ${url} once it is there; files on a web space: "${commandName()} export public" and upload them first`;
  process.stdout.write(`See it: ${start} ${how}\n`);
}

/**
 * Settles how files of unknown formats are read, before there is a store.
 *
 * @throws {InputError} if a file is not read without a mapping.
 */
async function chooseUnknown(
  config: Config,
  files: readonly string[],
  prepared: PreparedImport,
  flags: ProposalFlags,
): Promise<Map<string, FormatChoice>> {
  const choices = new Map<string, FormatChoice>();
  // What a pipe gives can be read only once.
  const found = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  const spaced = files
    .flatMap((_, at) =>
      found[at] ? [] : [2, 3, 4, 5].map((n) => files.slice(at, at + n).join(' ')),
    )
    .find((name) => existsSync(name));
  if (spaced !== undefined) {
    const line = `${commandName()} import "${spaced}"`;
    throw new InputError(`put straight quotes around a name with spaces: ${line}`);
  }
  const words = files.filter((file, index) => found[index] === null && extname(file) === '');
  if (flags.verifiedBy !== undefined && words.length > 0 && words.length < files.length) {
    const how = [flags.verifiedBy, ...words].join(' ').replaceAll(/[“”„«»]/g, '');
    throw new InputError(
      `expected files, got ${words.map(show).join(', ')}; put straight quotes around words with spaces: --verified-by "${how}"`,
    );
  }
  const hasPipe = found.some((one) => one !== null && !one.isFile() && !one.isDirectory());
  if (hasPipe && !flags.isMap) return choices;
  const options = { ...inputOptions({ ...prepared, choices }), isLook: true };
  const { stdin: input, stdout: output, stderr: errors } = process;
  const isAnswered = input.isTTY && output.isTTY && !flags.isMap;
  for (;;) {
    try {
      const known = await withInputs(files, options, (inputs) => Promise.resolve(inputs.files));
      for (const { name, chosen } of flags.isMap ? known : []) {
        errors.write(
          withoutControls(`${name}: no mapping is needed: ${chosen.name ?? 'mapped'}`) +
            `; if its rows are refused, correct them, or ${AS_TABLE}\n`,
        );
      }
      return choices;
    } catch (error) {
      if (!(error instanceof UnknownTable || error instanceof Undecided)) {
        // The import meets any other error again, and records it.
        if (flags.isMap || !(error instanceof InputError)) throw error;
        return choices;
      }
      const questions = isAnswered ? new Questions(input, output) : null;
      const terminal = { output, errors, questions };
      const sources = isAnswered ? await sourcesOf(config) : [];
      const shortens = config.authors === 'initials';
      const settled =
        error instanceof Undecided
          ? settleFormat(error, flags, terminal)
          : settleTable(error, { ...flags, sources, shortens }, terminal).then(
              (mapping) => mapping && ({ kind: 'mapping', mapping } as const),
            );
      const refuse = async (why: unknown): Promise<never> => {
        // The import refuses it too, and records that for those who watch an inbox.
        const isRecorded =
          !flags.isMap && !isAnswered && (await Database.exists(config.databaseUrl));
        const record = (database: Database) => importFiles(database, files, prepared, SILENT);
        if (isRecorded) await withDatabase(config, record).catch(() => null);
        throw why;
      };
      const choice = await settled.catch(refuse).finally(() => questions?.close());
      if (choice === null) return choices;
      choices.set(error.file, choice);
    }
  }
}

async function sourcesOf(config: Config): Promise<string[]> {
  if (!(await Database.exists(config.databaseUrl))) return [];
  return withDatabase(config, ({ read }) => listSources(read));
}

async function importInto(
  database: Database,
  files: readonly string[],
  prepared: PreparedImport,
  output: ImportOutput,
): Promise<ImportReport> {
  const { dryRun } = prepared.options;
  try {
    const report = await importFiles(database, files, prepared, output);
    output.stop();
    process.stdout.write(renderReport(report, dryRun));
    const { added, updated, removed, unchanged } = report;
    if (process.stdout.isTTY && unchanged > 0 && added + updated + removed === 0)
      process.stdout.write('no new reviews: is this the newest file?\n');
    if (!dryRun && reviewsOf(report) > 0) {
      const { name, vertical } = await loadBusiness(database.read);
      if (name === UNNAMED_BUSINESS.name) process.stdout.write(noBusiness());
      const isNew = added + updated > 0 && shownOf(report) > 0 && !report.hides;
      if (isOfHealth(vertical) && isNew && !readsConsent(prepared))
        process.stdout.write(ofHealth());
    }
    process.stderr.write(renderWarning(report));
    return report;
  } catch (error) {
    // The rows were printed as they were refused.
    if (error instanceof AllRefused) throw new InputError(error.summary, { cause: error });
    throw withOutcome(error, output.isMerging);
  } finally {
    output.stop();
  }
}

/** Shows progress on stderr, and names rows on stdout. */
class ImportOutput implements ImportListener {
  isMerging = false;
  #said = '';
  readonly #bar = new ProgressBar();
  readonly #onMerging: () => void;
  readonly #ask: Ask | null;

  /** `ask` is null if nobody can answer. */
  constructor(onMerging: () => void, ask: Ask | null) {
    this.#onMerging = onMerging;
    this.#ask = ask;
  }

  onProgress(bytesRead: number, totalBytes: number): void {
    this.#bar.update('reading', bytesRead, totalBytes);
  }

  /** Rows that are alike, as those of a page in one line, are named once. */
  onRefused({ file, line, reason }: RefusedLine): void {
    const said = `${withoutControls(`${file}:${line}: refused: ${reason}`)}\n`;
    if (said !== this.#said) process.stdout.write(said);
    this.#said = said;
  }

  onNote(note: string): void {
    process.stderr.write(`note: ${withoutControls(note)}\n`);
  }

  onMerging(): void {
    this.isMerging = true;
    this.#onMerging();
    this.#bar.update('merging', 1, 1);
  }

  /** Where nobody can answer, most must stay. */
  async onPrune(gone: readonly Gone[]): Promise<void> {
    if (this.#ask === null) return assertMostKept(gone);
    this.stop();
    for (const { source, removed, stored } of gone) {
      const which = `${removed} of the ${count(stored)} of ${show(source)}`;
      if (!(await this.#ask(`Remove ${which} that these files lack? [y/N] `)))
        throw new InputError('nothing was imported: without --prune, nothing is removed');
    }
  }

  onUnverified({ file, line }: RowLocation): void {
    const row = withoutControls(`${file}:${line}`);
    process.stdout.write(`${row}: would not be published: not verified\n`);
  }

  stop(): void {
    this.#bar.stop();
  }
}

/** One count on each line, which except `removed` add up to the rows, and remarks. */
export function renderReport(report: ImportReport, dryRun: boolean): string {
  const { unverified, hidden, suppressed } = report;
  const lines = COUNTS.map((name) => `${name.padEnd(10)} ${report[name]}`);
  if (suppressed > 0) {
    lines.push(`${'suppressed'.padEnd(10)} ${suppressed}: removed for good before, so left out`);
  }
  if (report.refused > 0) lines.push(OF_REFUSED);
  lines.push(...report.remarks.map(withoutControls));
  const reviews = reviewsOf(report);
  const shown = shownOf(report);
  if (dryRun || unverified + hidden > 0) {
    const verb = dryRun ? 'would be' : 'are';
    const rest = hidden > 0 ? unverified : 'the others';
    lines.push(
      `${shown} of ${reviews} reviews ${verb} published` +
        (unverified > 0 ? `; ${rest} are not verified, so they ${verb} only stored` : '') +
        (hidden > 0 ? `; hidden: ${hidden}` : ''),
    );
  }
  if (hidden > 0 && !dryRun)
    lines.push(
      `"${commandName()} show" lists hidden reviews; with names, such as "Jane Doe", it publishes theirs`,
    );
  if (report.hides && shown > 0)
    lines.push(`known before, so still published: ${shown}; "hide" takes them away`);
  lines.push(...renderNearDuplicates(report.nearDuplicates));
  if (report.pruneSkipped) lines.push('nothing was pruned, because rows were refused');
  if (dryRun) lines.push('this was a dry run: nothing was changed');
  return `${lines.join('\n')}\n`;
}

/** Near duplicates that the output names; "imports show" has more. */
const NAMED_DUPLICATES = 5;

function renderNearDuplicates(pairs: readonly NamedDuplicate[]): string[] {
  if (pairs.length === 0) return [];
  const named = pairs.slice(0, NAMED_DUPLICATES).map((pair) => {
    const { id, of, author, source, words, other_source: other, other_words: others } = pair;
    const age = pair.other_sequence === null ? 'stored' : 'new';
    return withoutControls(
      `  new ${id} (${source}, ${author}, ${show(words)}) is like ${age} ${of} (${other}, ${show(others)})`,
    );
  });
  const more =
    pairs.length > NAMED_DUPLICATES ? [`  and others: see "${commandName()} imports show"`] : [];
  return [
    `near duplicates, not merged; if one of two is a copy or wrong, run "${commandName()} remove ID --reason duplicate" with its id:`,
    ...named,
    ...more,
  ];
}

/** A warning if the import does not publish a review, else nothing. */
export function renderWarning(report: ImportReport): string {
  const reviews = reviewsOf(report);
  if (reviews + report.suppressed === 0) return 'warning: there are no reviews in these files\n';
  const isAll = report.unverified === reviews;
  // A timer imports the same rows again and again.
  if (report.unverified === 0 || (!isAll && report.added === 0)) return '';
  return (
    `warning: ${isAll ? 'none' : report.unverified} of these reviews ${isAll ? 'is published, because none is' : 'are not published, because they are not'} verified\n` +
    'Only reviews with a proof that they are by customers are published. If you can prove that for every ' +
    'row, import the files again with --verified-by and how you know it, such as ' +
    '--verified-by "invoice number". Rows with "verified": false stay unpublished.\n'
  );
}

function reviewsOf({ added, updated, unchanged }: ImportReport): number {
  return added + updated + unchanged;
}

/** How many of the reviews are published. */
function shownOf(report: ImportReport): number {
  return reviewsOf(report) - report.unverified - report.hidden;
}

function withOutcome(error: unknown, isMerging: boolean): unknown {
  if (!isUnavailable(error)) return error;
  const outcome =
    isMerging && error instanceof ConnectionLostError ? `${unknown()}.` : 'Nothing was imported.';
  return new UnavailableError(`${error.message}\n${outcome}`, { cause: error });
}
