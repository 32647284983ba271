// The interface of a benchmark: a function that measures and returns tables and plots.

import type { Plot } from './plot.ts';
import type { Table } from './table.ts';

export interface BenchmarkOptions {
  /** Smaller and fewer rounds: checks that the benchmark runs; not for publication. */
  readonly quick: boolean;
  /** Logs progress. */
  readonly log: (line: string) => void;
}

export interface Findings {
  readonly tables: readonly Table[];
  readonly plots?: readonly Plot[];
}

export interface Benchmark {
  /** What it measures, in one line. */
  readonly about: string;
  readonly run: (options: BenchmarkOptions) => Promise<Findings>;
}
