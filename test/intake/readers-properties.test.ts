// What well-kept writers write comes back whole; damaged and hostile files are read or refused.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dsvFormat } from 'd3-dsv';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutEntities } from '../../src/intake/text/html-text.ts';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
import { parseFormatChoice } from '../../src/intake/formats/recognise.ts';
import { plainText } from '../../src/model/text.ts';
import { cases } from '../support/cases.ts';
import { fuzzReaders } from '../support/fuzz-readers.ts';
import { readFormat } from '../support/formats.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Texts as people write them, with everything that formats have to escape. */
const words = fc
  .string({
    unit: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom('a', 'b', ' ', 'é', 'ß', '€', '😀', '漢') },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '"',
          ',',
          ';',
          '\n',
          '\t',
          '|',
          "'",
          '<',
          '>',
          '&',
          '\\',
          '</b>',
          '&amp;',
        ),
      },
    ),
    minLength: 1,
    maxLength: 60,
  })
  .map((text) => plainText(`x${text}x`));
const review = fc.record({
  author: words.map((text) => text.replaceAll(/\s+/g, ' ')),
  rating: fc.integer({ min: 1, max: 5 }),
  date: fc
    .integer({ min: 0, max: 20_000 })
    .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)),
  text: words,
});
const reviews = fc.array(review, { minLength: 1, maxLength: 8 });

async function readBack(
  content: string | Uint8Array,
  format: string | null,
  name = 'file',
): Promise<unknown[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  const { rows } = await readFormat(path, await parseFormatChoice(format));
  return rows.map((row) => {
    const { author, rating, date, text } =
      (row as { record: Record<string, unknown> }).record ?? row;
    return { author, rating, date, text };
  });
}

/** Words with "&amp;" and no bare "&" come back as they are meant. */
const meant = (written: readonly object[]) => written.map((one) => withoutEntities(one));

describe('comes back whole', () => {
  test('CSV with any delimiter, line end and encoding', async () => {
    await fc.assert(
      fc.asyncProperty(
        reviews,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('utf8', 'utf16le'),
        async (written, delimiter, lineEnd, encoding) => {
          const header = ['author', 'rating', 'date', 'text'];
          const rows = written.map(({ author, rating, date, text }) => [
            author,
            String(rating),
            date,
            text,
          ]);
          const csv = dsvFormat(delimiter).formatRows([header, ...rows]);
          // Line ends inside of quotes become line feeds when they are published.
          const bytes = Buffer.from(
            `\ufeff${csv.replaceAll('\n', lineEnd)}\n`,
            encoding as BufferEncoding,
          );
          expect(await readBack(bytes, null)).toEqual(written);
        },
      ),
      { numRuns: cases(20) },
    );
  });

  test('JSON of Takeout, indented or not', async () => {
    await fc.assert(
      fc.asyncProperty(reviews, fc.constantFrom(0, 2), async (written, indent) => {
        const items = written.map(({ author, rating, date, text }) => ({
          reviewer: { displayName: author },
          starRating: ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'][rating - 1],
          comment: text,
          createTime: `${date}T12:00:00.5Z`,
          updateTime: `${date}T12:00:00.5Z`,
          name: 'accounts/1/locations/2/reviews/3',
        }));
        const content = JSON.stringify({ reviews: items }, null, indent);
        expect(await readBack(content, null)).toEqual(meant(written));
      }),
      { numRuns: cases(20) },
    );
  });

  test('JSON by a mapping with paths', async () => {
    const mapping = mappingSchema.parse({
      list: 'a.b',
      columns: { author: 'by.name', rating: 'marks.0', date: 'at', text: 'said' },
      date_format: 'T',
    });
    await fc.assert(
      fc.asyncProperty(reviews, async (written) => {
        const items = written.map(({ author, rating, date, text }) => ({
          at: Date.parse(date),
          by: { name: author },
          marks: [rating],
          said: text,
        }));
        const path = join(folder, 'mapped');
        await writeFile(path, JSON.stringify({ a: { x: [1], b: items } }));
        const { rows } = await readFormat(path, { kind: 'mapping', mapping });
        expect(rows).toMatchObject(meant(written).map((record) => ({ record })));
      }),
      { numRuns: cases(15) },
    );
  });

  test('JSON-LD in a page', async () => {
    await fc.assert(
      fc.asyncProperty(reviews, async (written) => {
        const linked = written.map(({ author, rating, date, text }) => ({
          '@type': 'Review',
          author: { '@type': 'Person', name: author },
          reviewRating: { '@type': 'Rating', ratingValue: rating },
          datePublished: date,
          reviewBody: text,
        }));
        const json = JSON.stringify({ '@graph': linked }).replaceAll('<', '\\u003c');
        const page = `<!doctype html><script type="application/ld+json">${json}</script><p>Hello`;
        expect(await readBack(page, null)).toEqual(meant(written));
      }),
      { numRuns: cases(15) },
    );
  });
});

test('a damaged file is read or refused with its name and position', async () => {
  const { read, refused } = await fuzzReaders(folder, 20, 20_240_101);
  expect(read).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
});

describe('a hostile file is refused early', () => {
  const MEGABYTE = 1024 * 1024;
  const refusalOf = async (content: string, format: string | null = null) => {
    const path = join(folder, 'hostile');
    await writeFile(path, content);
    const read = readFormat(path, await parseFormatChoice(format));
    return read.then(
      ({ rows }) => `${rows.length} rows`,
      (error: Error) => error.message.replaceAll(path, 'file'),
    );
  };

  test.each([
    [
      'a page with elements nested 100,000 deep',
      '<div>'.repeat(100_000),
      'web-page',
      'file:1: expected elements that are nested at most 1000 deep',
    ],
    [
      'JSON nested 100,000 deep',
      `{"reviews":${'['.repeat(100_000)}`,
      'google-business',
      'file:1: expected JSON that is nested at most 64 levels deep, got a deeper one',
    ],
    [
      'JSON with an item of 6 MB',
      `{"reviews":[{"comment":"${'x'.repeat(6 * MEGABYTE)}`,
      'google-business',
      'file:1: expected a review of at most 1 MiB, got a longer one; shorten it in the file',
    ],
    [
      'JSON with a business of 6 MB in small values',
      `{"reviews":[],\n"business":[${'"a",'.repeat(1_500_000)}"a"]}`,
      'json',
      'file:2: expected a business of at most 1 MiB, got a longer one',
    ],
    [
      'CSV with a value of 6 MB',
      `Review Id,Review Stars,Review Created,Review Username\n"${'x'.repeat(6 * MEGABYTE)}`,
      'trustpilot-csv',
      'file:2: expected a review of at most 1 MiB, got a longer one; shorten it in the file',
    ],
    [
      'JSON-LD that refers to itself by nesting',
      `<script type="application/ld+json">${'{"a":['.repeat(50_000)}`,
      'web-page',
      /^file: expected a page with reviews in schema\.org markup/,
    ],
  ])('%s', async (_, content, format, message) => {
    const refusal = await refusalOf(content, format);
    if (typeof message === 'string') expect(refusal).toBe(message);
    else expect(refusal).toMatch(message);
  });

  test('recognising one takes no longer than reading it', async () => {
    for (const content of [
      '{"a":'.repeat(60_000),
      '['.repeat(200_000),
      '"'.repeat(200_000),
      '<'.repeat(200_000),
      ';'.repeat(200_000),
    ]) {
      expect(await refusalOf(content)).toMatch(/^file(?::\d+)?: expected /);
    }
  });
});
