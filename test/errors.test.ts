import { expect, test } from 'vitest';
import { show } from '../src/errors.ts';

test.each([
  [undefined, 'nothing'],
  [Number.NaN, 'NaN'],
  ['a "quote"', '"a \\"quote\\""'],
  [{ a: [1] }, '{"a":[1]}'],
  [() => 1, 'function'],
  ['\u001b[2J \u009b2J \u202e \u007f', String.raw`"\u001b[2J \u{009b}2J \u{202e} \u{007f}"`],
])('%s is shown as %s', (value, shown) => {
  expect(show(value)).toBe(shown);
});

test('a long value is cut to 80 characters', () => {
  expect(show('x'.repeat(100))).toBe(`"${'x'.repeat(76)}...`);
});

test('a value nested too deep to be written is shown as its type', () => {
  let value: unknown = 1;
  for (let depth = 0; depth < 200_000; depth++) value = [value];
  expect(show(value)).toBe('object');
});
