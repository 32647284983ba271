// `status`: what is published and since when, the last imports, publishing, and the hub.

import { type Config, storeName } from '../../config.ts';
import { withoutControls } from '../../errors.ts';
import { type ImportSource, placeOf } from '../../model/import-source.ts';
import { ROUTES } from '../../model/routes.ts';
import type { Manifest } from '../../snapshot/manifest.ts';
import { loadStatus, type StoreStatus } from '../../store/status.ts';
import { importToJson, renderImports } from '../import/imports.ts';
import { withDatabase } from './store.ts';

const SHOWN_IMPORTS = 5;

export async function showStatus(
  config: Config,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const { databaseUrl, sources } = config;
  const nowMs = Date.now();
  await withDatabase(config, async (database) => {
    const loaded = await loadStatus(database, SHOWN_IMPORTS, nowMs);
    const status = statusToJson(storeName(databaseUrl), loaded, sources);
    process.stdout.write(
      json
        ? `${JSON.stringify(status, null, 2)}\n`
        : `${renderStatus(status)}\n${renderImports(loaded.imports)}`,
    );
  });
}

type StatusJson = ReturnType<typeof statusToJson>;

function statusToJson(store: string, status: StoreStatus, sources: readonly ImportSource[]) {
  const manifest = status.manifest === null ? null : (JSON.parse(status.manifest) as Manifest);
  return {
    store,
    business: status.businessName,
    example: status.state.example,
    base_url: status.state.origin,
    reviews: { stored: status.reviews, verified: status.verified, hidden: status.hidden },
    published: manifest && {
      snapshot: manifest.number,
      published_at: timeOf(manifest.publishedAt),
      reviews_changed_at: timeOf(manifest.documents[ROUTES.getReviews.path].changedAt),
      first_published_at: timeOf(manifest.firstPublishedAt),
    },
    publishing: publishingOf(status),
    subscribers: status.subscriptions.map(({ topic, active, pending }) => ({
      topic,
      active,
      pending_deliveries: pending,
    })),
    waiting_requests: status.waitingRequests,
    sources: sources.map((source) => {
      const row = status.sources.find(({ name }) => name === source.name);
      return {
        name: source.name,
        place: placeOf(source),
        last_success: row?.succeeded_at ? timeOf(row.succeeded_at / 1000) : null,
        next_check: row?.next_at ? timeOf(row.next_at / 1000) : null,
        failures: row?.failures ?? 0,
        error: row?.error ?? null,
      };
    }),
    imports: status.imports.map(importToJson),
  };
}

function publishingOf({ state, isPublishing, imports }: StoreStatus) {
  const { contentVersion, publishedVersion } = state;
  if (publishedVersion >= contentVersion) return { status: 'up to date', error: null };
  if (isPublishing) return { status: 'running', error: null };
  const failed = imports.find(({ outcome }) => outcome === 'publish failed');
  return failed ? { status: 'failed', error: failed.error } : { status: 'pending', error: null };
}

function renderStatus(status: StatusJson): string {
  const { reviews, published, publishing, subscribers } = status;
  const sum = (key: 'active' | 'pending_deliveries') =>
    subscribers.reduce((total, each) => total + each[key], 0);
  const topics = subscribers.map(({ topic, active }) => `${active} of ${topic}`);
  const lines: [string, string][] = [
    ['store', status.store],
    ['business', status.example ? `${status.business} (the example)` : status.business],
    ['base URL', status.base_url ?? 'none recorded; the first start of the server records it'],
    [
      'reviews',
      `${reviews.stored} stored, ${reviews.verified} of them verified` +
        (reviews.hidden > 0 ? `, ${reviews.hidden} of these hidden` : ''),
    ],
    [
      'published',
      published
        ? `snapshot ${published.snapshot}, since ${published.published_at}; reviews last changed ${published.reviews_changed_at}`
        : 'nothing yet',
    ],
    ['publishing', publishing.error === null ? publishing.status : `failed: ${publishing.error}`],
    ['subscribers', [`${sum('active')}`, ...topics].join(', ')],
    ['deliveries', `${sum('pending_deliveries')} pending`],
    ['requests', `${status.waiting_requests} of subscribers wait to be verified`],
    ...status.sources.map(
      ({ name, place, last_success: last, failures, error }): [string, string] => [
        'source',
        `${name} (${place}): last read ${last ?? 'never'}` +
          (failures > 0 ? `, ${failures} failures: ${error}` : ''),
      ],
    ),
  ];
  return lines.map(([name, value]) => `${name.padEnd(11)} ${withoutControls(value)}\n`).join('');
}

/** @param seconds since 1970. */
function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
