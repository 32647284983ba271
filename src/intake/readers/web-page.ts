// A saved web page whose reviews are marked up as JSON-LD of schema.org (https://schema.org/Review).

import { InputError } from '../../errors.ts';
import { loadHtmlParser } from '../text/html-text.ts';
import type { PageReader } from './reader.ts';
import { AS_TABLE } from '../formats/json.ts';
import type { Outcome, Row } from '../record.ts';
import { type Source, wholeOf } from '../text/text.ts';
import { dateOfTimestamp } from '../instant.ts';
import { isObject, ItemReading, type JsonObject, parsedJson, textOf } from './values.ts';

/** Elements that may be nested. Browsers stop at 512. */
const MAX_DEPTH = 1_000;

export const webPage: PageReader = {
  kind: 'html',
  name: 'web-page',
  title:
    'a web page with reviews in schema.org markup, which has neither other pages nor most replies',
  read: readPage,
};

async function* readPage({ name, chunks }: Source): AsyncGenerator<Row> {
  const html = (await wholeOf(name, chunks)).toString();
  const blocks = linkedData(name, html);
  const answers = new Map(
    blocks.flatMap(({ text, isLinked }) => (isLinked ? [] : answersIn(text))),
  );
  const rows = blocks.flatMap(({ text, line, isLinked }) =>
    isLinked ? linkedReviews(text, line, answers) : [],
  );
  if (rows.length === 0) {
    throw new InputError(
      `${name}: expected a page with reviews in schema.org markup (JSON-LD), got none; ${nextStep(html)}`,
    );
  }
  yield* rows;
}

/** Where the reviews of a page are exported whose own page does not have them as data. */
function nextStep(html: string): string {
  const isMaps = /google\.[a-z.]+\/maps|maps\.google\./.test(html);
  if (/\/\/(?:www\.)?yelp\./.test(html))
    return 'Yelp exports none: write them into a table with author, stars, date and text, and import that';
  return isMaps
    ? 'a page of Google Maps says when only as "3 months ago", and has the first reviews only: for all of them, with ' +
        'dates, open takeout.google.com, click "Deselect all", tick only "Google Business Profile", and import the ' +
        'ZIP file that you get'
    : `export the reviews from the site instead (docs/import.md says where); if it has no export, ${AS_TABLE}`;
}

/** The blocks of JSON and JSON-LD of a page. @throws {InputError} if its elements are nested too deep. */
function linkedData(name: string, html: string) {
  const blocks: { text: string; line: number; isLinked: boolean }[] = [];
  let isOpen = false;
  let depth = 0;
  let [line, counted] = [1, 0];
  const { Parser } = loadHtmlParser();
  const parser = new Parser({
    onopentag(tag, { type = '' }) {
      for (; counted < parser.startIndex; counted++) if (html[counted] === '\n') line += 1;
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new InputError(
          `${name}:${line}: expected elements that are nested at most ${MAX_DEPTH} deep`,
        );
      }
      const isLinked = /^application\/ld\+json\b/i.test(type.trim());
      isOpen = tag === 'script' && (isLinked || /^application\/json\b/i.test(type.trim()));
      if (isOpen) blocks.push({ text: '', line, isLinked });
    },
    ontext(text) {
      const block = blocks.at(-1);
      if (isOpen && block) block.text += text;
    },
    onclosetag() {
      depth -= 1;
      isOpen = false;
    },
  });
  parser.end(html);
  return blocks;
}

type Answer = { readonly text: unknown; readonly date: string | null };

/** The words of reviews, with the replies that the data of the page has to them. */
function answersIn(text: string): [said: unknown, Answer][] {
  return [...nodesIn(parsedJson(text))].flatMap((node) =>
    Object.entries(node).flatMap(([key, reply]): [unknown, Answer][] => {
      const parts =
        isObject(reply) && /(?:reply|response|answer)$/i.test(key) ? Object.values(reply) : [];
      const words = parts.find((part) => typeof part === 'string' && / /.test(part));
      const dates = parts.map((part) => dateOfTimestamp(textOf(part) ?? ''));
      const answer = { text: words, date: dates.find((date) => date !== null) ?? null };
      return words === undefined ? [] : Object.values(node).map((said) => [said, answer]);
    }),
  );
}

/** The objects in a value, each before those in it. */
function* nodesIn(value: unknown): Generator<JsonObject> {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const node = rest.pop();
    if (isObject(node)) yield node;
    if (typeof node === 'object' && node !== null)
      for (const member of Object.values(node).toReversed()) rest.push(member);
  }
}

function linkedReviews(text: string, line: number, answers: ReadonlyMap<unknown, Answer>): Row[] {
  let value: unknown;
  try {
    value = JSON.parse(
      text.replaceAll(
        /^\s*(?:\/\*|\/\/)?\s*<!\[CDATA\[(?:\*\/)?|(?:\/\*|\/\/)?\s*\]\]>(?:\*\/)?\s*$/g,
        '',
      ),
    );
  } catch (error) {
    return /Review/.test(text)
      ? [{ line, refusal: `expected JSON-LD: ${(error as Error).message}` }]
      : [];
  }
  return [...nodesIn(value)]
    .filter(isReview)
    .map((node) => ({ line, ...readReview(node, answers) }));
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

function readReview(node: JsonObject, answers: ReadonlyMap<unknown, Answer>): Outcome {
  const rating = first(node['reviewRating']);
  const [value, best, worst] = isObject(rating)
    ? [rating['ratingValue'], rating['bestRating'], rating['worstRating']]
    : [rating, undefined, undefined];
  const row = new ItemReading((name) =>
    name === 'reviewRating' ? first(value) : first(node['datePublished'] ?? node['dateCreated']),
  );
  const text = textOf(first(node['reviewBody'] ?? node['description']));
  const id = textOf(node['@id']);
  const url = textOf(first(node['url']));
  return row.finish({
    source: null,
    source_id: id?.startsWith('_:') === true ? null : id,
    author: [node['author']].flat().map(nameOf).filter(Boolean).join(', ') || 'A customer',
    rating: row.stars('reviewRating', numberOf(worst, 1), numberOf(best, 5)),
    date: row.date('datePublished'),
    title: nameOf(node['name'] ?? node['headline']),
    text,
    owner_reply: replyOf(first(node['comment'])) ?? answers.get(text) ?? null,
    ...(url !== null && /^https?:/i.test(url) ? { source_url: url } : {}),
  });
}

/** A comment on a review by an organization is its answer. */
function replyOf(comment: unknown): Answer | null {
  const author = isObject(comment) ? first(comment['author']) : null;
  if (!isObject(comment) || !isObject(author) || author['@type'] === 'Person') return null;
  const text = textOf(first(comment['text']));
  const written = textOf(first(comment['dateCreated'] ?? comment['datePublished']));
  return text === null ? null : { text, date: dateOfTimestamp(written ?? '') };
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
