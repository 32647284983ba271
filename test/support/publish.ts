// Publishing and imports of sources in the process of the test. Starting a process or a thread takes
// many times longer.

import { syncSource } from '../../src/intake/sync/sync.ts';
import type { publishPending } from '../../src/publishing/run/2-claim.ts';
import { publish } from '../../src/publishing/publish.ts';
import type { syncInProcess } from '../../src/serving/sources.ts';
import { Database } from '../../src/store/database.ts';
import {
  claimPublishing,
  ClaimLost,
  releasePublishing,
} from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';

/** Longer than a publish takes; a server that takes its claims for five seconds still honours it. */
const CLAIM_MS = 60_000;

/** Publishes what is pending under a claim, as `publishPending` does in a process of its own. */
export const publishHere: typeof publishPending = async (database, _url, publishing) => {
  if (!(await isPending(database))) return true;
  const { publisherId } = publishing;
  const nowMs = Date.now();
  if (!(await claimPublishing(database, publisherId, nowMs, nowMs + CLAIM_MS))) return false;
  try {
    await publish(database, publishing, nowMs / 1000);
  } catch (error) {
    if (!(error instanceof ClaimLost)) throw error;
  } finally {
    await releasePublishing(database, publisherId);
  }
  return !(await isPending(database));
};

/** Looks at a source, as `syncInProcess` does in a process of its own. */
export const syncHere: typeof syncInProcess = async ({ databaseUrl, source, options }) => {
  const database = await Database.open(databaseUrl);
  try {
    return await syncSource(database, source, options);
  } finally {
    await database.close();
  }
};

async function isPending(database: Database): Promise<boolean> {
  const { contentVersion, publishedVersion } = await loadState(database.read);
  return publishedVersion < contentVersion;
}
