// Reviews of the Tripadvisor Content API and of its earlier partner API: part scores.

import { platformReader } from './platform.ts';
import { isObject, scalarText, starsOf } from './values.ts';

export const tripadvisor = platformReader('tripadvisor', {
  amend: (row) => ({ ratings: subratings(row.at('subratings')) }),
});

/** A list, or an object whose keys are numbers: of each score its name, such as "rate_value", and its value. */
function subratings(given: unknown): Record<string, number> {
  const scores = typeof given === 'object' && given !== null ? Object.values(given) : [];
  const read = scores.filter(isObject).flatMap(({ name, value }) => {
    const stars = starsOf(scalarText(value) ?? '', { min: 1, max: 5 });
    return typeof name === 'string' && stars !== null
      ? [[name.replace(/^rate_/, ''), stars.exact] as const]
      : [];
  });
  return Object.fromEntries(read);
}
