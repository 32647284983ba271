// What a benchmark is: something that runs, and tables and plots that say what came of it.

import type { Plot } from './plot.ts';
import type { Table } from './table.ts';

export interface BenchmarkOptions {
  /** Less of everything: a look, not a result to keep. */
  readonly quick: boolean;
  /** Told what is under way, for the person who waits. */
  readonly tell: (line: string) => void;
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
