// Judges relevance: searches as people type them, each with the reviews that should be among the first
// ten, written down before any search was made.
//
//   node bench/evaluate/searches.ts                      the example business
//   node bench/evaluate/searches.ts REVIEWS SEARCHES     rows of NDJSON, and searches
//
// A search is ["words", ["beginning of the text of an expected review", ...]].

import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { businessSchema } from '../../src/model/business.ts';
import { EVERYONE } from '../../src/model/people.ts';
import { fold } from '../../src/model/fold.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { splitWords } from '../../src/model/words.ts';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { deriveFromAnalyses } from '../../src/insights/derive.ts';
import { SnapshotBuilder } from '../../src/snapshot/build.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { requirePart, unpackSnapshot } from '../../src/snapshot/unpack.ts';

type Search = readonly [words: string, expected: readonly string[]];
type Finder = (words: string) => readonly number[];

const FIRST = 10;
const EXAMPLES = new URL('../../examples/', import.meta.url);

const [reviewsPath, searchesPath] = process.argv.slice(2);
const reviews = readReviews(reviewsPath ?? new URL('reviews.ndjson', EXAMPLES));
const searches = JSON.parse(
  readFileSync(searchesPath ?? new URL('searches/example.json', import.meta.url), 'utf8'),
) as Search[];
const snapshot = await build();
const finders: Readonly<Record<string, Finder>> = {
  'words, by relevance': (words) => search({ words, sort: 'relevance' }),
  'query, newest': (query) => search({ query }),
  'FTS5 bm25, porter, all words': fts5(' '),
  'FTS5 bm25, porter, any word': fts5(' OR '),
};
const expected = searches.map(([words, texts]) => texts.map((text) => positionOf(words, text)));
for (const [name, find] of Object.entries(finders)) {
  const found = searches.map(([words]) => find(words));
  const recalls = found.map((list, index) => recallOf(list, expected[index] ?? []));
  const ranks = found.map((list, index) => reciprocalRank(list, expected[index] ?? []));
  process.stdout.write(
    `${name}: recall@10 ${mean(recalls).toFixed(3)}, MRR ${mean(ranks).toFixed(3)}\n`,
  );
  if (process.env['ERRORS'] === name) {
    searches.forEach(([words], index) => {
      if ((recalls[index] ?? 0) < 1) process.stdout.write(`  ${words}: ${recalls[index]}\n`);
    });
  }
}

function readReviews(path: string | URL): Review[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const rows = lines.map(
    (line) => JSON.parse(line) as { text: string | null; rating: number; date: string },
  );
  const random = Buffer.alloc(10);
  return rows
    .map(({ text, rating, date }, number): Review => {
      random.writeUInt32BE(number);
      const [own, ownDate] = [Number.isInteger(rating) ? rating : 3, date.slice(0, 10)];
      return {
        id: encodeUlid(Date.parse(ownDate), random),
        author: '',
        authorAvatarUrl: null,
        rating: own,
        date: ownDate,
        text,
        source: 'direct',
        sourceUrl: null,
        ownerReply: null,
      };
    })
    .toSorted(compareNewestFirst);
}

async function build(): Promise<Snapshot> {
  const { $schema: _schema, ...example } = JSON.parse(
    readFileSync(new URL('business.json', EXAMPLES), 'utf8'),
  ) as Record<string, unknown>;
  const business = businessSchema.parse(
    reviewsPath === undefined ? example : { name: 'Evaluated' },
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
  return new Snapshot(
    await unpackSnapshot(built.manifest, (name) => [
      Uint8Array.from(requirePart(built.parts, name)),
    ]),
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

function positionOf(words: string, beginning: string): number {
  const position = reviews.findIndex(({ text }) => text?.startsWith(beginning) ?? false);
  if (position < 0) throw new Error(`${words}: no text begins with ${JSON.stringify(beginning)}`);
  return position;
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
