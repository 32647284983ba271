// A mapping is proposed right for tables whose headings are shuffled, translated or missing.

import { expect, test } from 'vitest';
import { parseSample } from '../../src/intake/formats/sample.ts';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
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
  (stars) => ['Terrible', 'Poor', 'Average', 'Good', 'Excellent'][stars - 1]!,
];

test(`${TABLES} tables`, async () => {
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
    const rows = PEOPLE.map((_, row) => columns.map(([, value]) => `"${value(row)}"`).join(','));
    const header = columns.map(([heading]) => heading).join(',');
    const content = `${[...(hasHeader ? [header] : []), ...rows].join('\n')}\n`;
    const { mapping, missing, open } = propose(parseSample(content, 1000), {
      name: 'table.csv',
      source: 'survey',
      verifiedBy: null,
      scale: null,
      dateOrder: null,
    });
    const facts = `table ${table}: ${JSON.stringify(mapping)}\n${content}`;
    expect([missing, open], facts).toEqual([[], []]);
    const read = await readByMapping(content, mappingSchema.parse(mapping));
    const expected = PEOPLE.map((author, row) => ({
      author,
      rating: STARS[row],
      date: `2024-03-${28 - row * 2}`,
      text: WORDS[row],
    }));
    expect(read, facts).toMatchObject(expected);
  }
});
