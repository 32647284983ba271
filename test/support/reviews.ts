// Reviews for tests: single ones, and arbitraries for fast-check.

import fc from 'fast-check';
import { encodeUlid } from '../../src/model/ulid.ts';
import type { Review } from '../../src/model/review.ts';
import type { Attributes, PartRatings } from '../../src/model/review-parts.ts';
import { type Business, businessSchema } from '../../src/model/business.ts';
import { dateOfDay, dayNumber } from '../../src/model/date.ts';
import { unicodeText } from './unicode-text.ts';

/** The ULID of a number, so that tests can name it. */
export function ulidOf(number: number, date = '2024-01-01'): string {
  const bytes = new Uint8Array(10);
  new DataView(bytes.buffer).setUint32(6, number);
  return encodeUlid(Date.parse(date), bytes);
}

let sequence = 0;

/** A review with these values, and defaults. */
export function review(values: Partial<Review> = {}): Review {
  sequence += 1;
  return {
    id: ulidOf(sequence),
    author: 'Karen W.',
    authorAvatarUrl: null,
    rating: 5,
    date: '2024-05-17',
    text: 'Came on time and fixed the boiler.',
    source: 'google',
    sourceUrl: null,
    ownerReply: null,
    ...values,
  };
}

export const BUSINESS: Business = businessSchema.parse({
  id: 'harbor',
  name: 'Harbor Heating',
  vertical: 'home_services',
  service_areas: ['Bath', 'Rockport'],
  services: [
    { id: 'boiler-repair', label: 'Boiler repair', aliases: ['boiler'] },
    { id: 'drain-cleaning', label: 'Drain cleaning', aliases: ['drain', 'clogged sink'] },
  ],
  technicians: [
    { id: 'mike-alvarez', name: 'Mike Alvarez', aliases: ['Mike', 'Mikey'] },
    { id: 'zoe-lefevre', name: 'Zoë Lefèvre', aliases: ['Zoë'] },
  ],
});

/** The same with a branch, and labels of its own for what reviews carry. */
export const BRANCHED: Business = businessSchema.parse({
  ...BUSINESS,
  locations: [
    {
      id: 'bath',
      name: 'Bath & <Co>',
      aliases: ['33'],
      address: { street: '1 Front Street', city: 'Bath', country: 'US' },
      telephone: '+1-207-555-0142',
      hours: [{ days: ['Monday', 'Tuesday', 'Wednesday'], opens: '08:00', closes: '17:00' }],
    },
    { id: 'rockport', name: 'Rockport' },
  ],
});

/** The reviews with everything that one can carry: every second of the branch in Bath. */
export function withParts(reviews: readonly Review[]): Review[] {
  return reviews.map((one, index) => ({
    ...one,
    location: index % 2 === 0 ? 'bath' : null,
    attributes: { job: index % 3 === 0 ? 'Boiler & "drain" <b>' : 'Roof', visited: '2024' },
    ratings: { value: 1 + (index % 5), tidy_work: 3.5 },
  }));
}

/** Texts that are difficult for search, XML, JSON and terminals. */
const AWKWARD = [
  'leak',
  'LEAK',
  'Café',
  'cafe\u0301',
  'straße',
  'STRASSE',
  'don’t',
  "don't",
  '“great”',
  'a—b',
  'ﬁx',
  'ΣΊΣΥΦΟΣ',
  'İstanbul',
  '한국어',
  'が',
  '👩🏽‍🔧',
  '\u202Eabc\u202C',
  ']]>',
  '<b>x</b>',
  '&amp;',
  '\u0007',
  '\t',
  '\n\n',
  '\u2028',
  '  ',
  'Mike',
  'boiler',
];

export const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...AWKWARD), unicodeText({ maxLength: 12 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(' ').toWellFormed().replaceAll('\0', '').trim() || 'x');

const FIRST_DAY = dayNumber('2023-12-20');

/** Few days and sources, so that ties occur and filters match. */
export const anyReview: fc.Arbitrary<Review> = fc.record({
  id: fc
    .tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 30 }))
    .map(([number, day]) => ulidOf(number, dateOfDay(FIRST_DAY + day))),
  author: anyText,
  authorAvatarUrl: fc.constantFrom(null, 'https://avatars.example/a.png'),
  rating: fc.integer({ min: 1, max: 5 }),
  date: fc.integer({ min: 0, max: 30 }).map((day) => dateOfDay(FIRST_DAY + day)),
  text: fc.option(anyText, { freq: 5 }),
  source: fc.constantFrom('google', 'yelp', 'direct'),
  sourceUrl: fc.constantFrom(null, 'https://reviews.example/1'),
  ownerReply: fc.option(fc.record({ text: anyText, date: fc.constantFrom('2024-02-01', null) })),
  location: fc.constantFrom(null, null, 'bath'),
  attributes: fc.constantFrom<Attributes | null>(
    null,
    { größe: 'S', job: '<b> "x"' },
    { constructor: ']]>' },
  ),
  ratings: fc.constantFrom<PartRatings | null>(null, { tidy: 5, value: 4.5 }),
});

/** Reviews with different ids. */
export function anyReviews(maxLength = 60): fc.Arbitrary<Review[]> {
  return fc.uniqueArray(anyReview, { maxLength, selector: ({ id }) => id });
}
