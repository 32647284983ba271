// Counts the rows of an import, keeps the first refused ones for its record and its messages, and ends an
// import that would import nothing.

import { InputError } from '../errors.ts';
import { RECORDED_REFUSALS, type RefusedLine } from '../store/merge/imports.ts';

const NAMED_REFUSALS = 3;
/** At least, the first rows that one reason refuses if the file is not what the import takes it for. */
const SAME_REFUSALS = 20;
const HINT =
  'Correct what the rows lack; or "import FILE --map" proposes how to read other columns, scales and dates';
const OF_SOURCE =
  'Import again with where they were written, such as --source google or --source own-website';
/** Different remarks that are counted; more are counted together. */
const REMARKS = 50;

/** Who has printed the rows already prints only the summary. */
export class AllRefused extends InputError {
  readonly summary: string;

  constructor(what: string, refused: readonly RefusedLine[], hint: string) {
    const lines = refused
      .slice(0, NAMED_REFUSALS)
      .map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
    const more = refused.length - lines.length;
    super([what, ...lines, ...(more > 0 ? [`and ${more} more`] : []), hint].join('\n'));
    this.summary = `${what}\n${hint}`;
  }
}

export class RowTally {
  rows = 0;
  refused = 0;
  readonly refusedLines: RefusedLine[] = [];

  /** Rows that their platform does not publish. They are not counted as rows. */
  leftOut = 0;
  readonly #remarks = new Map<string, number>();

  /** `notes`: what was changed when the row was read. */
  accept(notes: readonly string[] = []): void {
    this.rows += 1;
    for (const note of notes) this.#count(note);
  }

  leaveOut(reason: string): void {
    this.leftOut += 1;
    this.#count(`left out: ${reason}`);
  }

  #count(remark: string): void {
    const key =
      this.#remarks.has(remark) || this.#remarks.size < REMARKS ? remark : 'other remarks';
    this.#remarks.set(key, (this.#remarks.get(key) ?? 0) + 1);
  }

  get remarks(): string[] {
    return [...this.#remarks].map(([remark, count]) => `${remark} (${count})`);
  }

  /** @throws {InputError} if all of the first rows were refused for the same reason. */
  refuse(line: RefusedLine): void {
    this.rows += 1;
    this.refused += 1;
    if (this.refusedLines.length < RECORDED_REFUSALS) this.refusedLines.push(line);
    if (this.rows === SAME_REFUSALS && this.refused === SAME_REFUSALS) this.#assertReasonsDiffer();
  }

  get #hint(): string {
    const lackSource = this.refusedLines.every(({ reason }) =>
      /^source: [^;]*; --source/.test(reason),
    );
    return lackSource ? OF_SOURCE : HINT;
  }

  #assertReasonsDiffer(): void {
    // As it is for any value: `rating: expected an integer from 1 to 5`.
    const value = /, got .*?(?=; \w+(?:\.\w+)*: expected |$)/gs;
    const reasons = new Set(this.refusedLines.map(({ reason }) => reason.replaceAll(value, '')));
    if (reasons.size > 1) return;
    const what = `nothing was imported: the first ${SAME_REFUSALS} rows were refused for the same reason`;
    throw new AllRefused(what, this.refusedLines.slice(0, 1), this.#hint);
  }

  /** @throws {InputError} if there were rows, and all of them were refused. */
  assertSomeAccepted(): void {
    const { rows, refused, refusedLines } = this;
    if (refused === 0 || refused < rows) return;
    const which = rows === 1 ? 'the only row was' : `all ${rows} rows were`;
    throw new AllRefused(`nothing was imported: ${which} refused`, refusedLines, this.#hint);
  }
}
