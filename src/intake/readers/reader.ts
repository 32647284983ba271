// What a reader of one platform's format declares: its name, how its content is recognised, and how an
// item of it becomes a row.

import type { LeftOut, ReviewRecord, Row } from '../record.ts';
import type { Source } from '../text/text.ts';
import type { ItemReading, JsonObject } from './values.ts';

interface Format {
  /** As `--format` takes it. */
  readonly name: string;
  readonly title: string;
}

/** A format of JSON objects, in a list of a JSON file or one on each line. */
export interface JsonReader extends Format {
  readonly kind: 'json';
  /** Paths of the lists that can hold the objects; `''` is the file itself. */
  readonly lists: readonly string[];
  /** Whether an object has what only this format has: a wrong guess would publish reviews under another source. */
  recognise(item: JsonObject): boolean;
  /**
   * Puts together what is in several places of a file, of which all objects are in memory: for each object itself,
   * with what belongs to it, or null if it belongs to others.
   */
  join?(items: readonly JsonObject[]): readonly (JsonObject | null)[];
  /** Why a person decides before an object is read, who then gives `--format`; null if nobody has to. */
  asks?(item: JsonObject): string | null;
  /** What the platform leaves out however many pages are fetched. */
  readonly limit?: string | undefined;
  /** The reviews of an object that has several. */
  split?(item: JsonObject): readonly JsonObject[];
  /** If it is given, values are named by its keys: of the paths of one, the first with a value counts. */
  readonly columns?: Readonly<Record<string, readonly string[]>>;
  /** Otherwise values are named by their paths, such as `user.name`. */
  read(row: ItemReading): ReviewRecord | LeftOut;
}

export interface CsvReader extends Format {
  readonly kind: 'csv';
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Without these the file is not of this format. */
  readonly required: readonly string[];
  /** Columns that no other format has: with one of them the file is of this format. */
  readonly distinctive: readonly string[];
  read(row: ItemReading): ReviewRecord | LeftOut;
}

/** The only format of HTML; a page without reviews is refused. */
export interface PageReader extends Format {
  readonly kind: 'html';
  read(source: Source): AsyncGenerator<Row>;
}

export type Reader = JsonReader | CsvReader | PageReader;
