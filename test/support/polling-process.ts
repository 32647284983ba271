// A process that polls like an idle server. It fills its heap, keeps a few of the values, collects the others,
// and ends when most of the memory was returned to the system.

import { setTimeout as sleep } from 'node:timers/promises';
import { collectReplaced } from '../../src/serving/replaced-memory.ts';

const BYTES = 200 * 1024 * 1024;
const VALUE_BYTES = 64 * 1024;
const KEPT_OF = 50;
const POLL_MS = 100;

const before = process.memoryUsage.rss();
let values = Array.from({ length: BYTES / VALUE_BYTES }, () =>
  Array.from({ length: VALUE_BYTES / 8 }, () => 0.5),
);
const full = process.memoryUsage.rss();
values = values.filter((_, index) => index % KEPT_OF === 0);
void collectReplaced(BYTES, new AbortController().signal, 0);
while (process.memoryUsage.rss() > (before + full) / 2) {
  // As much as the queries of a poll leave behind.
  JSON.stringify(Array.from({ length: 1_000 }, (_, index) => ({ index })));
  await sleep(POLL_MS);
}
process.stdout.write(`${values.length} values left\n`);
