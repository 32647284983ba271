// Feeds whose entries have ratings: Atom and RSS with an element of a rating, as Apple's feed of customer
// reviews has it, and product review feeds of Google Merchant Center.

import { InputError } from '../../errors.ts';
import { dateOfMs, dateOfTimestamp } from '../instant.ts';
import { type Element, type MarkupHandler, parseMarkup } from '../text/markup.ts';
import type { MarkupReader, Outcome } from './reader.ts';
import type { Row } from '../record.ts';
import { RECORD_LIMIT, type Source, tooLong } from '../text/text.ts';
import { ItemReading } from './values.ts';

export const feed: MarkupReader = {
  kind: 'xml',
  name: 'feed',
  title: 'a feed whose entries have ratings',
  read: readFeed,
};

async function* readFeed(source: Source): AsyncGenerator<Row> {
  const handler = new FeedHandler(source.name);
  const options = { isXml: true, handler, take: () => handler.rows.splice(0) };
  for await (const row of parseMarkup<Row>(source, options)) yield row;
  if (handler.rated === 0) {
    throw new InputError(
      `${source.name}: expected a feed whose entries have ratings, got ` +
        (handler.entries === 0 ? 'no entries' : `${handler.entries} entries without one`),
    );
  }
}

const ENTRIES = ['entry', 'item', 'review'];
const RATINGS = ['rating', 'ratingvalue', 'starrating', 'overall'];

/** What an element counts towards the limit of an entry, in characters. */
const ELEMENT_COST = 64;

interface Value {
  /** With its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** An entry that is being read: its elements by their names without prefix, those in others as `a.b`. */
interface Entry {
  readonly line: number;
  readonly values: Map<string, Value[]>;
  length: number;
}

class FeedHandler implements MarkupHandler {
  readonly rows: Row[] = [];
  entries = 0;
  rated = 0;
  readonly #name: string;
  #entry: Entry | null = null;
  #path: string[] = [];
  #values: Value[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  onOpen({ name, attributes, line }: Element): void {
    const local = name.replace(/^.*:/, '');
    if (this.#entry === null) {
      if (ENTRIES.includes(local)) {
        this.#entry = { line, values: new Map(), length: 0 };
        this.#path = [];
        this.#values = [];
      }
      return;
    }
    this.#path.push(local);
    const value = { name, attributes, text: '' };
    this.#values.push(value);
    const key = this.#path.join('.');
    const values = this.#entry.values.get(key) ?? [];
    values.push(value);
    this.#entry.values.set(key, values);
    this.#grow(ELEMENT_COST + key.length + Object.values(attributes).join('').length);
  }

  onText(text: string): void {
    const value = this.#values.at(-1);
    if (value === undefined) return;
    value.text += text;
    this.#grow(text.length);
  }

  #grow(length: number): void {
    const entry = this.#entry as Entry;
    entry.length += length;
    if (entry.length > RECORD_LIMIT) throw tooLong(this.#name, entry.line);
  }

  onClose(): void {
    if (this.#entry === null) return;
    if (this.#path.length > 0) {
      this.#path.pop();
      this.#values.pop();
      return;
    }
    const outcome = readEntry(this.#entry.values);
    this.entries += 1;
    if (!('leftOut' in outcome)) this.rated += 1;
    this.rows.push({ line: this.#entry.line, ...outcome });
    this.#entry = null;
  }
}

function readEntry(values: Entry['values']): Outcome {
  const reading = new ItemReading();
  const valueOf = (...keys: string[]): Value | null => {
    const found = keys.flatMap((key) => values.get(key) ?? []);
    return found.find(({ text }) => text.trim() !== '') ?? null;
  };
  const text = (...keys: string[]) => valueOf(...keys)?.text.trim() ?? null;
  const rating = ratingOf(values);
  if (rating === null) return { leftOut: 'entry without a rating' };
  const date = text('published', 'pubdate', 'date', 'updated', 'review_timestamp');
  const day = date === null ? null : dateOfFeed(date);
  if (date !== null && day === null) {
    reading.problems.push(
      `date: expected a date of ISO 8601 or RFC 822, got ${JSON.stringify(date)}`,
    );
  }
  const body = bodyOf(values, reading);
  return reading.finish({
    source: rating.name === 'im:rating' ? 'app-store' : null,
    source_id: text('id', 'guid', 'review_id'),
    author: text('author.name', 'creator', 'reviewer.name', 'author'),
    rating: reading.stars('rating', rating.value, rating.min, rating.max),
    date: day,
    title: text('title'),
    text: body,
    source_url: linkOf(values) ?? text('review_url'),
  });
}

interface Rating {
  readonly name: string;
  readonly value: string;
  readonly min: number;
  readonly max: number;
}

function ratingOf(values: Entry['values']): Rating | null {
  for (const [key, found] of values) {
    if (!RATINGS.includes(key.split('.').at(-1) ?? '')) continue;
    for (const { name, attributes, text } of found) {
      const value = (attributes['average'] ?? attributes['value'] ?? text).trim();
      if (!/^\d/.test(value)) continue;
      const [min = 1, max = 5] = ['min', 'max'].map((bound) =>
        attributes[bound] === undefined ? undefined : Number(attributes[bound]),
      );
      return { name, value, min, max };
    }
  }
  return null;
}

/** The words: plain text if the entry has them in both forms, else HTML without its tags. */
function bodyOf(values: Entry['values'], reading: ItemReading): string | null {
  const contents = ['content', 'summary', 'encoded', 'description'].flatMap((key) =>
    (values.get(key) ?? []).map((value) => ({ key, ...value })),
  );
  const full = contents.filter(({ text }) => text.trim() !== '');
  const plain = full.find(({ key, attributes }) => {
    const { type = key === 'encoded' || key === 'description' ? 'html' : 'text' } = attributes;
    return type === 'text';
  });
  if (plain) return plain.text;
  const [html] = full;
  return html ? reading.html(html.key, html.text) : null;
}

function linkOf(values: Entry['values']): string | null {
  const links = values.get('link') ?? [];
  const link = links.find(({ attributes }) => (attributes['rel'] ?? 'alternate') === 'alternate');
  const url = link?.attributes['href'] ?? link?.text.trim() ?? '';
  return /^https?:/i.test(url) ? url : null;
}

const RFC_822 =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}(?::\d{2})? (?:[A-Z]{1,5}|[+-]\d{4})$/;

function dateOfFeed(text: string): string | null {
  return dateOfTimestamp(text) ?? (RFC_822.test(text) ? dateOfMs(Date.parse(text)) : null);
}
