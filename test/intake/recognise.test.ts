// The format of a file is recognised by its content, or the file is refused; it is never read as another one.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
import { parseFormatChoice } from '../../src/intake/formats/recognise.ts';
import { fixture, FORMAT_FIXTURES, readFormat } from '../support/formats.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The format of a file with this name and content; the message of its refusal if it is refused. */
async function formatOf(name: string, content: string | Uint8Array): Promise<string | null> {
  const path = join(folder, name);
  await writeFile(path, content);
  try {
    return (await readFormat(path)).format;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.message.replaceAll(join(folder, ''), '');
  }
}

/** The same JSON with the keys of all objects in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe.each(FORMAT_FIXTURES)('%s: %s', (format, name) => {
  test('is recognised by any name', async () => {
    expect(await formatOf(name, fixture(name))).toBe(format);
    expect(await formatOf('download', fixture(name))).toBe(format);
  });

  test('is recognised or refused where it is cut off', async () => {
    const whole = fixture(name);
    for (let part = 1; part < 20; part++) {
      const found = await formatOf(
        `cut${extname(name)}`,
        whole.subarray(0, (whole.length * part) / 20),
      );
      if (found !== format) expect(found).toMatch(/^\/?cut\.\w+(?::\d+)?: expected /);
    }
  });

  test('is recognised with its keys or columns in another order', async () => {
    if (name.endsWith('.json')) {
      const value: unknown = JSON.parse(fixture(name).toString());
      expect(await formatOf(name, JSON.stringify(reversed(value)))).toBe(format);
    }
    if (name.endsWith('.csv') && name !== 'google-play.csv') {
      // A column that nobody knows comes first.
      const lines = fixture(name)
        .toString('latin1')
        .replace(/^\xef\xbb\xbf/, '')
        .split('\n');
      const delimiter = lines[0]!.includes(';') ? ';' : ',';
      lines[0] = `Extra${delimiter}${lines[0]!.toUpperCase()}`;
      expect(await formatOf(name, Buffer.from(lines.join('\n'), 'latin1'))).toBe(format);
    }
  });
});

const OWN = '[{"author":"A","rating":5,"date":"2024-01-02","source":"google"}]';

describe('our own formats', () => {
  test('are no table that says who agreed, which a mapping reads', async () => {
    const table = (heading: string) =>
      `author,rating,date,text,${heading}\nAda,5,2024-05-01,Good,yes\nBo,1,2024-05-02,Bad,no\n`;
    for (const heading of ['consent', 'OK for website?']) {
      expect(await formatOf('t.csv', table(heading))).toContain('got an unknown table');
    }
    for (const heading of ['published', 'recommend']) {
      expect(await formatOf('t.csv', table(heading))).toBe('csv');
    }
  });

  test.each([
    ['a.json', OWN, 'json'],
    ['a.json', '[]', 'json'],
    ['reviews.txt', OWN, 'json'],
    ['a.csv', OWN, 'json'],
    [
      'a.json',
      '{"author":"A","rating":5,"date":"2024-01-02"}\n{"author":"B","rating":4,"date":"2024-01-02"}',
      'ndjson',
    ],
    ['a.csv', 'author,rating,date\nA,5,2024-01-02\n', 'csv'],
    ['a.txt', 'author;rating;date\nA;5;2024-01-02\n', 'csv'],
    ['a', 'sep=|\r\nauthor|rating|date\r\nA|5|2024-01-02\r\n', 'csv'],
    ['a.tsv', 'author\trating\tdate\nA\t5\t2024-01-02\n', 'csv'],
  ])('are recognised: %s with %j', async (name, content, format) => {
    expect(await formatOf(name, content)).toBe(format);
  });
});

describe('a file that is of no format', () => {
  test.each([
    ['text', 'notes.txt', 'Call Martha on Monday\nShe has the key\n'],
    ['other JSON', 'package', '{"name":"x","dependencies":{"a":"1"},"files":[{"path":"x"}]}'],
    ['other CSV', 'stock', 'sku,price\n1,2\n'],
    ['a picture', 'a.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['a page without reviews', 'a.html', '<!doctype html><p>Hello'],
    ['a feed without ratings', 'a.xml', '<feed><entry><title>x</title></entry></feed>'],
    ['a truncated tag', 'a.html', '<script type="application/ld+json'],
  ])('is refused: %s', async (_, name, content) => {
    expect(await formatOf(name, content)).toMatch(/^\/?[\w.]+(?::\d+)?: expected /);
  });
});

test('a file that can be of two formats is refused, and both are named', async () => {
  const both = {
    reviews: [
      {
        reviewer: { displayName: 'A' },
        starRating: 'FIVE',
        createTime: '2024-01-01T00:00:00Z',
        consumer: { displayName: 'A' },
        stars: 1,
        createdAt: '2024-01-01T00:00:00Z',
        isVerified: true,
      },
    ],
  };
  expect(await formatOf('a.json', JSON.stringify(both))).toBe(
    '/a.json: expected a file of one format, got one that can be reviews of a Google Business Profile or ' +
      'reviews of the Trustpilot API; choose with --format google-business or --format trustpilot',
  );
  const { rows } = await readFormat(join(folder, 'a.json'), await parseFormatChoice('trustpilot'));
  expect(rows).toMatchObject([{ record: { source: 'trustpilot', rating: 1 } }]);
});

test('a file that may be of one format, without any sign of it, is read only if that is named', async () => {
  const csv = 'title,body,rating,review_date,reviewer_name\nHi,Good,5,2024-01-02,Ann\n';
  expect(await formatOf('a.csv', csv)).toMatch(
    /^\/a.csv: expected a format that is known, got an unknown table; "npx public-reviews import FILE --map" /,
  );
  const { rows } = await readFormat(join(folder, 'a.csv'), await parseFormatChoice('judgeme'));
  expect(rows).toMatchObject([{ record: { source: 'judge.me', author: 'Ann' } }]);
});

describe('a mapping of JSON', () => {
  const mapped = async (content: unknown, mapping: object) => {
    const path = join(folder, 'mapped.json');
    await writeFile(path, JSON.stringify(content));
    const choice = { kind: 'mapping', mapping: mappingSchema.parse(mapping) } as const;
    return (await readFormat(path, choice)).rows;
  };
  const columns = { author: 'user.name', rating: 'score', date: 'at', text: 'notes.0.text' };
  const item = {
    user: { name: 'Ann' },
    score: '4,5',
    at: 1704063600,
    notes: [{ text: 'Hi' }],
    state: 'Live',
  };

  test('takes values by paths, from a list at a path, and only the rows that it names', async () => {
    const content = {
      data: { reviews: [item, { ...item, state: 'spam' }, { ...item, at: {} }, 7] },
    };
    const rows = await mapped(content, {
      list: 'data.reviews',
      columns,
      constants: { source: 'booking' },
      only: { state: ['live'] },
      date_format: 't',
      decimal: ',',
    });
    expect(rows).toMatchObject([
      {
        record: { author: 'Ann', rating: 5, date: '2023-12-31', text: 'Hi', source: 'booking' },
        notes: ['rating 4,5 rounded to 5 stars'],
      },
      { leftOut: 'state is "spam"' },
      { refusal: 'date: expected a text, a number or true or false, got {}' },
      { refusal: 'expected a review as an object, got 7' },
    ]);
  });

  test('takes what stands around a list, before it and after it, for its own rows alone', async () => {
    const place = (name: string, rest: object) => ({ name, reviews: [item], ...rest });
    const content = {
      business: 'Salon',
      places: [place('Hove', { town: { code: 'HV' } }), place('Lewes', {})],
    };
    const rows = await mapped(content, {
      list: 'places.*.reviews',
      columns: { ...columns, location: '^places.*.name' },
      attributes: { code: '^places.*.town.code', chain: '^business' },
      date_format: 't',
      decimal: ',',
    });
    expect(rows).toMatchObject([
      { record: { location: 'Hove', attributes: { code: 'HV', chain: 'Salon' } } },
      { record: { location: 'Lewes', attributes: { chain: 'Salon' } } },
    ]);
    expect(rows[1]).not.toHaveProperty('record.attributes.code');
  });

  test('knows words that stand for ratings, times of ISO 8601, and keys with dots', async () => {
    const rows = await mapped(
      [{ 'a.b': 'Zed', grade: 'Très bien', when: '2024-01-01T23:30:00-02:00' }],
      {
        columns: { author: 'a.b', rating: 'grade', date: 'when' },
        rating_values: { 'tres bien': 4 },
        date_format: 'iso',
      },
    );
    expect(rows).toMatchObject([{ record: { author: 'Zed', rating: 4, date: '2024-01-02' } }]);
  });
});
