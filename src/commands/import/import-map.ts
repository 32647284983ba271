// `import --map`: proposes a mapping of a file from the names and values of its columns, shows it, and writes it
// to be edited. What the file does not decide is "?", which no import takes.

import { writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { InputError, show, withoutControls } from '../../errors.ts';
import { type Field, type Mapping, OPEN, REQUIRED } from '../../intake/mapping/mapping.ts';
import {
  DATE_FORMATS,
  dateFormatsOf,
  distinct,
  fitsField,
  numberOf,
  type Proposal,
  propose,
  type SampledColumn,
} from '../../intake/mapping/propose.ts';
import { requireText } from '../../intake/import.ts';
import { parseSample, sampleOf } from '../../intake/formats/sample.ts';
import { openSource } from '../../intake/text/text.ts';

/** Rows that a proposal looks at. */
const ROWS = 1_000;
const SAMPLES = 3;

export interface MapOptions {
  /** Has to be one. */
  readonly files: readonly string[];
  readonly source?: string | undefined;
  readonly verifiedBy?: string | undefined;
  /** Where the mapping is written. */
  readonly folder: string;
  readonly output: NodeJS.WritableStream;
}

/** @throws {InputError} if the file has no columns, or if the mapping file exists. */
export async function runImportMap(options: MapOptions): Promise<void> {
  const { files, folder, output, source, verifiedBy } = options;
  const [file = ''] = files;
  if (files.length !== 1) throw new InputError(`--map: expected one file, got ${files.length}`);
  requireText('--source', source ?? null);
  requireText('--verified-by', verifiedBy ?? null);
  const { sample, close } = await sampleOf(openSource(file, () => undefined));
  await close();
  const proposal = propose(parseSample(sample.text, ROWS));
  if (proposal.columns.length < REQUIRED.length) {
    throw new InputError(`${file}: expected CSV, JSON or NDJSON with at least three columns`);
  }
  const draft = new Draft(proposal, options);
  const path = join(folder, `${basename(file, extname(file))}.mapping.json`);
  try {
    await writeFile(path, `${JSON.stringify(draft.mapping, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InputError(`${path}: expected no such file. Nothing was written`, { cause: error });
  }
  const how = verifiedBy === undefined ? ' --verified-by HOW' : '';
  const lines = [
    'what the columns seem to be, with values:',
    ...columnLines(proposal),
    `wrote ${path}`,
    ...(draft.open.length === 0 ? [] : [`edit it, where it says "${OPEN}":`]),
    ...draft.open.map((question) => `  ${question}`),
    `next: public-reviews import ${file} --format ${path}${how} --dry-run`,
  ];
  output.write(`${lines.map(withoutControls).join('\n')}\n`);
}

function columnLines({ columns, fields }: Proposal): string[] {
  const fieldOf = (column: SampledColumn) =>
    [...fields].find(([, { name }]) => name === column.name)?.[0] ?? '-';
  const width = Math.max(...columns.map(({ name }) => Math.min(name.length, 30)));
  return columns.map((column) => {
    const samples = distinct(column.values).slice(0, SAMPLES).map(shorten).join(' | ');
    return `  ${fieldOf(column).padEnd(18)} ${column.name.padEnd(width)}  ${samples}`;
  });
}

/** A mapping with the questions that its editor has to answer. */
class Draft {
  readonly open: string[] = [];
  readonly mapping: Record<string, unknown> = {};
  readonly #columns: Map<Field, SampledColumn | null>;

  constructor(proposal: Proposal, given: Pick<MapOptions, 'source' | 'verifiedBy'>) {
    this.#columns = new Map(proposal.fields);
    const { mapping } = this;
    this.#openColumns(proposal);
    if (proposal.list !== null) mapping['list'] = proposal.list;
    mapping['columns'] = Object.fromEntries(
      [...this.#columns].map(([field, column]) => [field, column?.name ?? OPEN]),
    );
    this.#decideDates();
    this.#decideRatings();
    this.#decideRows(proposal);
    const constants = this.#constants(given);
    if (Object.keys(constants).length > 0) mapping['constants'] = constants;
  }

  /** Fields that have no column, or one of several that fit as well. */
  #openColumns({ unclear, columns, texts }: Proposal): void {
    const isFree = (column: SampledColumn) =>
      ![...REQUIRED, 'text' as const].some((field) => this.#columns.get(field) === column);
    for (const field of REQUIRED) {
      const equal = unclear.get(field);
      if (!equal && this.#columns.has(field)) continue;
      const free = columns.filter(isFree);
      const fitting = free.filter(({ values }) => fitsField(field, values) !== false);
      this.#openColumn(field, equal ?? (fitting.length > 0 ? fitting : free));
    }
    for (const [field, equal] of unclear) {
      if (!REQUIRED.includes(field)) this.#openColumn(field, equal);
    }
    const free = texts.filter(isFree);
    if (!this.#columns.has('text') && free.length > 0) {
      this.#openColumn('text', free, '; remove it if these reviews have no words');
    }
  }

  #openColumn(field: Field, choices: readonly SampledColumn[], otherwise = ''): void {
    this.#columns.set(field, null);
    const named = choices.map(({ name, values }) =>
      [name, ...values.slice(0, 1).map(shorten)].join(': '),
    );
    this.open.push(
      `columns.${field}: which column has ${NAMED[field] ?? field} (${named.join(', ')})${otherwise}`,
    );
  }

  #decideDates(): void {
    const values = this.#columns.get('date')?.values ?? [];
    const formats = dateFormatsOf(values);
    if (formats.length === 1) {
      this.mapping['date_format'] = formats[0];
      return;
    }
    this.mapping['date_format'] = OPEN;
    const choices = formats.length > 0 ? formats : DATE_FORMATS;
    const example = values.length > 0 ? ` ${show(values[0])}` : '';
    this.open.push(`date_format: how is the date${example} written (${choices.join(', ')})`);
  }

  #decideRatings(): void {
    const values = distinct(this.#columns.get('rating')?.values ?? []);
    const words = values.filter((value) => numberOf(value) === null);
    if (words.length > 0) {
      this.mapping['rating_values'] = Object.fromEntries(words.map((word) => [word, OPEN]));
      this.open.push('rating_values: how many stars each word is, 1 to 5');
    }
    if (values.some((value) => /^\d+,\d+$/.test(value))) this.mapping['decimal'] = ',';
    const numbers = values.flatMap((value) => numberOf(value) ?? []);
    if (Math.max(0, ...numbers) > 5 || numbers.includes(0)) {
      this.mapping['rating_scale'] = { min: OPEN, max: OPEN };
      this.open.push('rating_scale: the worst and the best rating of the scale');
    }
  }

  #decideRows({ status }: Proposal): void {
    const values = distinct(status?.values ?? []);
    if (status === null || values.length < 2) return;
    this.mapping['only'] = { [status.name]: [OPEN] };
    this.open.push(
      `only: which values of ${show(status.name)} are published (${values.map(show).join(', ')}); ` +
        'remove it to read all',
    );
  }

  #constants({ source, verifiedBy }: Pick<MapOptions, 'source' | 'verifiedBy'>): object {
    const isOpen = source === undefined && !this.#columns.has('source');
    if (isOpen) {
      this.open.push(
        'constants.source: where these reviews were written, such as google or our own site',
      );
    }
    return {
      ...(source === undefined ? {} : { source }),
      ...(isOpen ? { source: OPEN } : {}),
      ...(verifiedBy === undefined ? {} : { verified_by: verifiedBy }),
    } satisfies Partial<Mapping['constants']>;
  }
}

const NAMED: Readonly<Partial<Record<Field, string>>> = {
  author: "the reviewer's name",
  rating: 'the rating',
  date: 'the date of the review',
  text: 'the words of the review',
};

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}
