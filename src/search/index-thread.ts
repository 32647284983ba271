// The entry point of the indexing thread.

import { parentPort, workerData } from 'node:worker_threads';
import { type Indexed, indexTerms } from './index-terms.ts';

const sections = indexTerms(workerData as Indexed);
parentPort?.postMessage(
  sections,
  Object.values(sections).map(({ buffer }) => buffer as ArrayBuffer),
);
