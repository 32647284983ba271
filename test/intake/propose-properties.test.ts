// A mapping is proposed right for tables whose headings are shuffled, translated or missing, as CSV, as JSON in lists
// and in accounts with several lists, and as XML.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { readItems } from '../../src/intake/formats/rows.ts';
import { parseSample } from '../../src/intake/formats/sample.ts';
import { XML } from '../../src/intake/formats/xml.ts';
import { itemMapper } from '../../src/intake/mapping/mapped-row.ts';
import { type Mapping, mappingSchema } from '../../src/intake/mapping/mapping.ts';
import { readByMapping } from '../support/formats.ts';
import { propose } from '../../src/intake/mapping/propose.ts';
import { randomFrom } from '../support/random.ts';

const TABLES = 200;
const SEED = 20_261_126;

const HEADINGS = {
  author: ['Name', 'Reviewer', 'Kunde', 'Nom', 'Cliente', 'Naam', 'Autor', 'guest_name'],
  rating: [
    'Rating',
    'stars',
    'Bewertung',
    'Note',
    'Puntuación',
    'Valutazione',
    'Beoordeling',
    'Nota',
  ],
  date: [
    'Date',
    'created_at',
    'Datum',
    "Date de l'avis",
    'Fecha',
    'Data',
    'reviewDate',
    'Submitted at',
  ],
  text: [
    'Review',
    'comment',
    'Kommentar',
    'Avis',
    'Opinión',
    'Recensione',
    'Opmerking',
    'Comentário',
  ],
} as const;
type Key = keyof typeof HEADINGS;

/** Columns that belong to no review. */
const OTHERS: readonly (readonly [heading: string, (row: number) => string])[] = [
  ['E-mail', (row) => `guest${row}@example.com`],
  ['Order', (row) => `A-${1000 + row * 7}`],
  ['Product', (row) => ['Blue mug', 'Red mug'][row % 2]!],
  ['Helpful votes', (row) => `${row % 4}`],
  ['Image', (row) => `https://img.example/${row}.jpg`],
  ['Language', () => 'en'],
];
const PEOPLE = [
  'Ada Lang',
  'Bo Zed',
  'Cy Dorn',
  'Dé Ray',
  'Eva Holm',
  'Finn Oh',
  'Gus T.',
  'Hana Ito',
];
const WORDS = [
  'They came on time and fixed everything the same day.',
  'Too slow, and the price was higher than we had agreed.',
  'Very kind people who explained each step to me.',
  'The room was clean but noisy at night; we did not sleep.',
  'Good.',
  'We will certainly come back with our whole family, thank you!',
  'Nobody answered the phone for a week.',
  'A fair price, quick work and a tidy kitchen afterwards.',
];
const STARS = [5, 2, 4, 3, 5, 5, 1, 4];
const DATES: readonly ((day: number) => string)[] = [
  (day) => `2024-03-${day}`,
  (day) => `${day}/03/2024`,
  (day) => `03/${day}/2024`,
  (day) => `${day}.03.24`,
  (day) => `${day} March 2024`,
  (day) => `${day}. März 2024`,
  (day) => `2024-03-${day}T10:15:00Z`,
  (day) => `${day}/03/2024 10:15`,
];
const SCALES: readonly ((stars: number) => string)[] = [
  (stars) => `${stars}`,
  (stars) => `${stars}/5`,
  (stars) => '★'.repeat(stars) + '☆'.repeat(5 - stars),
  (stars) => `${stars} stars`,
  (stars) => `${stars * 2}/10`,
  (stars) => ['Terrible', 'Poor', 'Average', 'Good', 'Excellent'][stars - 1]!,
];

type Column = readonly [heading: string, (row: number) => string];

const csvOf = (columns: readonly Column[], hasHeader: boolean) => {
  const rows = PEOPLE.map((_, row) => columns.map(([, value]) => `"${value(row)}"`).join(','));
  const header = columns.map(([heading]) => heading).join(',');
  return `${[...(hasHeader ? [header] : []), ...rows].join('\n')}\n`;
};
const itemsOf = (columns: readonly Column[]) =>
  PEOPLE.map((_, row) => Object.fromEntries(columns.map(([name, value]) => [name, value(row)])));
/** Beside the reviews are those that the owner wrote. */
const accountOf = (columns: readonly Column[]) => {
  const reviewsWritten = itemsOf(columns.map(([name, value]) => [name, (row) => value(7 - row)]));
  return JSON.stringify([{ reviewsWritten, reviewsReceived: itemsOf(columns) }]);
};
async function xmlOf(columns: readonly Column[], path: string): Promise<string> {
  const tag = (name: string) => name.replaceAll(/[\s'-]+/g, '_');
  const elements = columns.map(
    ([name, value]) =>
      (row: number) =>
        `<${tag(name)}>${value(row).replace(/ö|&/g, '&#246;')}</${tag(name)}>`,
  );
  const reviews = PEOPLE.map(
    (_, row) => `<Review id="${row}">${elements.map((of) => of(row)).join('\n')}</Review>`,
  );
  await writeFile(path, `<?xml version="1.0"?><Feed><Reviews>${reviews.join('')}</Reviews></Feed>`);
  const chunks: string[] = [];
  for await (const chunk of XML.read(path, 'x', () => undefined)) chunks.push(chunk.toString());
  return chunks.join('');
}

async function readJson(content: string, mapping: Mapping): Promise<unknown[]> {
  const source = { name: 'file', chunks: Readable.from([Buffer.from(content)]) };
  const options = {
    format: 'json',
    lists: [mapping.list ?? ''],
    onBusiness: () => undefined,
  } as const;
  const records: unknown[] = [];
  for await (const row of readItems(source, options, itemMapper(mapping)))
    records.push('record' in row ? row.record : row);
  return records;
}

test(`${TABLES} tables`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const random = randomFrom(SEED);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  for (let table = 0; table < TABLES; table++) {
    const [dateOf, starsOf, hasHeader] = [pick(DATES), pick(SCALES), random() < 0.8];
    const values: Record<Key, (row: number) => string> = {
      author: (row) => PEOPLE[row]!,
      rating: (row) => starsOf(STARS[row]!),
      date: (row) => dateOf(28 - row * 2),
      text: (row) => WORDS[row]!,
    };
    const language = Math.floor(random() * HEADINGS.author.length);
    const columns = [
      ...(Object.keys(HEADINGS) as Key[]).map(
        (key) => [HEADINGS[key][language]!, values[key]] as const,
      ),
      ...OTHERS.filter(() => random() < 0.4),
    ]
      .map((column) => ({ column, order: random() }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ column }) => column);
    const shape = pick(['csv', 'csv', 'json', 'account', 'xml'] as const);
    const content = await {
      csv: () => csvOf(columns, hasHeader),
      json: () => JSON.stringify({ data: { reviews: itemsOf(columns) } }),
      account: () => accountOf(columns),
      xml: () => xmlOf(columns, join(folder, 'reviews.xml')),
    }[shape]();
    const { mapping, missing, open } = propose(parseSample(content, 1000), {
      name: 'table.csv',
      source: 'survey',
      verifiedBy: null,
      scale: null,
      dateOrder: null,
    });
    const facts = `table ${table}: ${JSON.stringify(mapping)}\n${content}`;
    expect([missing, open], facts).toEqual([[], []]);
    const parsed = mappingSchema.parse(mapping);
    const read = await (shape === 'csv' ? readByMapping : readJson)(content, parsed);
    const expected = PEOPLE.map((author, row) => ({
      author,
      rating: STARS[row],
      date: `2024-03-${28 - row * 2}`,
      text: WORDS[row],
    }));
    expect(read, facts).toMatchObject(expected);
  }
});
