import { expect, test } from 'vitest';
import { numberedPage, pagePaths } from '../../src/site/reviews/numbered-pages.ts';

const positionAt = (index: number) => 100 + index;

test('a list of 45 has three pages', () => {
  expect([...pagePaths(45, '/reviews')]).toEqual(['/reviews/page-2', '/reviews/page-3']);
  const [first, second, third] = [undefined, 'page-2', 'page-3'].map((name) =>
    numberedPage(45, positionAt, name, '/reviews'),
  );
  expect(first).toMatchObject({ first: null, next: '/reviews/page-2' });
  expect(second).toMatchObject({ first: '/reviews', next: '/reviews/page-3' });
  expect(third).toEqual({
    positions: [140, 141, 142, 143, 144],
    first: '/reviews',
    previous: '/reviews/page-2',
    next: null,
  });
});

test.each(['page-0', 'page-4', 'page-01', 'page-x', 'page-2x', 'page-9999999999'])(
  'there is no page %j of 45',
  (name) => {
    expect(numberedPage(45, positionAt, name, '/reviews')).toBeNull();
  },
);

test('an empty list has a first page', () => {
  expect(numberedPage(0, positionAt, undefined, '/reviews')).toEqual({
    positions: [],
    first: null,
    previous: null,
    next: null,
  });
});
