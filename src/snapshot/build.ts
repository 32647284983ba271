// Reviews and insights to a snapshot that can be stored. Deterministic: all that is not in the
// reviews, the business, the origin and the manifest before is the time of publishing.

import type { Business } from '../model/business.ts';
import type { Insights } from '../model/insights.ts';
import { aggregateRating } from '../model/rating.ts';
import { compareNewestFirst, type Review, reviewToJson } from '../model/review.ts';
import { ByteWriter, packSections } from './bytes.ts';
import { compress, type DocumentPath, ENCODINGS, hashOf, isoTime } from './documents.ts';
import { renderAtomFeed, renderJsonFeed } from './feeds.ts';
import { writeInsights } from './insights-document.ts';
import { type DayState, type DocumentState, type Manifest, partName } from './manifest.ts';
import { writeLanguages } from './languages.ts';
import { writePictures } from './pictures.ts';
import { buildSearchIndex } from './search-index.ts';

export interface BuildInput {
  /** In any order. */
  readonly reviews: readonly Review[];
  readonly insights: Insights;
  /** ISO 639-1 codes of the languages of reviews by their id, as far as they are known. */
  readonly languages: ReadonlyMap<string, string | null>;
  /** Pictures of what the insights and the reviews say, by name; they depend on nothing else. */
  readonly pictures: Readonly<Record<string, Uint8Array>>;
  readonly business: Business;
  readonly origin: string;
  readonly builder: string;
  /** The manifest of the current snapshot, null before the first. */
  readonly previous: Manifest | null;
  /** Seconds since 1970. */
  readonly now: number;
}

export interface BuiltSnapshot {
  readonly manifest: Manifest;
  /** The parts that no earlier snapshot stored already. */
  readonly parts: ReadonlyMap<string, Uint8Array>;
}

/** The time in a document while it is hashed; as long as any other. */
const NO_TIME = isoTime(0);

/** Builds the next snapshot; null where it would be the current one again. */
export async function buildSnapshot(input: BuildInput): Promise<BuiltSnapshot | null> {
  const { insights, business, origin, builder, previous } = input;
  const reviews = input.reviews.toSorted(compareNewestFirst);
  const number = (previous?.number ?? 0) + 1;
  // Never less than one second later, whatever the clock says: Last-Modified has no fractions.
  const publishedAt = Math.max(Math.floor(input.now), (previous?.publishedAt ?? 0) + 1);
  const dataset = writeDataset(reviews, business);
  const insightsDocument = writeInsights(insights, reviews);
  const feed = { origin, business, insights, reviews };
  const parts = new Map<string, Uint8Array>();

  /** The document as it was where its content is the same, else its new state and parts. */
  const buildDocument = async (
    path: DocumentPath,
    render: (time: number) => Buffer,
  ): Promise<DocumentState> => {
    const contentHash = hashOf(render(0));
    const known = previous?.documents[path];
    if (known?.contentHash === contentHash) return known;
    const state = { contentHash, changedAt: publishedAt, part: `${path}@${number}` };
    const body = render(publishedAt);
    await Promise.all(
      ENCODINGS.map(async (encoding) => {
        parts.set(partName(state, encoding), await compress(body, encoding));
      }),
    );
    return state;
  };
  const documents = {
    '/reviews.json': await buildDocument('/reviews.json', (time) => withTime(dataset.body, time)),
    '/insights.json': await buildDocument('/insights.json', (time) =>
      withTime(insightsDocument.body, time),
    ),
    '/api/feed.json': await buildDocument('/api/feed.json', () => renderJsonFeed(feed)),
    '/feed.xml': await buildDocument('/feed.xml', (time) => renderAtomFeed(feed, time)),
  };

  const isSameProgram = previous?.builder === builder && previous.origin === origin;
  if (isSameProgram && parts.size === 0) return null;
  // The index repeats what these two say, so it changes only with them, or with the program.
  const isSameIndex =
    isSameProgram &&
    documents['/reviews.json'] === previous.documents['/reviews.json'] &&
    documents['/insights.json'] === previous.documents['/insights.json'];
  const index = isSameIndex ? previous.index : `index@${number}.zstd`;
  if (!isSameIndex) {
    const { starts, ends } = dataset;
    const idOrder = orderOfIds(reviews);
    const search = buildSearchIndex(reviews, insights, business);
    const sections = {
      starts,
      ends,
      idOrder,
      ...search,
      ...insightsDocument.sections,
      ...writeLanguages(reviews, input.languages),
      ...writePictures(input.pictures),
    };
    parts.set(index, await compress(packSections(sections), 'zstd'));
  }
  const manifest = {
    builder,
    number,
    origin,
    publishedAt,
    firstPublishedAt: previous?.firstPublishedAt ?? publishedAt,
    documents,
    days: nextDays(dataset, reviews, previous?.days ?? [], publishedAt),
    index,
  };
  return { manifest, parts };
}

/** `/reviews.json` and where in it each review begins and ends, in bytes. */
interface Dataset {
  readonly body: Buffer;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

function writeDataset(reviews: readonly Review[], business: Business): Dataset {
  const writer = new ByteWriter();
  const starts = new Uint32Array(reviews.length);
  const ends = new Uint32Array(reviews.length);
  writer.write(
    `{"version":1,"updated_at":"${NO_TIME}","business":${JSON.stringify(business)},` +
      `"aggregate_rating":${JSON.stringify(aggregateRating(reviews))},"reviews":[`,
  );
  reviews.forEach((review, position) => {
    if (position > 0) writer.write(',');
    starts[position] = writer.length;
    writer.write(JSON.stringify(reviewToJson(review)));
    ends[position] = writer.length;
  });
  writer.write(']}');
  return { body: writer.finish(), starts, ends };
}

/** Writes the time over the first one in a body that was made with NO_TIME. */
function withTime(body: Buffer, time: number): Buffer {
  body.write(isoTime(time), body.indexOf('_at":"') + '_at":"'.length, 'latin1');
  return body;
}

/** The state of every day that has reviews or had some, newest first. */
function nextDays(
  { body, starts, ends }: Dataset,
  reviews: readonly Review[],
  previous: readonly DayState[],
  publishedAt: number,
): DayState[] {
  const known = new Map(previous.map((day) => [day.date, day]));
  const days = new Map<string, DayState>();
  const add = (date: string, hash: string | null) => {
    const before = known.get(date);
    days.set(date, before?.hash === hash ? before : { date, hash, changedAt: publishedAt });
  };
  for (let first = 0; first < reviews.length;) {
    const { date } = reviews[first] as Review;
    let last = first;
    while (reviews[last + 1]?.date === date) last += 1;
    add(date, hashOf(body.subarray(starts[first], ends[last])));
    first = last + 1;
  }
  for (const { date } of previous) if (!days.has(date)) add(date, null);
  return [...days.values()].toSorted((a, b) => (a.date < b.date ? 1 : -1));
}

/** Positions in the order of the ids. */
function orderOfIds(reviews: readonly Review[]): Uint32Array {
  const ids = reviews.map(({ id }) => id);
  const order = Array.from(ids.keys());
  order.sort((a, b) => ((ids[a] as string) < (ids[b] as string) ? -1 : 1));
  return Uint32Array.from(order);
}
