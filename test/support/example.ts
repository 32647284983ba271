// The example business as a server shows it, and the comparison of its answers with those that the
// documentation shows.

import { importExample } from '../../src/intake/import.ts';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { claimPublishing } from '../../src/store/snapshots.ts';
import { TestStore } from './store.ts';

/** The example business, imported and published. */
export async function exampleSnapshot(origin: string): Promise<Snapshot> {
  const store = await TestStore.create();
  try {
    const database = await store.open();
    await importExample(database);
    const publisher = 'test';
    if (!(await claimPublishing(database, publisher, 0, 60_000))) throw new Error('no claim');
    await publish(database, { publisherId: publisher, defaultOrigin: origin }, 1_800_000_000);
    const loaded = await load(database);
    if (!loaded) throw new Error('the example was not published');
    return new Snapshot(loaded);
  } finally {
    await store.close();
  }
}

/** Stands for what a document leaves out: the end of a text, more of a list, more members. */
const MORE = '…';

/**
 * Where an answer differs from the one that a document shows. Documents may leave out the end of a text or
 * of a list, and members; they say so by "…".
 */
export function differences(shown: unknown, actual: unknown, path = 'the answer'): string[] {
  if (typeof shown === 'string' && shown.endsWith(MORE) && shown !== MORE) {
    const start = shown.slice(0, -MORE.length);
    const isPart = typeof actual === 'string' && actual.startsWith(start) && actual !== start;
    return isPart ? [] : [tell(path, shown, actual)];
  }
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual)) return [tell(path, shown, actual)];
    const isShortened = shown.at(-1) === MORE;
    const items = isShortened ? shown.slice(0, -1) : shown;
    const isAsLong = isShortened ? actual.length > items.length : actual.length === items.length;
    if (!isAsLong) return [tell(`${path}.length`, shown.length, actual.length)];
    return items.flatMap((item, at) => differences(item, actual[at], `${path}[${at}]`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return [tell(path, shown, actual)];
    const isShortened = MORE in shown;
    const names = Object.keys(shown).filter((name) => name !== MORE);
    const others = Object.keys(actual).filter((name) => !names.includes(name));
    if (others.length > 0 !== isShortened) return [tell(`${path}, members not shown`, [], others)];
    const members = actual as Readonly<Record<string, unknown>>;
    return names.flatMap((name) =>
      differences(
        (shown as Readonly<Record<string, unknown>>)[name],
        members[name],
        `${path}.${name}`,
      ),
    );
  }
  return shown === actual ? [] : [tell(path, shown, actual)];
}

function tell(path: string, shown: unknown, actual: unknown): string {
  return `${path}: the document shows ${JSON.stringify(shown)}, it is ${JSON.stringify(actual)}`;
}
