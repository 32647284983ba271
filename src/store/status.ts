// What the store holds, in numbers: content, publishing, imports and the hub.

import type { Database } from './database.ts';
import { countRows, type Executor, exists } from './engine.ts';
import { latestEnd } from './clock.ts';
import { listImports, type RecordedImport } from './merge/imports.ts';
import { loadBusiness } from './reviews/reviews.ts';
import type { SourceRow } from './schema.ts';
import { loadCurrentManifest } from './snapshots/snapshots.ts';
import { loadSources } from './merge/sources.ts';
import { loadState, type State } from './state.ts';
import { countSubscriptions, type SubscriptionCounts } from './hub/subscriptions.ts';

/** The longest claim to publish. */
const CLAIM_MS = 60_000;

export interface StoreStatus {
  readonly state: State;
  readonly businessName: string;
  readonly reviews: number;
  readonly verified: number;
  /** Verified reviews that are hidden. */
  readonly hidden: number;
  /** JSON of the current snapshot's manifest; null before the first publish. */
  readonly manifest: string | null;
  /** Whether a process holds the claim to publish. */
  readonly isPublishing: boolean;
  /** The newest first. */
  readonly imports: readonly RecordedImport[];
  readonly subscriptions: readonly SubscriptionCounts[];
  readonly waitingRequests: number;
  readonly sources: readonly SourceRow[];
}

/** Everything is of one moment. `imports` is how many of them to load. */
export function loadStatus(
  database: Database,
  imports: number,
  nowMs: number,
): Promise<StoreStatus> {
  return database.readConsistently(async (transaction) => ({
    state: await loadState(transaction),
    businessName: (await loadBusiness(transaction)).name,
    ...(await countReviews(transaction)),
    manifest: await loadCurrentManifest(transaction),
    isPublishing: await hasClaim(transaction, nowMs),
    imports: await listImports(transaction, imports),
    subscriptions: await countSubscriptions(transaction, nowMs),
    waitingRequests: await countRows(transaction.selectFrom('intents')),
    sources: await loadSources(transaction),
  }));
}

/** Among so many is the last import of files. */
const LAST_IMPORTS = 100;

/** What an agency looks at first: `failing` names sources, and `failure` says why the last import or its publish failed. */
export async function loadOverview(database: Database, nowMs: number) {
  const status = await loadStatus(database, LAST_IMPORTS, nowMs);
  const { businessName, imports, sources } = status;
  const shown = await database.read
    .selectFrom('reviews')
    .leftJoin('hidden_reviews', 'hidden_reviews.review_id', 'reviews.id')
    .select(({ fn }) => [
      fn.countAll<number>().as('reviews'),
      fn.avg<string | number | null>('rating').as('rating'),
      fn.max('date').as('newest'),
    ])
    .where('verified', '=', 1)
    .where('review_id', 'is', null)
    .executeTakeFirstOrThrow();
  return {
    business: businessName,
    reviews: shown.reviews,
    rating: shown.rating === null ? null : Number(shown.rating),
    newest_review: shown.newest as string | null,
    failing: sources.filter(({ failures }) => failures > 0).map(({ name }) => name),
    failure: imports.find(({ command }) => command === 'import')?.error ?? null,
    status,
  };
}

function countReviews(
  executor: Executor,
): Promise<Pick<StoreStatus, 'reviews' | 'verified' | 'hidden'>> {
  return executor
    .selectFrom('reviews')
    .leftJoin('hidden_reviews', 'hidden_reviews.review_id', 'reviews.id')
    .select(({ fn }) => [
      fn.countAll<number>().as('reviews'),
      fn.countAll<number>().filterWhere('verified', '=', 1).as('verified'),
      fn
        .countAll<number>()
        .filterWhere('verified', '=', 1)
        .filterWhere('review_id', 'is not', null)
        .as('hidden'),
    ])
    .executeTakeFirstOrThrow();
}

async function hasClaim(executor: Executor, nowMs: number): Promise<boolean> {
  return exists(
    executor
      .selectFrom('state')
      .select('id')
      .where('publisher', 'is not', null)
      .where('publisher_until', '>', nowMs)
      .where('publisher_until', '<=', latestEnd(nowMs, CLAIM_MS)),
  );
}
