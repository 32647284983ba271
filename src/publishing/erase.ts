// Erases what removals deleted, once something without it is published: from replaced documents and from the files.

import { currentManifest } from './load.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { partsOf } from '../snapshot/manifest.ts';
import type { Database } from '../store/database.ts';
import { markErased } from '../store/reviews/erasures.ts';
import {
  claimPublishing,
  ClaimLost,
  deleteUnused,
  releasePublishing,
} from '../store/snapshots/snapshots.ts';
import { loadState, type State } from '../store/state.ts';

/** As long as a publish claims, so that one that was killed delays the next no longer. */
const CLAIM_MS = 5_000;
const POLL_MS = 200;
/** A thread that loads a snapshot reads for seconds. */
const LOG_PATIENCE_MS = 30_000;

/** Whether texts of removed reviews can be erased now. */
export function canErase({ erasingVersion, publishedVersion }: State): boolean {
  return erasingVersion !== null && erasingVersion <= publishedVersion;
}

/**
 * Erases what is pending and published without. Returns whether no erasure is pending any more: not if a publish
 * is, or if a reader keeps the write-ahead log of the database.
 */
export async function eraseRemoved(database: Database): Promise<boolean> {
  const state = await loadState(database.read);
  const { erasingVersion } = state;
  if (erasingVersion === null) return true;
  if (!canErase(state)) return false;
  while (!(await deleteReplaced(database))) await sleep(POLL_MS);
  if (!(await database.eraseDeleted(LOG_PATIENCE_MS))) return false;
  await markErased(database, erasingVersion);
  return true;
}

/**
 * Deletes the parts of replaced snapshots. Another process that has just published may not have deleted
 * them yet, and a killed one never does. Returns false if another process publishes.
 */
async function deleteReplaced(database: Database): Promise<boolean> {
  const publisherId = randomUUID();
  const nowMs = Date.now();
  if (!(await claimPublishing(database, publisherId, nowMs, nowMs + CLAIM_MS))) return false;
  try {
    const manifest = await currentManifest(database);
    await deleteUnused(database, publisherId, new Set(manifest && partsOf(manifest)));
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  } finally {
    await releasePublishing(database, publisherId);
  }
}
