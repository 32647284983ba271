// The entry point of the indexing thread.

import { parentPort, workerData } from 'node:worker_threads';
import { type Indexed, indexTerms } from './index-terms.ts';

const indexed = indexTerms(workerData as Indexed);
parentPort?.postMessage(
  indexed,
  [indexed.texts, indexed.replies ?? {}]
    .flatMap((sections) => Object.values<Uint8Array | Uint32Array>(sections))
    .map(({ buffer }) => buffer as ArrayBuffer),
);
