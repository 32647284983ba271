// A process that merges files and publishes.

import { importFiles, PLAIN_IMPORT, prepareImport, SILENT } from '../../src/intake/import.ts';
import { MOST_WAITING_BYTES } from '../../src/model/child-process.ts';
import { publish } from '../../src/publishing/publish.ts';
import { Database } from '../../src/store/database.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { answerQuestions } from '../companion.ts';
import { measure, type Took } from './took.ts';

export interface Question {
  readonly databaseUrl: string;
  readonly origin: string;
  /** A file of reviews to merge first, and one of the business; null for none. */
  readonly file: string;
  readonly business: string | null;
}

export interface Published {
  readonly publish: Took;
  /** Of the process until the end of the publish. */
  readonly peakMiB: number;
  /** Whether a server would let its process wait for the next change. */
  readonly mayWait: boolean;
}

const PUBLISHER = 'bench';
/** Longer than any publish takes. */
const CLAIM_MS = 60_000;

async function publishOnce({ databaseUrl, origin, file, business }: Question): Promise<Published> {
  const database = await Database.open(databaseUrl);
  try {
    const prepared = await prepareImport({ ...PLAIN_IMPORT, format: 'ndjson', business });
    await importFiles(database, [file], prepared, SILENT);
    const nowMs = Date.now();
    const claimed = await claimPublishing(database, PUBLISHER, nowMs, nowMs + CLAIM_MS);
    if (!claimed) throw new Error('another publishes');
    const publishing = { publisherId: PUBLISHER, defaultOrigin: origin };
    const took = await measure(async () => {
      await publish(database, publishing, Date.now() / 1000);
    });
    const peakMiB = process.resourceUsage().maxRSS / 1024;
    await releasePublishing(database, PUBLISHER);
    if (process.memoryUsage.rss() > MOST_WAITING_BYTES) globalThis.gc?.();
    return { publish: took, peakMiB, mayWait: process.memoryUsage.rss() <= MOST_WAITING_BYTES };
  } finally {
    await database.close();
  }
}

answerQuestions(publishOnce);
