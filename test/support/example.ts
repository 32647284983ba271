// The published example business, and comparison of its answers with those in the documentation.

import { importExample } from '../../src/intake/example.ts';
import { load } from '../../src/publishing/load.ts';
import { publish } from '../../src/publishing/publish.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { TestStore } from './store.ts';

/** Imports and publishes the example business. */
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
