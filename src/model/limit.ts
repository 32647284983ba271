// Limits as data: the code reads a value here, and docs/limits.md lists it.

interface LimitRow {
  readonly what: string;
  readonly unit?: 'bytes' | 'ms' | 'characters';
  /** What a client gets that reaches it: a status, or what happens. */
  readonly answer: string;
  /** The metric that counts it; null if none does. */
  readonly metric: string | null;
}

/** A limit that no setting changes. */
export interface FixedLimit extends LimitRow {
  readonly value: number;
}

/** A limit that operators set. */
export interface ConfiguredLimit<Config> extends LimitRow {
  /** The environment variable. */
  readonly setting: string;
  readonly valueOf: (config: Config) => number;
}
