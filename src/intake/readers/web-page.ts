// A saved web page whose reviews are marked up as schema.org says, in JSON-LD or microdata.
// https://schema.org/Review

import { InputError } from '../../errors.ts';
import { tidyText } from '../text/html-text.ts';
import { type Element, type MarkupHandler, parseMarkup } from '../text/markup.ts';
import type { JsonObject, MarkupReader, Outcome } from './reader.ts';
import type { Row } from '../record.ts';
import { RECORD_LIMIT, type Source } from '../text/text.ts';
import { isObject, ItemReading, textOf } from './values.ts';

/** Characters of a page. */
const LONGEST_PAGE = 64 * 1024 * 1024;
/** Properties that may be open at once: each collects the text of those in it. */
const MAX_NESTED_PROPERTIES = 16;

export const webPage: MarkupReader = {
  kind: 'html',
  name: 'web-page',
  title: 'a web page with reviews in schema.org markup',
  read: readPage,
};

async function* readPage(source: Source): AsyncGenerator<Row> {
  const page = new Page(source.name);
  const chunks = limited(source);
  const reading = parseMarkup<Row>(
    { name: source.name, chunks },
    { isXml: false, handler: page, take: () => [] },
  );
  for await (const row of reading) yield row;
  // A page often has both; its JSON-LD is what search engines read first.
  const rows = page.linked.length > 0 ? page.linked : page.microdata;
  if (rows.length === 0) {
    throw new InputError(
      `${source.name}: expected a page with reviews in schema.org markup (JSON-LD or microdata), got none`,
    );
  }
  yield* rows;
}

/** Reviews are known at the end only, so a page is in memory. */
async function* limited({ name, chunks }: Source): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > LONGEST_PAGE) {
      throw new InputError(`${name}: expected a page of at most 64 MiB, got a longer one`);
    }
    yield chunk;
  }
}

interface Item {
  readonly node: Record<string, unknown>;
  readonly line: number;
}

/** A property whose value is the text of an element, and the item that has it. */
interface Text {
  readonly of: Item;
  readonly property: string;
  value: string;
}

/** An element that is open. */
interface Open {
  readonly item: Item | null;
  readonly text: Text | null;
}

class Page implements MarkupHandler {
  readonly linked: Row[] = [];
  readonly microdata: Row[] = [];
  readonly #name: string;
  readonly #open: Open[] = [];
  /** Those of the open elements. */
  readonly #texts: Text[] = [];
  #script: { readonly line: number; text: string } | null = null;

  constructor(name: string) {
    this.#name = name;
  }

  onOpen({ name, attributes, line }: Element): void {
    if (name === 'script' && /^application\/ld\+json\b/i.test(attributes['type']?.trim() ?? '')) {
      this.#script = { line, text: '' };
    }
    if (name === 'br' || name === 'p') this.onText('\n');
    const parent = this.#open.findLast(({ item }) => item !== null)?.item ?? null;
    const property = attributes['itemprop']?.trim().split(/\s+/)[0] ?? '';
    if ('itemscope' in attributes) {
      const type = attributes['itemtype']?.trim().split('/').at(-1) ?? '';
      const id = attributes['itemid'];
      const node = { '@type': type, ...(id === undefined ? {} : { '@id': id }) };
      if (parent !== null && property !== '') set(parent, property, node);
      this.#open.push({ item: { node, line }, text: null });
      return;
    }
    const value = valueOf(name, attributes);
    const isText = parent !== null && property !== '' && value === undefined;
    if (parent !== null && property !== '' && value !== undefined) set(parent, property, value);
    const text = isText ? { of: parent, property, value: '' } : null;
    this.#open.push({ item: null, text });
    if (text === null) return;
    this.#texts.push(text);
    if (this.#texts.length > MAX_NESTED_PROPERTIES) {
      throw new InputError(
        `${this.#name}:${line}: expected properties that are nested at most ${MAX_NESTED_PROPERTIES} deep`,
      );
    }
  }

  onText(text: string): void {
    if (this.#script !== null) {
      this.#script.text += text;
      return;
    }
    for (const open of this.#texts) {
      if (open.value.length < RECORD_LIMIT) open.value += text;
    }
  }

  onClose(name: string): void {
    if (name === 'script' && this.#script !== null) {
      this.linked.push(...linkedReviews(this.#script.text, this.#script.line));
      this.#script = null;
    }
    const closed = this.#open.pop();
    if (closed?.text) {
      this.#texts.pop();
      set(closed.text.of, closed.text.property, tidyText(closed.text.value));
    }
    if (closed?.item && isReview(closed.item.node)) {
      this.microdata.push({ line: closed.item.line, ...readReview(closed.item.node) });
    }
  }
}

/** The first value of a property counts. */
function set({ node }: Item, property: string, value: unknown): void {
  if (property !== '__proto__') node[property] ??= value;
}

/** The value that attributes give; undefined if it is the text of the element. */
function valueOf(name: string, attributes: Element['attributes']): string | undefined {
  if (attributes['content'] !== undefined) return attributes['content'];
  if (name === 'time') return attributes['datetime'];
  if (name === 'a' || name === 'link' || name === 'area') return attributes['href'];
  if (name === 'data' || name === 'meter') return attributes['value'];
  return ['img', 'audio', 'video', 'source', 'embed', 'iframe'].includes(name)
    ? attributes['src']
    : undefined;
}

/** The reviews of a block of JSON-LD, at any depth. */
function linkedReviews(text: string, line: number): Row[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return /Review/.test(text)
      ? [{ line, refusal: `expected JSON-LD: ${(error as Error).message}` }]
      : [];
  }
  const rows: Row[] = [];
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const node = rest.pop();
    if (Array.isArray(node)) for (const item of node.toReversed()) rest.push(item as unknown);
    if (!isObject(node)) continue;
    if (isReview(node)) rows.push({ line, ...readReview(node) });
    for (const member of Object.values(node).toReversed()) rest.push(member);
  }
  return rows;
}

const REVIEW_TYPES = ['Review', 'UserReview', 'CriticReview', 'EmployerReview'];

function isReview(node: JsonObject): boolean {
  const types = [node['@type']].flat();
  // A reference to a review that is elsewhere in the page has no rating.
  return (
    types.some(
      (type) => typeof type === 'string' && REVIEW_TYPES.includes(type.replace(/^.*[/:]/, '')),
    ) && node['reviewRating'] !== undefined
  );
}

function readReview(node: JsonObject): Outcome {
  const reading = new ItemReading();
  const rating = first(node['reviewRating']);
  const [value, best, worst] = isObject(rating)
    ? [rating['ratingValue'], rating['bestRating'], rating['worstRating']]
    : [rating, undefined, undefined];
  const id = textOf(node['@id']);
  const url = textOf(first(node['url']));
  const date = first(node['datePublished'] ?? node['dateCreated']);
  return reading.finish({
    source: null,
    source_id: id?.startsWith('_:') === true ? null : id,
    author: nameOf(node['author']),
    rating: reading.stars('reviewRating', first(value), numberOf(worst, 1), numberOf(best, 5)),
    date: reading.date('datePublished', date),
    title: nameOf(node['name'] ?? node['headline']),
    text: textOf(first(node['reviewBody'] ?? node['description'])),
    ...(url !== null && /^https?:/i.test(url) ? { source_url: url } : {}),
  });
}

function first(value: unknown): unknown {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(one) && '@value' in one ? one['@value'] : one;
}

function nameOf(value: unknown): unknown {
  const one = first(value);
  return isObject(one) ? first(one['name']) : one;
}

function numberOf(value: unknown, otherwise: number): number {
  const number = Number(first(value) ?? otherwise);
  return Number.isFinite(number) ? number : otherwise;
}
