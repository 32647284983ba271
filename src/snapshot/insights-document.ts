// `/insights.json` and where in it each part begins and ends: a question about one technician must
// not read what was found in a hundred thousand reviews.

import type { Insights, ReviewInsights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { ByteWriter } from '../model/bytes.ts';
import { isoTime } from './documents.ts';

/** The members of insights that are read on their own. */
type Part = Exclude<keyof Insights, 'per_review'>;

/** The places as arrays, for the store and for handing them to another thread. */
export type InsightsSections = {
  /** JSON of the first byte and the end of every member but `per_review`. */
  readonly insightsParts: Uint8Array;
  /** By position of the review; a review without an entry begins and ends at 0. */
  readonly entryStarts: Uint32Array;
  readonly entryEnds: Uint32Array;
};

export interface InsightsDocument {
  readonly body: Buffer;
  readonly sections: InsightsSections;
}

/** Writes the document, with a time to be written over, of reviews that come newest first;
 * `capacity` is about how many bytes it will have, or more. */
export function writeInsights(
  { version, ...rest }: Insights,
  reviews: readonly Review[],
  capacity?: number,
): InsightsDocument {
  const writer = new ByteWriter(capacity);
  const places: Record<string, readonly [number, number]> = {};
  const entries = {
    entryStarts: new Uint32Array(reviews.length),
    entryEnds: new Uint32Array(reviews.length),
  };
  const write = (name: string, before: string, value: unknown) => {
    writer.write(before);
    const start = writer.length;
    writer.write(JSON.stringify(value));
    places[name] = [start, writer.length];
  };
  write('version', '{"version":', version);
  writer.write(`,"generated_at":"${isoTime(0)}"`);
  for (const [name, value] of Object.entries(rest)) {
    if (name === 'per_review') {
      writer.write(`,"${name}":`);
      writeEntries(writer, rest.per_review, reviews, entries);
    } else {
      write(name, `,"${name}":`, value);
    }
  }
  writer.write('}');
  return {
    body: writer.finish(),
    sections: { insightsParts: Buffer.from(JSON.stringify(places)), ...entries },
  };
}

/** Writes an object entry by entry: as one string this one could grow past what a string can hold. */
function writeEntries(
  writer: ByteWriter,
  values: Insights['per_review'],
  reviews: readonly Review[],
  { entryStarts, entryEnds }: Omit<InsightsSections, 'insightsParts'>,
): void {
  let opening = '{';
  reviews.forEach(({ id }, position) => {
    const value = values[id];
    if (!value) return;
    const key = `${opening}${JSON.stringify(id)}:`;
    // Ids are of ASCII: as many bytes as characters.
    entryStarts[position] = writer.length + key.length;
    writer.write(key + JSON.stringify(value));
    entryEnds[position] = writer.length;
    opening = ',';
  });
  writer.write(opening === '{' ? '{}' : '}');
}

/** Reads parts of the document; each is parsed when it is first asked for. */
export class InsightsReader {
  readonly #body: Buffer;
  readonly #places: Readonly<Record<string, readonly [number, number]>>;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #parsed = new Map<Part, unknown>();

  constructor(body: Buffer, { insightsParts, entryStarts, entryEnds }: InsightsSections) {
    this.#body = body;
    this.#places = JSON.parse(Buffer.from(insightsParts).toString()) as Record<
      string,
      readonly [number, number]
    >;
    this.#starts = entryStarts;
    this.#ends = entryEnds;
  }

  /** The JSON of a part. */
  jsonOf(part: Part): string {
    const [start, end] = this.#places[part] as readonly [number, number];
    return this.#body.toString('utf8', start, end);
  }

  part<Name extends Part>(part: Name): Insights[Name] {
    if (!this.#parsed.has(part)) this.#parsed.set(part, JSON.parse(this.jsonOf(part)));
    return this.#parsed.get(part) as Insights[Name];
  }

  /** The JSON of what was found in the review at a position, null where it has no entry. */
  entryJson(position: number): string | null {
    const [start, end] = [this.#starts[position] ?? 0, this.#ends[position] ?? 0];
    return end === 0 ? null : this.#body.toString('utf8', start, end);
  }

  entry(position: number): ReviewInsights | null {
    const json = this.entryJson(position);
    return json === null ? null : (JSON.parse(json) as ReviewInsights);
  }

  /** JSON of the whole document without `per_review`. */
  overviewJson(): string {
    const members = Object.keys(this.#places).map(
      (part) => `"${part}":${this.jsonOf(part as Part)}`,
    );
    return `{${members.join(',')}}`;
  }
}
