import { expect, test } from 'vitest';
import {
  counted,
  give,
  grouped,
  inQuotes,
  inWords,
  listed,
  monthOf,
} from '../../../src/insights/editorial/prose.ts';

test('numbers up to nine are words', () => {
  expect([0, 1, 9, 10, 1234].map(inWords)).toEqual(['no', 'one', 'nine', '10', '1,234']);
});

test('thousands are grouped', () => {
  expect([0, 999, 1000, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '1,234,567']);
});

test('one is singular', () => {
  expect([0, 1, 2].map((count) => counted(count, 'review'))).toEqual([
    'no reviews',
    'one review',
    'two reviews',
  ]);
  expect([0, 1, 2].map(give)).toEqual(['none gives', 'one gives', 'two give']);
  expect(counted(2, 'person', 'people')).toBe('two people');
});

test('quotes in a quote have single marks', () => {
  expect(inQuotes('They said "wait."')).toBe('“They said ‘wait.’”');
});

test('a list has one "and"', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => listed(items))).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(listed(['a', 'b', 'c'], 'or')).toBe('a, b or c');
  expect(listed(['crowns', 'cleaning and checkup'])).toBe('crowns, and cleaning and checkup');
});

test('a month has its name', () => {
  expect(monthOf('2026-01-31')).toBe('January 2026');
  expect(monthOf('0999-12-01')).toBe('December 0999');
});
