import { expect, test } from 'vitest';
import { spelledFor } from '../../../src/insights/editorial/spelling.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { BUSINESS } from '../../support/reviews.ts';

const spelledIn = (country: string | null, prose: string) =>
  spelledFor(
    businessSchema.parse({ ...BUSINESS, name: 'Colour Me Bright', address: { country } }),
    prose,
    {
      entities: { technicians: [{ name: 'Favour (Jo) Lee' }], services: [], service_areas: [] },
    } as never,
  );

const BRITISH =
  'Travellers complain about cancelled flights and disorganised scheduling: “They cancelled our travelling”.';

test.each(['US', 'usa', ' United States '])(
  'prose is spelled as Americans spell in %j',
  (country) => {
    expect(spelledIn(country, BRITISH)).toBe(
      'Travelers complain about canceled flights and disorganized scheduling: “They cancelled our travelling”.',
    );
  },
);

test.each(['GB', 'Russia', null])('it stays as it is in %j', (country) => {
  expect(spelledIn(country, BRITISH)).toBe(BRITISH);
});

test('names of the business, people and services stay as they are', () => {
  const prose = 'Favour (Jo) Lee of Colour Me Bright is a favourite for colour.';
  expect(spelledIn('US', prose)).toBe(
    'Favour (Jo) Lee of Colour Me Bright is a favorite for color.',
  );
});
