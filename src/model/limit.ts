// Limits as data: the code reads a value here, and docs/limits.md lists it.

/** A limit that no setting changes and a client can meet. */
export interface FixedLimit {
  readonly what: string;
  readonly value: number;
  readonly unit?: 'bytes' | 'ms' | 'characters';
  /** What a client gets that reaches it: a status, or what happens. */
  readonly answer: string;
  /** The metric that counts it; null if none does. */
  readonly metric: string | null;
}
