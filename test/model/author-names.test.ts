// Names of authors as first name and initial.

import { expect, test } from 'vitest';
import headings from '../../src/intake/mapping/headings.json' with { type: 'json' };
import platforms from '../../src/intake/readers/platforms.json' with { type: 'json' };
import { toInitials, withAuthorShown } from '../../src/model/author-names.ts';
import { review } from '../support/reviews.ts';

/** Whom readers of platforms and of tables name where nobody is named. */
const NOBODY = [
  ...JSON.stringify([platforms, headings]).matchAll(/"(?:anonymous|author)":"(An? [^"]+)"/g),
].map(([, name]) => name);

test('tables and platforms have words for nobody', () => {
  expect(NOBODY).toContain('A guest of Booking.com');
  expect(NOBODY).toContain('A Google user');
});

test.each([
  ['Tom Weaver', 'Tom W.'],
  ['  Tom   de la  Weaver ', 'Tom W.'],
  ['Tom', 'Tom'],
  ['Tom W.', 'Tom W.'],
  ['Weaver, Tom', 'Tom W.'],
  ['Tom Weaver, MD', 'Tom W.'],
  ['Łucja Ósma-Nowak', 'Łucja Ó.'],
  ['tom.weaver@example.com', 't.'],
  ['王小明', '王.'],
  ['A Google User', 'A Google User'],
  ['Anonymous', 'Anonymous'],
  ['Tom (Weaver)', 'Tom W.'],
  ['Dr. Weaver', 'Dr. W.'],
  ['Mr & Mrs Wilson', 'Mr & Mrs W.'],
  ['Tom and Ann Weaver', 'Tom and Ann W.'],
  ['Tom Weaver and family', 'Tom W. and family'],
  ['Weaver & Lang', 'Weaver & L.'],
  ['Jane E Weaver', 'Jane W.'],
  ['José Ortega y Gasset', 'José G.'],
  ["O'Connor Family", 'O. Family'],
  ['The Weaver family', 'W. family'],
  ['Familie Weber', 'Familie W.'],
  ['A customer', 'A customer'],
  ['Al Customer', 'Al C.'],
  ['Siobhán Ní Bhriain', 'Siobhán N.'],
  ['Helen Mac Donncha', 'Helen M.'],
  ...NOBODY.map((name) => [name, name]),
])('%j is %j', (author = '', shown = '') => {
  expect(toInitials(author)).toBe(shown);
  expect(toInitials(shown)).toBe(shown);
});

test('a picture, and a link with the rest of the name, are left out', () => {
  const one = review({
    author: 'Tom Weaver',
    authorAvatarUrl: 'https://pictures.example/1',
    sourceUrl: 'https://site.example/people/tom%20w%C3%A9aver/1',
  });
  expect(withAuthorShown(one, 'initials')).toMatchObject({
    author: 'Tom W.',
    authorAvatarUrl: null,
    sourceUrl: null,
  });
  const other = { ...one, sourceUrl: 'https://site.example/reviews/tom-1' };
  expect(withAuthorShown(other, 'initials').sourceUrl).toBe(other.sourceUrl);
  expect(withAuthorShown(one, 'full')).toBe(one);
});
