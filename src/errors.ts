// The three kinds of errors: bad input is a value with issues, a refusal is an expected "no" with a
// status, and everything else is a fault that is thrown up to one catch.

import refusals from './refusals.json' with { type: 'json' };

/** One problem with one input value, as in the `issues` of a 400 answer. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  /** Says what was expected and what was given. */
  readonly message: string;
}

export function formatIssue({ path, message }: Pick<Issue, 'path' | 'message'>): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** The result of parsing an unknown value: the parsed value, or every problem that it has. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Every refusal: its status, its text, and what a client can do instead. */
export const REFUSALS = refusals satisfies Record<string, RefusalEntry>;

export type RefusalCode = keyof typeof REFUSALS;

/** A row of the table of refusals. */
export interface RefusalEntry {
  readonly status: number;
  readonly detail: string;
  readonly allow?: string;
  readonly retryAfterSeconds?: number;
}

/** An expected "no". Only `invalid_request` has `issues`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly issues: readonly Issue[] | undefined;

  constructor(code: RefusalCode, issues?: readonly Issue[]) {
    super(REFUSALS[code].detail);
    this.code = code;
    this.issues = issues;
  }

  get status(): number {
    return REFUSALS[this.code].status;
  }
}

/** Input of the command line that cannot be used. A command prints its message and exits with 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** A fault that another process of this program has already reported, with the exit code of that process. */
export class ReportedError extends Error {
  override readonly name = 'ReportedError';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of this program ended with code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Something that a command needs is unavailable. A command prints its message without a stack, and exits
 * with 1. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** The connection was lost, so it is unknown whether a commit that had been sent took place. */
export class ConnectionLostError extends UnavailableError {}

/** The message of an error, or what was thrown instead of one. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An error that comes from another thread has lost its class, so this compares the name. */
export function isUnavailable(error: unknown): error is Error {
  return error instanceof Error && error.name === UnavailableError.name;
}

/** A value as JSON, or its type if it has no JSON or is nested too deep. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** Escapes what terminals obey: control characters, and those that change the direction of text. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => {
    const code = (character.codePointAt(0) as number).toString(16).padStart(4, '0');
    return `\\u{${code}}`;
  });
}

/** As `withoutControls`, but keeps line feeds. */
export function linesWithoutControls(text: string): string {
  return text.split('\n').map(withoutControls).join('\n');
}

/** A value for a message: quoted as in JSON, without control characters, shortened to 80 characters. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const text = withoutControls(jsonOf(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
