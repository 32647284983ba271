import { expect, test } from 'vitest';
import { numberedLink } from '../../src/site/parts/links.ts';
import { listPage, pageNumber, pagePaths } from '../../src/site/reviews/numbered-pages.ts';

const pageOf = (count: number, name: string | undefined) =>
  listPage(count, pageNumber(name), (number) => numberedLink('/reviews', number));

test('a list of 45 has three pages', () => {
  expect([...pagePaths(45, '/reviews')]).toEqual(['/reviews/page-2', '/reviews/page-3']);
  const [first, second, third] = [undefined, 'page-2', '3'].map((name) => pageOf(45, name));
  expect(first).toMatchObject({ first: null, previous: null, next: '/reviews/page-2' });
  expect(second).toMatchObject({
    first: '/reviews',
    previous: '/reviews',
    next: '/reviews/page-3',
    range: [21, 40, 45],
  });
  expect(third).toEqual({
    positions: [40, 41, 42, 43, 44],
    range: [41, 45, 45],
    first: '/reviews',
    previous: '/reviews/page-2',
    next: null,
  });
});

test.each([
  'page-0',
  'page-4',
  'page-01',
  'page-x',
  'page-2x',
  '0',
  '-1',
  '2.0',
  'page-9999999999',
])('there is no page %j of 45', (name) => {
  expect(pageOf(45, name)).toBeNull();
});

test('an empty list has a first page', () => {
  expect(pageOf(0, undefined)).toMatchObject({ positions: [], first: null, next: null });
});
