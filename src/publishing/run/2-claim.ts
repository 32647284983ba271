// Ring 2 of a publish (see 1-attempts.ts): publishes what is pending under a claim in the store, so that one process
// publishes at a time. The code that analyses reviews is loaded by the publish process alone.

import { setInterval } from 'node:timers/promises';
import type { WaitingChild } from '../../model/child-process.ts';
import type { Silence } from '../../model/signs-of-life.ts';
import type { Database } from '../../store/database.ts';
import {
  claimPublishing,
  releasePublishing,
  renewPublishing,
} from '../../store/snapshots/snapshots.ts';
import { loadState } from '../../store/state.ts';
import { runPublishProcess } from './3-process.ts';
import type { Published, Publishing } from './messages.ts';

/** A claim that is not renewed lasts this long. */
const CLAIM_MS = 5_000;
const RENEW_EVERY_MS = 1_000;

interface PublishOptions {
  /** An abort leaves the publish pending. */
  readonly signal?: AbortSignal;
  readonly onPublished?: (published: Published) => void;
  /** When a publish process that makes no progress is killed. */
  readonly silence?: Required<Silence>;
  /** Where the publish process waits for the next publish; absent means that it ends. */
  readonly waiting?: WaitingChild;
}

/**
 * Publishes if a publish is pending. True if none is pending afterwards; false if another process
 * holds the claim, or more was imported meanwhile: then call again later.
 *
 * @throws the error that made the publish fail, under its name.
 */
export async function publishPending(
  database: Database,
  databaseUrl: string,
  publishing: Publishing,
  { signal, onPublished, silence, waiting }: PublishOptions = {},
): Promise<boolean> {
  const { publisherId } = publishing;
  if (!(await isPending(database))) return true;
  const nowMs = Date.now();
  if (!(await claimPublishing(database, publisherId, nowMs, nowMs + CLAIM_MS))) return false;
  const stop = new AbortController();
  const renewals = renewClaim(database, publisherId, stop.signal);
  try {
    const job = { databaseUrl, publishing };
    const published = await runPublishProcess(job, signal, silence, waiting);
    onPublished?.(published);
  } catch (error) {
    // An error of another process has its name, but not its class.
    if (!(error instanceof Error) || error.name !== 'ClaimLost') throw error;
  } finally {
    stop.abort();
    await renewals;
    await releasePublishing(database, publisherId);
  }
  return !(await isPending(database));
}

async function isPending(database: Database): Promise<boolean> {
  const { contentVersion, publishedVersion } = await loadState(database.read);
  return publishedVersion < contentVersion;
}

/** Renews the claim until an abort or a failure. After a failure the claim runs out, and the publish
 * process fails with ClaimLost. */
async function renewClaim(
  database: Database,
  publisherId: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of setInterval(RENEW_EVERY_MS, undefined, { signal })) {
      await renewPublishing(database, publisherId, Date.now() + CLAIM_MS);
    }
  } catch {
    // The publish process reports what matters.
  }
}
