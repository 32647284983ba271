// A mapping is proposed right for tables whose headings are shuffled, translated or missing, as CSV, as JSON in lists, by
// ids and in accounts with several lists, and as XML. No words are lost in silence, nothing private becomes public.

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

type Column = readonly [heading: string, (row: number) => string];

/** Columns that belong to no review. */
const OTHERS: readonly Column[] = [
  ['E-mail', (row) => `guest${row}@example.com`],
  ['Order', (row) => `A-${1000 + row * 7}`],
  ['Product', (row) => ['Blue mug', 'Red mug'][row % 2]!],
  ['Helpful votes', (row) => `${row % 4}`],
  ['Image', (row) => `https://img.example/${row}.jpg`],
  ['Language', () => 'en'],
  ['IP', (row) => `192.0.2.${row}`],
  ['Telephone', (row) => `+43 660 55501${row}`],
  ['Internal note', (row) => `Gave them a voucher of ${row} euros and closed the case`],
];
const PRIVATE = /@example\.com|A-10|192\.0\.2|\+43|voucher/;
/** Words of customers under headings that nobody knows, and replies to some. */
const WORDS_TOO: readonly Column[] = [
  ['Occasion told', (row) => `We came for birthday number ${row + 30} with all the cousins`],
  ['Why though?', (row) => `Because reason ${row} mattered to us more than the price`],
];
/** Where no heading says it, an answer names whom it answers, and its day is later. */
const ANSWERS: readonly Column[] = [
  ['Our reply', () => 'Thank you for your visit.'],
  ['Then back', (row) => `Well, ${PEOPLE[row]}, we were glad to see you.`],
];
const ANSWERED = ['Reply date', 'Then on'];
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
  (stars) => `${stars * 2}`,
  (stars) => `${stars * 20} %`,
  (stars) => ['Hated it', 'Disappointed', 'So so', 'Liked it', 'Loved it'][stars - 1]!,
  (stars) => ['Terrible', 'Poor', 'Average', 'Good', 'Excellent'][stars - 1]!,
];

const csvOf = (columns: readonly Column[], hasHeader: boolean) => {
  const rows = PEOPLE.map((_, row) => columns.map(([, value]) => `"${value(row)}"`).join(','));
  const header = columns.map(([heading]) => heading).join(',');
  return `${[...(hasHeader ? [header] : []), ...rows].join('\n')}\n`;
};
const itemsOf = (columns: readonly Column[]) =>
  PEOPLE.map((_, row) => Object.fromEntries(columns.map(([name, value]) => [name, value(row)])));
/** What no review has: the stars of a row with words, a total, the header again, and a value too many. */
const brokenRows = (columns: readonly Column[], isRating: (heading: string) => boolean) => {
  const header = columns.map(([heading]) => heading).join(',');
  const unrated = columns.map(([heading, value]) => (isRating(heading) ? '' : `"${value(0)}"`));
  const total = columns.map((_, index) => ['Total', '8'][index] ?? '');
  return `${unrated.join(',')}\n${total.join(',')}\n${header}\n${unrated.join(',')},one more\n`;
};
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
    const isAnswered = (row: number) => row % 3 === 1;
    const [answerHeading, answerOf] = pick(ANSWERS);
    const answer: Column = [answerHeading, (row) => (isAnswered(row) ? answerOf(row) : '')];
    const answered: Column = [pick(ANSWERED), (row) => (isAnswered(row) ? '2024-04-01' : '')];
    const language = Math.floor(random() * HEADINGS.author.length);
    const columns = [
      ...(Object.keys(HEADINGS) as Key[]).map(
        (key) => [HEADINGS[key][language]!, values[key]] as const,
      ),
      ...OTHERS.filter(([heading]) => (hasHeader || heading !== 'Internal note') && random() < 0.4),
      ...(hasHeader ? [...WORDS_TOO.filter(() => random() < 0.3), answer, answered] : []),
    ]
      .map((column) => ({ column, order: random() }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ column }) => column);
    const shape = pick(['csv', 'csv', 'json', 'members', 'account', 'xml'] as const);
    const isRating = (heading: string) => heading === HEADINGS.rating[language];
    const broken = hasHeader && shape === 'csv' ? brokenRows(columns, isRating) : '';
    const content = await {
      csv: () => csvOf(columns, hasHeader) + broken,
      members: () =>
        JSON.stringify({ byId: Object.assign({}, itemsOf(columns)) }).replaceAll(
          /"(\d)":/g,
          '"id$1":',
        ),
      json: () => JSON.stringify({ data: { reviews: itemsOf(columns) } }),
      account: () => accountOf(columns),
      xml: () => xmlOf(columns, join(folder, 'reviews.xml')),
    }[shape]();
    const { mapping, missing, open, notes } = propose(parseSample(content, 1000), {
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
    const also = WORDS_TOO.filter((column) => columns.includes(column));
    const expected = PEOPLE.map((author, row) => ({
      author,
      rating: STARS[row],
      date: `2024-03-${28 - row * 2}`,
      text: also.length === 0 ? WORDS[row] : expect.stringContaining(WORDS[row]!),
      owner_reply:
        hasHeader && isAnswered(row) ? { text: answerOf(row), date: '2024-04-01' } : null,
    }));
    expect(read.slice(0, PEOPLE.length), facts).toMatchObject(expected);
    const rest = read.slice(PEOPLE.length);
    expect(rest, facts).toMatchObject(
      broken === ''
        ? []
        : [
            { line: 10, refusal: expect.stringContaining('never make them up') },
            { line: 11, leftOut: expect.stringContaining('Total'), isNamed: true },
            { line: 13, refusal: expect.stringContaining('give each value its column') },
          ],
    );
    const told = JSON.stringify([mapping, notes]);
    for (const [row, record] of (read.slice(0, PEOPLE.length) as { text: string }[]).entries()) {
      expect(JSON.stringify(record), facts).not.toMatch(PRIVATE);
      for (const [, words] of also) expect(record.text, facts).toContain(words(row));
      const given = starsOf(STARS[row]!);
      if (/^\d+(?:\/10| %)?$/.test(given) && !/^[1-5]$/.test(given) && starsOf(5) !== '5')
        expect(JSON.stringify(record), facts).toContain(`"${given}"`);
    }
    for (const [heading] of columns.filter(([, value]) => value(0).includes(' ')))
      if (hasHeader)
        expect(told, facts).toContain(
          shape === 'xml' ? heading.replaceAll(/[\s'-]+/g, '_') : heading,
        );
  }
});
