// Counts the rows of an import, and keeps the first refused ones for its record and its messages.

import { InputError } from '../errors.ts';
import { RECORDED_REFUSALS, type RefusedLine } from '../store/imports.ts';

/** Refused rows that the message of an import names when all rows were refused. */
const NAMED_REFUSALS = 3;

export class RowTally {
  rows = 0;
  refused = 0;
  /** The first ones. */
  readonly refusedLines: RefusedLine[] = [];

  accept(): void {
    this.rows += 1;
  }

  refuse(line: RefusedLine): void {
    this.rows += 1;
    this.refused += 1;
    if (this.refusedLines.length < RECORDED_REFUSALS) this.refusedLines.push(line);
  }

  /** @throws {InputError} if there were rows, and all of them were refused. */
  assertSomeAccepted(): void {
    const { rows, refused, refusedLines } = this;
    if (refused === 0 || refused < rows) return;
    const which = rows === 1 ? 'the only row was' : `all ${rows} rows were`;
    const named = refusedLines.slice(0, NAMED_REFUSALS);
    const lines = named.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
    const more = rows > named.length ? [`and ${rows - named.length} more`] : [];
    throw new InputError([`nothing was imported: ${which} refused`, ...lines, ...more].join('\n'));
  }
}
