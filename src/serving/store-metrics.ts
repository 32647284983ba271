// Metrics of the store: its size and its disk, and when it was last filled, published and backed up.

import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Registry } from 'prom-client';
import { addGauge } from '../metrics.ts';
import { currentManifest } from './refresher.ts';
import type { Database } from '../store/database.ts';
import { loadSize } from '../store/inspect.ts';
import { loadLastImport } from '../store/merge/imports.ts';
import { loadState } from '../store/state.ts';
import { VERSION } from '../version.ts';

export function showStore(registry: Registry, database: Database): void {
  addGauge(registry, 'build', (gauge) =>
    gauge.set({ version: VERSION, node: process.versions.node }, 1),
  );
  const file = database.fileBeside('');
  // A store that is away keeps the last values.
  const show = (key: StoreGauge, read: () => Promise<number>) =>
    addGauge(registry, key, async (gauge) => {
      const value = await read().catch(() => null);
      if (value !== null) gauge.set(Math.floor(value));
    });
  show('lastImport', async () => ((await loadLastImport(database.read)) ?? 0) / 1000);
  show('lastPublish', async () => (await currentManifest(database))?.publishedAt ?? 0);
  show('lastBackup', async () => ((await loadState(database.read)).backedUpAtMs ?? 0) / 1000);
  show('storeBytes', () => loadSize(database.read, file !== null));
  // PostgreSQL has its disk elsewhere.
  if (file !== null) show('diskFreeBytes', () => freeBytes(dirname(file)));
}

type StoreGauge = 'lastImport' | 'lastPublish' | 'lastBackup' | 'storeBytes' | 'diskFreeBytes';

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
