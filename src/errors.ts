// The three kinds of trouble: bad input is a value with issues, a refusal is an expected "no"
// with a status, and everything else is a fault that rises untouched to one catch.

/** One problem with one input value, as the `issues` of a 400 answer carry it. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  /** Says what was expected and what came. */
  readonly message: string;
}

/** An issue as a person reads it: where, and what. */
export function tellIssue({ path, message }: Pick<Issue, 'path' | 'message'>): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** The outcome of parsing something unknown: the value, or every problem that it has. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** Every expected "no": the status and the words that it is told in, and what a client can do instead. */
export const REFUSALS = {
  invalid_request: { status: 400, title: 'Bad Request', detail: 'The request has invalid values.' },
  not_found: { status: 404, title: 'Not Found', detail: 'There is nothing at this path.' },
  unknown_review: { status: 404, title: 'Not Found', detail: 'No published review has this id.' },
  method_not_allowed: {
    status: 405,
    title: 'Method Not Allowed',
    detail: 'This path is read with GET or HEAD.',
    allow: 'GET, HEAD, OPTIONS',
  },
  post_only: {
    status: 405,
    title: 'Method Not Allowed',
    detail: 'This path takes POST.',
    allow: 'POST, OPTIONS',
  },
  post_or_delete: {
    status: 405,
    title: 'Method Not Allowed',
    detail: 'This path takes POST, and DELETE of a session.',
    allow: 'POST, DELETE, OPTIONS',
  },
  rate_limited: {
    status: 429,
    title: 'Too Many Requests',
    detail: 'This client has sent too many requests. Wait as long as Retry-After says.',
  },
  operators_only: {
    status: 403,
    title: 'Forbidden',
    detail: 'This path answers clients of OPERATOR_NETWORKS only.',
  },
  unsupported_form: {
    status: 415,
    title: 'Unsupported Media Type',
    detail:
      'Expected a body of the type application/x-www-form-urlencoded in UTF-8, not compressed.',
  },
  cross_site_form: {
    status: 400,
    title: 'Bad Request',
    detail: 'Expected a request of a server or of a page of this origin, got one of another site.',
  },
  too_many_subscriptions: {
    status: 429,
    title: 'Too Many Requests',
    detail: 'The host of this callback has as many subscriptions as one host may have.',
    retryAfterSeconds: 3600,
  },
  hub_busy: {
    status: 503,
    title: 'Service Unavailable',
    detail: 'Too many requests wait to be verified. Try again in a minute.',
    retryAfterSeconds: 60,
  },
  hub_full: {
    status: 503,
    title: 'Service Unavailable',
    detail: 'The hub has as many subscriptions as it may have. Try again in an hour.',
    retryAfterSeconds: 3600,
  },
  hub_without_store: {
    status: 503,
    title: 'Service Unavailable',
    detail: 'The hub cannot store requests at the moment. Try again in a minute.',
    retryAfterSeconds: 60,
  },
  not_ready: {
    status: 503,
    title: 'Service Unavailable',
    detail: 'The server has only just started. Try again in a second.',
    retryAfterSeconds: 1,
  },
} as const satisfies Record<string, RefusalEntry>;

export type RefusalCode = keyof typeof REFUSALS;

/** What the table may say of a refusal. */
export interface RefusalEntry {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The methods that are allowed instead. */
  readonly allow?: string;
  readonly retryAfterSeconds?: number;
}

/** An expected "no". `issues` belong to `invalid_request` alone. */
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

/** Input of the command line that cannot be used: its message is for the person, the exit code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** A fault that another process of this program has told already, and the code that it ended with. */
export class ToldError extends Error {
  override readonly name = 'ToldError';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of this program ended with code ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Something that a command needs is away: a fault of nobody's program, told in words without a stack,
 * the exit code 1. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** JSON, or where a value has none, or is nested too deep to be written, its type. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

/** How a value is shown in an issue: quoted, and cut where it is long. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  const text = jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
