// The start of a file, from which its format is recognised: its first items, columns or words.

import { Tokenizer, TokenParser } from '@streamparser/json';
import { detectDelimiter, firstRecords, isHeader, TITLE_LINES, withSubHeadings } from './csv.ts';
import { MAX_DEPTH, MEMBERS, ROOT_LIST, rowOf, rowsIn } from './json.ts';
import type { FileSource } from '../text/text.ts';
import { isObject, type JsonObject, parsedJson } from '../readers/values.ts';
export const START_BYTES = 256 * 1024;
const LEVELS = 6;
const ITEMS = 20;

export type Shape = 'json' | 'ndjson' | 'csv' | 'html';

export interface Sample {
  readonly shape: Shape;
  readonly text: string;
  /** Of JSON: paths of lists to their first objects. Of NDJSON: the objects of the first lines, as `''`. */
  readonly lists: ReadonlyMap<string, readonly JsonObject[]>;
  /** Whether JSON is malformed before it is cut off: reading the file reports where. */
  readonly isDamaged: boolean;
  readonly delimiter: string;
  readonly header: readonly string[];
  readonly records: readonly (readonly string[])[];
}

/** Reads the start of a file, and returns it with the whole file, which is to be read or closed. */
export async function sampleOf(
  source: FileSource,
): Promise<{ sample: Sample; source: FileSource; close: () => Promise<void> }> {
  const iterator = source.chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let bytes = 0;
  while (bytes < START_BYTES) {
    const { done, value } = await iterator.next();
    if (done === true) break;
    first.push(value);
    bytes += value.length;
  }
  const close = async () => {
    await iterator.return?.();
  };
  async function* whole(): AsyncGenerator<Buffer> {
    try {
      yield* first.splice(0);
      for (let next; !(next = await iterator.next()).done;) yield next.value;
    } finally {
      await close();
    }
  }
  const text = Buffer.concat(first).subarray(0, START_BYTES).toString();
  return { sample: parseSample(text), source: { ...source, chunks: whole() }, close };
}

export function parseSample(text: string, count = ITEMS): Sample {
  const start = text.trimStart();
  const empty = {
    text,
    lists: new Map(),
    isDamaged: false,
    delimiter: ',',
    header: [],
    records: [],
  };
  if (start.startsWith('<')) return { ...empty, shape: 'html' };
  if (start.startsWith('{') || start.startsWith('[')) {
    const lines = objectsOfLines(start, count);
    return lines === null
      ? { ...empty, shape: 'json', ...listsOf(start, count) }
      : { ...empty, shape: 'ndjson', ...listsOf(JSON.stringify(lines), count) };
  }
  const delimiter = detectDelimiter(start);
  const lines = firstRecords(start, delimiter, count + 2);
  const title = lines.slice(0, TITLE_LINES).findIndex(isHeader);
  const [first = [], ...rows] = lines.slice(Math.max(0, title));
  const both = withSubHeadings(first, rows[0] ?? []);
  const records = rows.slice(both === null ? 0 : 1, count);
  return { ...empty, shape: 'csv', delimiter, header: both ?? first, records };
}

/** The objects of the first lines, if the first two lines are one each; null if it is not NDJSON. */
function objectsOfLines(start: string, count: number): JsonObject[] | null {
  const lines = start.split('\n', count + 1).filter((line) => line.trim() !== '');
  if (lines.length < 2 || !lines[1]?.startsWith('{')) return null;
  const objects: JsonObject[] = [];
  for (const line of lines.slice(0, count)) {
    const value = parsedJson(line);
    if (isObject(value)) objects.push(value);
    // Reading the file reports it, unless it is one JSON text in several lines.
    else if (value === undefined && objects.length === 0) return null;
  }
  return objects.length > 0 ? objects : null;
}

/** The first objects of every list in the first levels. A text that is cut off has those before the cut. */
function listsOf(start: string, count: number): Pick<Sample, 'lists' | 'isDamaged'> {
  const lists = new Map<string, JsonObject[]>();
  const tokenizer = new Tokenizer();
  const paths = Array.from({ length: LEVELS }, (_, level) => `$${'.*'.repeat(level + 1)}`);
  const parser = new TokenParser({ paths });
  parser.onValue = ({ key, value, stack }) => {
    const item = rowOf(value);
    if (item === null) return;
    const path = stack.slice(1).map(({ key: part }) => String(part));
    if (typeof key !== 'number') {
      if (path.some((part) => /^\d+$|\./.test(part))) return;
      path.push(MEMBERS);
    }
    // Lists in the items of a list have "*" for them, "places.*.reviews", and in members that no path can name.
    const name = path.map((part) => (/^\d+$|\./.test(part) ? '*' : part)).join('.');
    const items = lists.get(name) ?? [];
    if (items.length < count) items.push(item);
    lists.set(name, items);
  };
  let depth = 0;
  tokenizer.onToken = (token) => {
    const text = token.value;
    if (text === '{' || text === '[') depth += 1;
    if (text === '}' || text === ']') depth -= 1;
    if (depth > MAX_DEPTH) throw new Error('too deep');
    parser.write(token);
  };
  const stop = (error: Error) => {
    throw error;
  };
  tokenizer.onError = stop;
  parser.onError = stop;
  try {
    tokenizer.write(start);
    return { lists: withoutObjects(lists), isDamaged: false };
  } catch {
    return { lists: withoutObjects(lists), isDamaged: true };
  }
}

/** Members of one object are rows only if they are alike. */
function withoutObjects(lists: Map<string, JsonObject[]>): Sample['lists'] {
  const isLike = (one: JsonObject, other: JsonObject | undefined) =>
    Object.keys(one).filter((key) => other && Object.hasOwn(other, key)).length > 2;
  return new Map(
    [...lists].filter(
      ([path, items]) =>
        !path.endsWith(MEMBERS) ||
        (items.length > 1 && items.every((one) => isLike(one, items[0]))),
    ),
  );
}

/** The first objects of a list, or of those that a path with `*` unites, with what is said around them. */
export function itemsOf(
  { shape, text, lists, isDamaged }: Sample,
  path: string,
): readonly JsonObject[] {
  if (path === ROOT_LIST || isDamaged) return lists.get(path) ?? [];
  const whole = shape === 'json' ? text : JSON.stringify(lists.get(ROOT_LIST));
  return rowsIn(whole, path).flatMap((item): JsonObject[] => {
    const row = rowOf(item);
    return row === null ? [] : [row];
  });
}
