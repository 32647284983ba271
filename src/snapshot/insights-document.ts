// `/insights.json`, and the ranges of its parts: a query about one technician must not parse the
// findings of a hundred thousand reviews.

import type { Insights, ReviewInsights } from '../model/insights.ts';
import type { Review } from '../model/review.ts';
import { ByteWriter } from '../model/bytes.ts';
import { BlockBody } from './blocks.ts';
import { isoTime } from './documents.ts';

/** The members of insights that can be read separately. */
type Part = Exclude<keyof Insights, 'per_review'>;

/** The ranges as arrays that can be stored and transferred to another thread. */
export type InsightsSections = {
  /** JSON of the start and end of every member except `per_review`, in bytes. */
  readonly insightsParts: Uint8Array;
  /** By position of the review; 0 for a review without an entry. */
  readonly entryStarts: Uint32Array;
  readonly entryEnds: Uint32Array;
};

export interface InsightsDocument {
  readonly body: Buffer;
  readonly sections: InsightsSections;
}

/** Writes the document with a placeholder for the time; `reviews` are sorted newest first, `capacity`
 * is the expected size in bytes. */
export function writeInsights(
  { version, ...rest }: Insights,
  reviews: readonly Review[],
  capacity?: number,
): InsightsDocument {
  const writer = new ByteWriter(capacity);
  const ranges: Record<string, readonly [number, number]> = {};
  const entries = {
    entryStarts: new Uint32Array(reviews.length),
    entryEnds: new Uint32Array(reviews.length),
  };
  const write = (name: string, before: string, value: unknown) => {
    writer.write(before);
    const start = writer.length;
    writer.write(JSON.stringify(value));
    ranges[name] = [start, writer.length];
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
    sections: { insightsParts: Buffer.from(JSON.stringify(ranges)), ...entries },
  };
}

/** Writes an object entry by entry: one string for all could exceed the maximum length of a string. */
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
    // Ids are ASCII: one byte a character.
    entryStarts[position] = writer.length + key.length;
    writer.write(key + JSON.stringify(value));
    entryEnds[position] = writer.length;
    opening = ',';
  });
  writer.write(opening === '{' ? '{}' : '}');
}

/** Reads parts of the document; parses each on first use. */
export class InsightsReader {
  readonly #body: Buffer | BlockBody;
  readonly #ranges: Readonly<Record<string, readonly [number, number]>>;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #parsed = new Map<Part, unknown>();

  constructor(
    body: Buffer | BlockBody,
    { insightsParts, entryStarts, entryEnds }: InsightsSections,
  ) {
    this.#body = body;
    this.#ranges = JSON.parse(Buffer.from(insightsParts).toString()) as Record<
      string,
      readonly [number, number]
    >;
    this.#starts = entryStarts;
    this.#ends = entryEnds;
  }

  jsonOf(part: Part): string {
    const [start, end] = this.#ranges[part] as readonly [number, number];
    return this.#textOf(start, end);
  }

  part<Name extends Part>(part: Name): Insights[Name] {
    // A member that there is no need for is absent.
    if (!Object.hasOwn(this.#ranges, part)) return undefined as Insights[Name];
    if (!this.#parsed.has(part)) this.#parsed.set(part, JSON.parse(this.jsonOf(part)));
    return this.#parsed.get(part) as Insights[Name];
  }

  /** The JSON of the entry of the review at a position; null if it has none. */
  entryJson(position: number): string | null {
    const [start, end] = [this.#starts[position] ?? 0, this.#ends[position] ?? 0];
    return end === 0 ? null : this.#textOf(start, end);
  }

  entry(position: number): ReviewInsights | null {
    const json = this.entryJson(position);
    return json === null ? null : (JSON.parse(json) as ReviewInsights);
  }

  #textOf(start: number, end: number): string {
    const body = this.#body;
    return body instanceof BlockBody
      ? body.read(start, end).toString()
      : body.toString('utf8', start, end);
  }

  /** The JSON of the document without `per_review`. */
  overviewJson(): string {
    const members = Object.keys(this.#ranges).map(
      (part) => `"${part}":${this.jsonOf(part as Part)}`,
    );
    return `{${members.join(',')}}`;
  }
}
