// `import --map`: looks at a file, proposes a mapping with sample values, asks in a terminal what is unclear,
// and writes the mapping file.

import { writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { InputError, show, withoutControls } from '../../errors.ts';
import { type Field, type Mapping, REQUIRED } from '../../intake/mapping/mapping.ts';
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
import { Questions } from '../terminal/questions.ts';

/** Rows that a proposal looks at. */
const ROWS = 1_000;
const SAMPLES = 3;

export interface MapOptions {
  /** Has to be one. */
  readonly files: readonly string[];
  /** Answers of the command line; absent ones are asked. */
  readonly source?: string | undefined;
  readonly verifiedBy?: string | undefined;
  /** Where the mapping is written. */
  readonly folder: string;
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Whether a person answers. */
  readonly isTerminal: boolean;
}

/** Reads answers from the terminal, if there is one, and writes into the current folder. */
export function terminalOptions(
  files: readonly string[],
  given: Pick<MapOptions, 'source' | 'verifiedBy'>,
): MapOptions {
  const { stdin: input, stdout: output } = process;
  const { source, verifiedBy } = given;
  const isTerminal = input.isTTY && output.isTTY;
  return { files, source, verifiedBy, folder: '.', input, output, isTerminal };
}

type Draft = { -readonly [Key in keyof Mapping]?: Mapping[Key] };

/** @throws {InputError} if the file has no columns, if something is unclear and nobody answers, or if the
 * mapping file exists. */
export async function runImportMap(options: MapOptions): Promise<void> {
  const { files, folder, input, output, isTerminal } = options;
  const [file = ''] = files;
  if (files.length !== 1) throw new InputError(`--map: expected one file, got ${files.length}`);
  requireText('--source', options.source ?? null);
  requireText('--verified-by', options.verifiedBy ?? null);
  const { sample, close } = await sampleOf(openSource(file, () => undefined));
  await close();
  const proposal = propose(parseSample(sample.text, ROWS));
  if (proposal.columns.length < REQUIRED.length) {
    throw new InputError(`${file}: expected CSV, JSON or NDJSON with at least three columns`);
  }
  output.write(renderColumns(proposal));
  const questions = isTerminal ? new Questions(input, output) : null;
  let mapping: Draft;
  try {
    mapping = await new Mapper(options, proposal, questions).map();
  } finally {
    questions?.close();
  }
  const path = join(folder, `${basename(file, extname(file))}.mapping.json`);
  try {
    await writeFile(path, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InputError(`${path}: expected no such file. Nothing was written`, { cause: error });
  }
  output.write(`wrote ${path}\nnext: public-reviews import ${file} --format ${path} --dry-run\n`);
}

function renderColumns({ columns, fields }: Proposal): string {
  const fieldOf = (column: SampledColumn) =>
    [...fields].find(([, { name }]) => name === column.name)?.[0] ?? '-';
  const width = Math.max(...columns.map(({ name }) => Math.min(name.length, 30)));
  const lines = columns.map((column) => {
    const samples = distinct(column.values).slice(0, SAMPLES).map(shorten).join(' | ');
    return `  ${fieldOf(column).padEnd(18)} ${column.name.padEnd(width)}  ${samples}`;
  });
  return withoutControlsInLines(['what the columns seem to be, with values:', ...lines]);
}

function shorten(text: string): string {
  return text.length > 30 ? `${text.slice(0, 29)}…` : text;
}

function withoutControlsInLines(lines: readonly string[]): string {
  return `${lines.map(withoutControls).join('\n')}\n`;
}

/** Turns a proposal into a mapping, and asks what it leaves open. */
class Mapper {
  readonly #options: MapOptions;
  readonly #proposal: Proposal;
  readonly #questions: Questions | null;
  readonly #columns: Map<Field, SampledColumn>;
  /** Questions that nobody answered. */
  readonly #open: string[] = [];

  constructor(options: MapOptions, proposal: Proposal, questions: Questions | null) {
    this.#options = options;
    this.#proposal = proposal;
    this.#questions = questions;
    this.#columns = new Map(proposal.fields);
  }

  /** @throws {InputError} naming all questions that nobody answered. */
  async map(): Promise<Draft> {
    const draft: Draft = {};
    await this.#mapColumns();
    if (this.#proposal.list !== null) draft.list = this.#proposal.list;
    draft.columns = Object.fromEntries(
      [...this.#columns].map(([field, { name }]) => [field, name]),
    );
    const format = await this.#attempt(() => this.#dateFormat());
    if (format !== null) draft.date_format = format;
    Object.assign(draft, await this.#ratings());
    const only = await this.#attempt(() => this.#only());
    if (only !== null) draft.only = only;
    const constants = await this.#constants();
    if (Object.keys(constants).length > 0) draft.constants = constants;
    if (this.#open.length === 0) return draft;
    throw new InputError(
      `${this.#options.files[0]}: expected answers in a terminal. It is unclear: ` +
        `${this.#open.join('; ')}. Nothing was written`,
    );
  }

  async #mapColumns(): Promise<void> {
    const { unclear, columns, texts } = this.#proposal;
    for (const [field, choices] of unclear) {
      await this.#attempt(() => this.#chooseColumn(field, choices));
    }
    for (const field of REQUIRED) {
      if (this.#columns.has(field)) continue;
      const free = this.#free(columns);
      const fitting = free.filter(({ values }) => fitsField(field, values) !== false);
      await this.#attempt(() => this.#chooseColumn(field, fitting.length > 0 ? fitting : free));
    }
    const choices = this.#free(texts);
    if (!this.#columns.has('text') && choices.length > 0) {
      await this.#attempt(() => this.#chooseText(choices));
    }
  }

  /** Columns that are not one of the four main fields of a review. */
  #free(columns: readonly SampledColumn[]): SampledColumn[] {
    const taken = [...REQUIRED, 'text' as const].map((field) => this.#columns.get(field));
    return columns.filter((column) => !taken.includes(column));
  }

  /** A column holds one field. */
  #assign(field: Field, column: SampledColumn): void {
    for (const [other, its] of this.#columns) if (its === column) this.#columns.delete(other);
    this.#columns.set(field, column);
  }

  /** Null if nobody answered; the question is kept. */
  async #attempt<T>(ask: () => Promise<T>): Promise<T | null> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof UnansweredError)) throw error;
      this.#open.push(error.message);
      return null;
    }
  }

  #valuesOf(field: Field): readonly string[] {
    return this.#columns.get(field)?.values ?? [];
  }

  /** @throws {UnansweredError} if nobody answers. */
  async #ask(question: string, check: (answer: string) => string | null): Promise<string> {
    if (this.#questions === null) throw new UnansweredError(question);
    return this.#questions.ask(question, check);
  }

  async #choose<T>(
    question: string,
    choices: readonly T[],
    render: (choice: T) => string,
  ): Promise<T> {
    if (this.#questions === null) {
      throw new UnansweredError(
        `${question} (${choices.map(render).map(withoutControls).join(', ')})`,
      );
    }
    choices.forEach((choice, index) => {
      this.#options.output.write(`${withoutControls(`  ${index + 1} ${render(choice)}`)}\n`);
    });
    const answer = await this.#ask(`${question}, 1 to ${choices.length}`, (text) =>
      choices[Number(text) - 1] === undefined
        ? `expected a number from 1 to ${choices.length}`
        : null,
    );
    return choices[Number(answer) - 1] as T;
  }

  async #chooseColumn(field: Field, columns: readonly SampledColumn[]): Promise<void> {
    const question = `which column has ${NAMED[field] ?? field}`;
    this.#assign(field, await this.#choose(question, columns, renderColumn));
  }

  async #chooseText(columns: readonly SampledColumn[]): Promise<void> {
    const none = 'none: these reviews have no words';
    const chosen = await this.#choose<SampledColumn | null>(
      `which column has ${NAMED.text}`,
      [...columns, null],
      (column) => (column === null ? none : renderColumn(column)),
    );
    if (chosen !== null) this.#assign('text', chosen);
  }

  /** Null without a column, which is asked first. */
  async #dateFormat(): Promise<string | null> {
    const values = this.#valuesOf('date');
    if (values.length === 0) return null;
    const formats = dateFormatsOf(values);
    const [first, ...others] = formats;
    if (first !== undefined && others.length === 0) return first;
    const example = show(values[0] ?? '');
    return this.#choose(
      `how is the date ${example} written`,
      first ? formats : [...DATE_FORMATS],
      String,
    );
  }

  async #ratings(): Promise<Draft> {
    const values = distinct(this.#valuesOf('rating'));
    const numbers = values.map(numberOf);
    const words = values.filter((_, index) => numbers[index] === null);
    const draft: Draft = {};
    if (words.length > 0) {
      const stars: Record<string, number> = {};
      for (const word of words) {
        const question = `how many stars is ${show(word)}, 1 to 5`;
        const check = (text: string) =>
          /^[1-5]$/.test(text) ? null : 'expected a number from 1 to 5';
        stars[word] = Number(await this.#attempt(() => this.#ask(question, check)));
      }
      draft.rating_values = stars;
    }
    if (values.some((value) => /^\d+,\d+$/.test(value))) draft.decimal = ',';
    const known = numbers.filter((number) => number !== null);
    if (Math.max(0, ...known) > 5 || known.includes(0)) {
      const bound = (what: string) =>
        this.#attempt(() =>
          this.#ask(`the ${what} rating of the scale`, (text) =>
            numberOf(text) === null ? 'expected a number' : null,
          ),
        );
      draft.rating_scale = { min: Number(await bound('worst')), max: Number(await bound('best')) };
    }
    return draft;
  }

  /** Which rows are published: an empty answer reads all. */
  async #only(): Promise<Mapping['only'] | null> {
    const { status } = this.#proposal;
    const values = distinct(status?.values ?? []);
    if (status === null || values.length < 2) return null;
    const answer = await this.#ask(
      `which values of ${show(status.name)} are published (${values.map(show).join(', ')}), ` +
        'separated by commas, or nothing for all',
      (text) => {
        const unknown = listOf(text).filter((value) => !values.includes(value));
        return unknown.length === 0
          ? null
          : `expected some of these values, got ${show(unknown[0])}`;
      },
    );
    return answer === '' ? null : { [status.name]: listOf(answer) };
  }

  async #constants(): Promise<Mapping['constants']> {
    const { source, verifiedBy } = this.#options;
    const constants: Draft['constants'] = {};
    if (source !== undefined) constants.source = source;
    else if (!this.#columns.has('source')) {
      const question =
        'where were these reviews written, such as google or our own site' +
        (this.#questions === null ? ' (--source answers it)' : '');
      const answer = await this.#attempt(() =>
        this.#ask(question, (text) => (text === '' ? 'expected a name' : null)),
      );
      if (answer !== null) constants.source = answer;
    }
    if (verifiedBy !== undefined) constants.verified_by = verifiedBy;
    else if (this.#questions !== null) {
      const rows = this.#columns.has('verified')
        ? 'the rows that the file calls verified'
        : 'every row';
      const how = await this.#questions.ask(
        `how can you prove that ${rows} is by a customer; nothing if you cannot`,
      );
      if (how !== '') constants.verified_by = how;
    }
    return constants;
  }
}

const NAMED: Readonly<Partial<Record<Field, string>>> = {
  author: "the reviewer's name",
  rating: 'the rating',
  date: 'the date of the review',
  text: 'the words of the review',
};

/** A question that nobody answers, because there is no terminal. */
class UnansweredError extends Error {}

function renderColumn({ name, values }: SampledColumn): string {
  return [name, ...values.slice(0, 1).map(shorten)].join(': ');
}

function listOf(answer: string): string[] {
  return answer.split(',').flatMap((part) => part.trim() || []);
}
