// No content stops publishing: any business file and reviews can be published, and every exported file can be
// parsed.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createDocument } from '@mixmark-io/domino';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { exportSite } from '../../src/commands/export.ts';
import {
  importFiles,
  type ImportReport,
  PLAIN_IMPORT,
  prepareImport,
  SILENT,
} from '../../src/intake/import.ts';
import type { PublishWork } from '../../src/publishing/publish.ts';
import { publish } from '../../src/publishing/publish.ts';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { loadState } from '../../src/store/state.ts';
import type { Omission } from '../../src/publishing/run/messages.ts';
import { cases } from '../support/cases.ts';
import { anyHostileText, HOSTILE_TEXTS } from '../support/hostile.ts';
import { storedReviews, TestStore } from '../support/store.ts';
import { parseXml } from '../support/xml.ts';

const ORIGIN = 'https://reviews.example';

let store: TestStore;
let database: Database;
let folder: string;
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-content-'));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Imports records and a business like the command. */
async function importAll(
  records: readonly object[],
  business: object | null,
): Promise<ImportReport> {
  const reviewsFile = join(folder, 'reviews.ndjson');
  const businessFile = join(folder, 'business.json');
  await writeFile(reviewsFile, records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  if (business) await writeFile(businessFile, JSON.stringify(business));
  const options = {
    ...PLAIN_IMPORT,
    format: 'ndjson',
    business: business ? businessFile : null,
    verifiedBy: 'hand',
  };
  return importFiles(database, [reviewsFile], await prepareImport(options), SILENT);
}

/** Publishes, with parts of the work that fail. */
async function publishAll(failing: Partial<PublishWork> = {}): Promise<readonly Omission[]> {
  const publisher = 'test';
  const now = Date.now();
  expect(await claimPublishing(database, publisher, now, now + 600_000)).toBe(true);
  const publishing = { publisherId: publisher, defaultOrigin: ORIGIN };
  return publish(database, publishing, now / 1000, () => undefined, failing);
}

/** Every file of an export by name. */
async function exportAll(): Promise<Map<string, string>> {
  const to = join(folder, 'site');
  const config = parseConfig({ DATABASE_URL: store.url, BASE_URL: ORIGIN });
  await exportSite(config, database, 'test', to, () => undefined);
  const entries = await readdir(to, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    files.set(path.slice(to.length + 1), await readFile(path, 'utf8'));
  }
  return files;
}

/** Characters that no file may have; tab, line feed and carriage return are allowed. */
const CONTROL = /(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}|\p{Surrogate}/u;

/** Parses a file according to its ending. */
function check(name: string, content: string): void {
  const ending = extname(name);
  // Pictures, and tiles of the log, which are binary.
  const isBinary = ending === '.png' || ending === '.ico' || name.startsWith('log/tile/');
  if (isBinary) return;
  expect(content, name).not.toMatch(CONTROL);
  if (ending === '.json') JSON.parse(content, refuseControl);
  if (ending === '.xml' || ending === '.svg') parseXml(content);
  if (ending !== '.html') return;
  expect(content.trimEnd().endsWith('</html>'), name).toBe(true);
  const document = createDocument(content);
  expect(document.querySelector('title')?.textContent, name).toBeTruthy();
  for (const script of Array.from(document.querySelectorAll('script'))) {
    const type = script.getAttribute('type');
    if (type === 'application/ld+json') JSON.parse(script.textContent ?? '');
    else expect(script.getAttribute('src'), name).toMatch(/^\/(?:assets\/|embed\.js$)/);
  }
  expect(document.querySelector('[onerror]'), name).toBeFalsy();
}

/** JSON can contain control characters as escapes. */
function refuseControl(key: string, value: unknown): unknown {
  expect(key).not.toMatch(CONTROL);
  if (typeof value === 'string') expect(value).not.toMatch(CONTROL);
  return value;
}

/** A business with a text in every field that takes any text. */
function businessOf(text: () => string): object {
  return {
    name: text(),
    legal_name: text(),
    description: text(),
    vertical: 'home_services',
    url: `https://business.example/?q=${encodeURIComponent(text().toWellFormed())}`,
    telephone: text(),
    email: text(),
    address: {
      street: text(),
      city: text(),
      region: text(),
      postal_code: text(),
      country: text(),
    },
    hours: [{ days: [text()], opens: '08:00', closes: '17:00' }],
    service_areas: [text(), text()],
    services: [{ id: 'one', label: text(), aliases: [text()] }],
    technicians: [{ id: 'two', name: text(), aliases: [text()] }],
    same_as: ['https://social.example/]]>'],
  };
}

function recordOf(number: number, text: () => string): object {
  return {
    source_id: `${number} ${text()}`,
    author: text(),
    rating: 1 + (number % 5),
    date: `2024-0${1 + (number % 9)}-11`,
    text: text(),
    source: text(),
    source_url: number % 2 === 0 ? null : 'https://reviews.example/?a=]]>&b="\'',
    owner_reply: { text: text(), date: '2024-11-11' },
    verified_by: text(),
  };
}

async function expectPublished(): Promise<void> {
  expect(await publishAll()).toEqual([]);
  const { contentVersion, publishedVersion } = await loadState(database.read);
  expect(publishedVersion).toBe(contentVersion);
  const files = await exportAll();
  expect(files.size).toBeGreaterThan(20);
  for (const [name, content] of files) check(name, content);
}

test('every hostile text in every field of a business and of reviews is published', async () => {
  const records = HOSTILE_TEXTS.map((each, number) => recordOf(number, () => `x${each}`));
  // The files of the last business are parsed: its name has the end of a CDATA section.
  const texts = HOSTILE_TEXTS.toReversed();
  expect(texts.at(-1)).toContain(']]>');
  for (const text of texts) {
    // All reviews at the end: the publishes of the businesses before are many times faster without them.
    const isLast = text === texts.at(-1);
    const { refused } = await importAll(
      isLast ? records : records.slice(0, 1),
      businessOf(() => `${text}x`),
    );
    expect(refused).toBe(0);
    expect(await publishAll(), text).toEqual([]);
  }
  await expectPublished();
});

test('any mixture of hostile texts is published', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(anyHostileText), async (texts) => {
      const text = () => `x${texts.next().value as string}`;
      await importAll(
        Array.from({ length: 5 }, (_, number) => recordOf(number, text)),
        businessOf(text),
      );
      await expectPublished();
    }),
    { numRuns: cases(2) },
  );
});

test('control characters that earlier versions stored are not published', async () => {
  await importAll([recordOf(0, () => 'plain')], { name: 'Plain' });
  const raw = 'a\u0001b\u0085c\ufdd0';
  await database.read
    .updateTable('reviews')
    .set({ author: '\u0002', text: raw, source: raw, owner_reply_text: raw })
    .execute();
  await database.read
    .updateTable('business')
    .set({ record: JSON.stringify({ ...JSON.parse(await storedBusiness()), name: raw }) })
    .execute();
  await expectPublished();
  const files = await exportAll();
  const dataset = JSON.parse(files.get('reviews.json') ?? '');
  expect(dataset.business.name).toBe('abc');
  expect(dataset.reviews[0]).toMatchObject({ author: '\ufffd', text: 'abc', source: 'abc' });
});

async function storedBusiness(): Promise<string> {
  const row = await database.read.selectFrom('business').select('record').executeTakeFirstOrThrow();
  return row.record;
}

test('control characters are removed when they are imported', async () => {
  await importAll([recordOf(0, () => '\u0000a\u0007b\r\nc\td\u0085\ud800\uffff')], null);
  const [stored] = await storedReviews(database);
  expect(stored).toMatchObject({
    author: 'ab\nc\td',
    text: 'ab\nc\td',
    source: 'ab\nc\td',
    owner_reply_text: 'ab\nc\td',
    verified_by: 'ab\nc\td',
  });
});

describe('a failure', () => {
  beforeEach(() => importAll([recordOf(0, () => 'plain')], { name: 'Plain' }));

  test('of a picture leaves it out, and is reported', async () => {
    const omitted = await publishAll({
      drawPictures: (_, onFailed) => {
        onFailed('aspects wide', new Error('no paper'));
        return {};
      },
    });
    expect(omitted).toEqual([{ what: 'chart "aspects wide"', reason: 'Error: no paper' }]);
    const files = await exportAll();
    expect(files.has('index.html')).toBe(true);
  });

  test('of the analysis of a text leaves the text without analysis, and is reported', async () => {
    const [{ id } = { id: '' }] = await storedReviews(database);
    const omitted = await publishAll({
      buildAnalyser: (business) => {
        const analyse = buildAnalyser(business);
        return (each) => {
          if (each.text !== null) throw new Error('no words');
          return analyse(each);
        };
      },
    });
    expect(omitted).toEqual([{ what: `analysis of review ${id}`, reason: 'Error: no words' }]);
    expect(await database.read.selectFrom('analyses').select('key').execute()).toEqual([]);
    const files = await exportAll();
    expect(JSON.parse(files.get('reviews.json') ?? '').reviews).toHaveLength(1);
  });

  test('of an essential step names the step, and leaves the publish pending', async () => {
    const failing = {
      deriveFromAnalyses: () => {
        throw new TypeError('no sum');
      },
    };
    await expect(publishAll(failing)).rejects.toThrow(
      'deriving the insights failed: TypeError: no sum',
    );
    const { contentVersion, publishedVersion } = await loadState(database.read);
    expect(publishedVersion).toBeLessThan(contentVersion);
  });
});
