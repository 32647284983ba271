// Metrics of the store: its size and its disk, its sources, and when it was last filled, published and backed up.

import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import { addGauge } from '../metrics.ts';
import type { METRICS } from '../model/metrics.ts';
import { currentManifest } from '../publishing/load.ts';
import type { Database } from '../store/database.ts';
import { inspectFile, loadSize } from '../store/inspect.ts';
import { loadLastImport, loadNewestImport } from '../store/merge/imports.ts';
import { loadSources } from '../store/merge/sources.ts';
import { loadState } from '../store/state.ts';
import { VERSION } from '../version.ts';

type Shown = Pick<Config, 'sources'> & { readonly database: Database };

export function showStore(registry: Registry, { database, sources }: Shown): void {
  addGauge(registry, 'build', (gauge) =>
    gauge.set({ version: VERSION, node: process.versions.node }, 1),
  );
  const file = database.fileBeside('');
  // A store that is away keeps the last values.
  const show = (key: StoreGauge, read: () => number | Promise<number>) =>
    addGauge(registry, key, async (gauge) => {
      const value = await Promise.try(read).catch(() => null);
      if (value !== null) gauge.set(Math.floor(value));
    });
  show('lastImport', async () => ((await loadLastImport(database.read)) ?? 0) / 1000);
  show('lastImportRefused', async () => {
    const last = await loadNewestImport(database.read);
    return Math.max(last?.report.refused ?? 0, last?.outcome === 'failed' ? 1 : 0);
  });
  // A manifest is large: it is read once.
  let published: { readonly number: number | null; readonly at: number } = { number: null, at: 0 };
  show('lastPublish', async () => {
    const { snapshotNumber: number } = await loadState(database.read);
    if (number !== published.number) {
      published = { number, at: (await currentManifest(database))?.publishedAt ?? 0 };
    }
    return published.at;
  });
  show('lastBackup', async () => ((await loadState(database.read)).backedUpAtMs ?? 0) / 1000);
  show('storeBytes', () => loadSize(database.read, file !== null));
  // PostgreSQL has its disk elsewhere.
  if (file !== null) show('diskFreeBytes', () => inspectFile(file).freeBytes);
  const rowsOf = async () => {
    if (sources.length === 0) return [];
    const rows = await loadSources(database.read).catch(() => []);
    return rows.filter(({ name }) => sources.some((source) => source.name === name));
  };
  addGauge(registry, 'sourceLastSuccess', async (gauge) => {
    gauge.reset();
    for (const { name, succeeded_at: at } of await rowsOf()) {
      if (at !== null) gauge.set({ source: name }, Math.floor(at / 1000));
    }
  });
  addGauge(registry, 'sourceFailures', async (gauge) => {
    gauge.reset();
    for (const { name, failures } of await rowsOf()) gauge.set({ source: name }, failures);
  });
}

type StoreGauge = Extract<keyof typeof METRICS, `last${string}` | 'storeBytes' | 'diskFreeBytes'>;
