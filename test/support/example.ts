// The published example business, and comparison of its answers with those in the documentation.

import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { importExample } from '../../src/intake/example.ts';
import { loadSnapshot } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { Database } from '../../src/store/database.ts';
import { claimPublishing, releasePublishing } from '../../src/store/snapshots/snapshots.ts';
import { saveOrigin } from '../../src/store/state.ts';
import { createSqliteDatabase, type TestDatabase } from './databases.ts';
import { SHARED_FOLDER } from './memory-folder.ts';

/** The folder of a run, with a folder for each origin that the example was published for. */
const shared = () => process.env[SHARED_FOLDER] ?? '';
const snapshots = new Map<string, Promise<Snapshot>>();

/** The published example business. No test changes it. */
export function exampleSnapshot(origin: string): Promise<Snapshot> {
  const snapshot = snapshots.get(origin) ?? loadExample(origin);
  snapshots.set(origin, snapshot);
  return snapshot;
}

async function loadExample(origin: string): Promise<Snapshot> {
  const folder = await mkdtemp(join(shared(), 'copy-'));
  const database = await copyExample(folder, origin);
  const loaded = await loadSnapshot(database.url);
  await rm(folder, { recursive: true });
  if (!loaded) throw new Error('the example was not published');
  return new Snapshot(loaded);
}

/** Creates a SQLite database in the folder, with the example published for an origin. */
export async function copyExample(folder: string, origin: string): Promise<TestDatabase> {
  const published = join(shared(), new URL(origin).host);
  if (!existsSync(published)) await publishExample(published, origin);
  const [from, to] = [createSqliteDatabase(published), createSqliteDatabase(folder)];
  for (const ending of ['', '-signed']) await copyFile(fileOf(from) + ending, fileOf(to) + ending);
  return to;
}

const fileOf = ({ url }: TestDatabase) => url.slice('sqlite:'.length);

/** Imports and publishes the example. The rename makes it appear complete to other workers. */
async function publishExample(folder: string, origin: string): Promise<void> {
  const own = await mkdtemp(`${folder}-`);
  const database = await Database.open(createSqliteDatabase(own).url);
  const publisher = 'test';
  try {
    await importExample(database);
    await saveOrigin(database, origin);
    if (!(await claimPublishing(database, publisher, 0, 60_000))) throw new Error('no claim');
    await publish(database, { publisherId: publisher, defaultOrigin: origin }, 1_800_000_000);
    await releasePublishing(database, publisher);
  } finally {
    await database.close();
  }
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
}

/** Marks an omission in a document: the rest of a text, a list or an object. */
const OMISSION = '…';

/**
 * The differences between an answer in a document and the actual one. Documents may omit the rest of a
 * text, a list or an object, marked by "…".
 */
export function differences(shown: unknown, actual: unknown, path = 'the answer'): string[] {
  if (typeof shown === 'string' && shown.endsWith(OMISSION) && shown !== OMISSION) {
    const start = shown.slice(0, -OMISSION.length);
    const isPart = typeof actual === 'string' && actual.startsWith(start) && actual !== start;
    return isPart ? [] : [describe(path, shown, actual)];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [describe(path, shown, actual)];
    const isShortened = shown.at(-1) === OMISSION;
    const items = isShortened ? shown.slice(0, -1) : shown;
    const hasExpectedLength = isShortened
      ? actual.length > items.length
      : actual.length === items.length;
    if (!hasExpectedLength) return [describe(`${path}.length`, shown.length, actual.length)];
    return items.flatMap((item, at) => differences(item, actual[at], `${path}[${at}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return [describe(path, shown, actual)];
    const isShortened = OMISSION in shown;
    const names = Object.keys(shown).filter((name) => name !== OMISSION);
    const others = Object.keys(actual).filter((name) => !names.includes(name));
    if (others.length > 0 !== isShortened)
      return [describe(`${path}, members not shown`, [], others)];
    const members = actual as Readonly<Record<string, unknown>>;
    return names.flatMap((name) =>
      differences(
        (shown as Readonly<Record<string, unknown>>)[name],
        members[name],
        `${path}.${name}`,
      ),
    );
  }
  return shown === actual ? [] : [describe(path, shown, actual)];
}

function describe(path: string, shown: unknown, actual: unknown): string {
  return `${path}: the document shows ${JSON.stringify(shown)}, the answer has ${JSON.stringify(actual)}`;
}
