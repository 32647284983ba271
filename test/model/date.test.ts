import { describe, expect, test } from 'vitest';
import { dateBefore, dateOfDay, dateSchema, dayNumber, isDate } from '../../src/model/date.ts';

describe('a date', () => {
  test.each(['2024-02-29', '2000-02-29', '2023-12-31', '0001-01-01', '9999-12-31', '1970-01-01'])(
    '%s exists',
    (text) => {
      expect(isDate(text)).toBe(true);
    },
  );

  test.each([
    '2025-02-30',
    '2023-02-29',
    '1900-02-29',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-01-32',
    '2024-1-1',
    '24-01-01',
    '20240101',
    '2024-01-01T00:00:00Z',
    ' 2024-01-01',
    '2024-01-01\n',
    '+2024-01-01',
    '-001-01-01',
    '２０２４-01-01',
    '',
  ])('%j does not exist or is not YYYY-MM-DD', (text) => {
    expect(isDate(text)).toBe(false);
  });

  test.each([
    ['1970-01-01', 0],
    ['1969-12-31', -1],
    ['2024-02-29', 19_782],
    ['0001-01-01', -719_162],
    ['9999-12-31', 2_932_896],
  ])('%s is day %i, and back', (date, day) => {
    expect(dayNumber(date)).toBe(day);
    expect(dateOfDay(day)).toBe(date);
  });

  test.each([
    ['2025-02-30', 'expected a date that exists, written YYYY-MM-DD, got "2025-02-30"'],
    [5, 'expected a date such as "2026-01-31", got 5'],
    [undefined, 'expected a date such as "2026-01-31", got nothing'],
  ])('%j is rejected with what was expected and what was given', (value, message) => {
    expect(dateSchema.safeParse(value).error?.issues[0]?.message).toBe(message);
  });
});

test.each([
  ['30d', '2024-03-01'],
  ['1w', '2024-03-24'],
  ['1m', '2024-02-29'],
  ['3m', '2023-12-31'],
  ['12m', '2023-03-31'],
  ['2y', '2022-03-31'],
  ['0d', '2024-03-31'],
  ['2000y', '0024-03-31'],
  ['3000y', null],
  ['12', null],
  ['m', null],
  ['2024-01-01', null],
])('%s before 2024-03-31 is %s', (period, date) => {
  expect(dateBefore('2024-03-31', period)).toBe(date);
});
