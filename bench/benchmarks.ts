// All benchmarks, by their names on the command line and in docs/performance.md.

import type { Benchmark } from './benchmark.ts';
import { DOCUMENTS } from './documents.ts';
import { FAN_OUT } from './fan-out.ts';
import { HOSTILE } from './hostile.ts';
import { IMPORT } from './import.ts';
import { LARGE_BODIES } from './large.ts';
import { MCP } from './mcp.ts';
import { PROPAGATION } from './propagation.ts';
import { PUBLISH } from './publish.ts';
import { SEARCH } from './search.ts';
import { SEARCH_INDEX } from './search-index.ts';
import { SEARCH_WORDS } from './search-words.ts';
import { SITES } from './sites.ts';
import { WORKERS } from './workers.ts';

export const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  documents: DOCUMENTS,
  search: SEARCH,
  'search-index': SEARCH_INDEX,
  'search-words': SEARCH_WORDS,
  hostile: HOSTILE,
  large: LARGE_BODIES,
  import: IMPORT,
  publish: PUBLISH,
  mcp: MCP,
  'fan-out': FAN_OUT,
  workers: WORKERS,
  propagation: PROPAGATION,
  sites: SITES,
};
