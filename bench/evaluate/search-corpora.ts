// The businesses whose searches are judged: their reviews, and their snapshots.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { deriveFromAnalyses } from '../../src/insights/derive.ts';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { type Business, businessSchema } from '../../src/model/business.ts';
import { EVERYONE } from '../../src/model/people.ts';
import { compareNewestFirst, type Review } from '../../src/model/review.ts';
import { encodeUlid } from '../../src/model/ulid.ts';
import { SnapshotBuilder } from '../../src/snapshot/build.ts';
import { Snapshot } from '../../src/snapshot/snapshot.ts';
import { requirePart, unpackSnapshot } from '../../src/snapshot/unpack.ts';

/** Reviews, newest first, and by what the judged searches name each. */
export interface Corpus {
  readonly name: string;
  readonly business: Business;
  readonly reviews: readonly Review[];
  readonly keys: readonly string[];
}

interface Row {
  readonly key: string;
  readonly text: string | null;
  readonly rating: number;
  /** YYYY-MM-DD */
  readonly date: string;
}

const EXAMPLES = new URL('../../examples/', import.meta.url);
/** The coffee shop of the file, and the day of all its reviews, which have none. */
const CAFE = 'Lux';
const UNDATED = '2020-01-01';

/** The example business; reviews are named by the ids of their sources, or by row and digest. */
export function readExample(): Corpus {
  const { $schema: _schema, ...business } = JSON.parse(
    readFileSync(new URL('business.json', EXAMPLES), 'utf8'),
  ) as Record<string, unknown>;
  const lines = readFileSync(new URL('reviews.ndjson', EXAMPLES), 'utf8').trim().split('\n');
  const rows = lines.map((line, number): Row => {
    const {
      source_id: key,
      text,
      rating,
      date,
    } = JSON.parse(line) as { source_id?: string; date: string } & Pick<Row, 'text' | 'rating'>;
    return { key: key ?? keyOf(number, text ?? ''), text, rating, date: date.slice(0, 10) };
  });
  return corpusOf('example', businessSchema.parse(business), rows);
}

/** British Airways, as Skytrax's data sets have it; reviews are named by row and digest. */
export function readAirline(path: string): Corpus {
  const rows = readRows(path).map((row, number): Row => {
    const text = row['ReviewBody'] ?? '';
    // Such as "19th November 2023".
    const date = new Date(`${(row['Datetime'] ?? '').replace(/(?<=\d)[a-z]{2} /, ' ')} UTC`);
    const rating = Math.max(1, Math.round(Number(row['OverallRating']) / 2)) || 3;
    return { key: keyOf(number, text), text, rating, date: date.toISOString().slice(0, 10) };
  });
  const business = { name: 'British Airways', vertical: 'airlines' };
  return corpusOf('airline', businessSchema.parse(business), rows);
}

/** A coffee shop of a file with the columns business, stars and text; reviews are named by row and digest. */
export function readCafe(path: string): Corpus {
  const rows = readRows(path).flatMap(({ business, stars, text = '' }, number): Row[] =>
    business === CAFE
      ? [{ key: keyOf(number, text), text, rating: Number(stars), date: UNDATED }]
      : [],
  );
  return corpusOf('cafe', businessSchema.parse({ name: CAFE, vertical: 'cafes' }), rows);
}

function readRows(path: string): Record<string, string>[] {
  return parseCsv<Record<string, string>>(readFileSync(path), { columns: true });
}

function keyOf(row: number, text: string): string {
  return `${row}:${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

function corpusOf(name: string, business: Business, rows: readonly Row[]): Corpus {
  const sorted = rows
    .map(({ key, ...row }, number) => ({ key, review: reviewOf(number, row) }))
    .toSorted((a, b) => compareNewestFirst(a.review, b.review));
  return {
    name,
    business,
    reviews: sorted.map(({ review }) => review),
    keys: sorted.map(({ key }) => key),
  };
}

function reviewOf(number: number, { text, rating, date }: Omit<Row, 'key'>): Review {
  const random = Buffer.alloc(10);
  random.writeUInt32BE(number);
  return {
    id: encodeUlid(Date.parse(date), random),
    author: '',
    authorAvatarUrl: null,
    rating,
    date,
    text,
    source: 'direct',
    sourceUrl: null,
    ownerReply: null,
  };
}

export async function buildSnapshot({ business, reviews }: Corpus): Promise<Snapshot> {
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
