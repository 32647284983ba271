import { expect, test } from 'vitest';
import { spelledFor } from '../../../src/insights/editorial/spelling.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { BUSINESS } from '../../support/reviews.ts';

const spelledIn = (country: string | null, prose: string) =>
  spelledFor(businessSchema.parse({ ...BUSINESS, address: { country } }), prose);

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
