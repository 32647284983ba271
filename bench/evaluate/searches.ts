// Judges relevance: searches as people type them, each with the reviews that should be among the first
// ten, written down before any search was made.
//
//   node bench/evaluate/searches.ts                  the example business
//   node bench/evaluate/searches.ts --data CSV       the file of reviews of British Airways, which is not part of
//                                                    this project, as Skytrax's data sets have it
//   --errors                                         also the searches whose first ten lack an expected review
//
// A search is ["words", [expected review, ...]]: the beginning of its text, or for the file "row:digest", the row
// from 0 on and the first digits of the SHA-256 of its text. Every second search is held out: nothing was tuned on it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { parse as parseCsv } from 'csv-parse/sync';
import { businessSchema } from '../../src/model/business.ts';
import { EVERYONE } from '../../src/model/people.ts';
import { fold } from '../../src/model/fold.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import { splitWords } from '../../src/model/words.ts';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../src/insights/derive.ts';
import { SnapshotBuilder } from '../../src/snapshot/build.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { requirePart, unpackSnapshot } from '../../src/snapshot/unpack.ts';
import { readItems } from './data.ts';

type Search = readonly [words: string, expected: readonly string[]];
type Finder = (words: string) => readonly number[];

const FIRST = 10;
const EXAMPLES = new URL('../../examples/', import.meta.url);

const { values: options } = parseArgs({
  options: { data: { type: 'string' }, errors: { type: 'boolean', default: false } },
});
const rows = options.data === undefined ? readExample() : readAirline(options.data);
const reviews = rows.map(({ review }) => review).toSorted(compareNewestFirst);
const searches = readItems<Search>(
  `searches/${options.data === undefined ? 'example' : 'british-airways'}.ndjson`,
);
const snapshot = await build();
const finders: Readonly<Record<string, Finder>> = {
  'words, by relevance': (words) => search({ words: WordQuery.parse(words), sort: 'relevance' }),
  'query, newest': (query) => search({ query }),
  'FTS5 bm25, porter, all words': fts5(' '),
  'FTS5 bm25, porter, any word': fts5(' OR '),
};
const expected = searches.map(([words, keys]) => keys.map((key) => positionOf(words, key)));
for (const [name, find] of Object.entries(finders)) {
  const found = searches.map(([words]) => find(words));
  const recalls = found.map((list, index) => recallOf(list, expected[index] ?? []));
  const ranks = found.map((list, index) => reciprocalRank(list, expected[index] ?? []));
  const show = (part: string, isMeant: (index: number) => boolean) => {
    const [recall, rank] = [recalls, ranks].map((all) => mean(all.filter((_, at) => isMeant(at))));
    return `${part} recall@10 ${recall?.toFixed(3)}, MRR ${rank?.toFixed(3)}`;
  };
  const parts = [
    show('all', () => true),
    show('development', (index) => index % 2 === 0),
    show('held out', (index) => index % 2 === 1),
  ];
  process.stdout.write(`${name}: ${parts.join('; ')}\n`);
  if (!options.errors) continue;
  searches.forEach(([words], index) => {
    if ((recalls[index] ?? 0) < 1) process.stdout.write(`  ${words}: ${recalls[index]}\n`);
  });
}

interface Row {
  readonly review: Review;
  /** Whether a search means this row. */
  readonly isMeant: (key: string) => boolean;
}

function readExample(): Row[] {
  const lines = readFileSync(new URL('reviews.ndjson', EXAMPLES), 'utf8').trim().split('\n');
  return lines.map((line, number) => {
    const row = JSON.parse(line) as { text: string | null; rating: number; date: string };
    const isMeant = (key: string) => row.text?.startsWith(key) ?? false;
    return { review: reviewOf(number, row.text, row.rating, row.date.slice(0, 10)), isMeant };
  });
}

function readAirline(path: string): Row[] {
  const given = parseCsv<Record<string, string>>(readFileSync(path), { columns: true });
  return given.map((row, number) => {
    const text = row['ReviewBody'] ?? '';
    const digest = createHash('sha256').update(text).digest('hex');
    // Such as "19th November 2023".
    const date = new Date(`${(row['Datetime'] ?? '').replace(/(?<=\d)[a-z]{2} /, ' ')} UTC`);
    const stars = Math.max(1, Math.round(Number(row['OverallRating']) / 2));
    return {
      review: reviewOf(number, text, stars || 3, date.toISOString().slice(0, 10)),
      isMeant: (key) => {
        const [at, digits = '?'] = key.split(':');
        return at === String(number) && digest.startsWith(digits);
      },
    };
  });
}

function reviewOf(number: number, text: string | null, rating: number, date: string): Review {
  const random = Buffer.alloc(10);
  random.writeUInt32BE(number);
  return {
    id: encodeUlid(Date.parse(date), random),
    author: '',
    authorAvatarUrl: null,
    rating: Number.isInteger(rating) ? rating : 3,
    date,
    text,
    source: 'direct',
    sourceUrl: null,
    ownerReply: null,
  };
}

async function build(): Promise<Snapshot> {
  const { $schema: _schema, ...example } = JSON.parse(
    readFileSync(new URL('business.json', EXAMPLES), 'utf8'),
  ) as Record<string, unknown>;
  const business = businessSchema.parse(
    options.data === undefined
      ? example
      : { name: 'Evaluated', vertical: 'hospitality_and_travel' },
  );
  const analyse = buildAnalyser(business);
  const analysed = reviews.map((review) => ({ review, analysis: analyse(review) }));
  const input = {
    reviews,
    business,
    origin: 'https://reviews.example',
    previous: null,
    nowSeconds: 1,
  };
  const built = await new SnapshotBuilder({ ...input, builder: 'evaluate' }).finish({
    insights: deriveFromAnalyses(analysed, business, EVERYONE),
    languages: new Map(analysed.map(({ review, analysis }) => [review.id, analysis.language])),
    drawPictures: () => Promise.resolve({}),
  });
  if (!built) throw new Error('nothing was built');
  const parts = new Map(await Array.fromAsync(built.parts));
  return new Snapshot(
    await unpackSnapshot(built.manifest, (name) => [Uint8Array.from(requirePart(parts, name))]),
  );
}

function search(filter: Partial<SearchFilter>): readonly number[] {
  return snapshot.search({ ...filter, limit: FIRST }).positions;
}

function fts5(operator: string): Finder {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')");
  const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  reviews.forEach(({ text }, position) => insert.run(position + 1, text));
  const query = database.prepare(
    'SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?',
  );
  return (words) => {
    const match = splitWords(fold(words)).map(({ word }) => `"${word}"`);
    return query.all(match.join(operator), FIRST).map((row) => Number(row['rowid']) - 1);
  };
}

function positionOf(words: string, key: string): number {
  const row = rows.find(({ isMeant }) => isMeant(key));
  if (!row) throw new Error(`${words}: no review is meant by ${JSON.stringify(key)}`);
  return reviews.indexOf(row.review);
}

function recallOf(found: readonly number[], wanted: readonly number[]): number {
  return wanted.filter((one) => found.includes(one)).length / wanted.length;
}

function reciprocalRank(found: readonly number[], wanted: readonly number[]): number {
  const rank = found.findIndex((one) => wanted.includes(one));
  return rank < 0 ? 0 : 1 / (rank + 1);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
