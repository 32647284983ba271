import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeUlid, isUlid, ulidToUuid } from '../../src/model/ulid.ts';

const NOTHING = new Uint8Array(10);

describe('a ULID', () => {
  test.each([
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '00000000000000000000000000',
    '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
  ])('is %s', (text) => {
    expect(isUlid(text)).toBe(true);
  });

  test.each([
    ['lower case', '01arz3ndektsv4rrffq69g5fav'],
    ['more than 128 bits', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['the letter I', '01ARZ3NDEKTSV4RRFFQ69G5FAI'],
    ['the letter U', '01ARZ3NDEKTSV4RRFFQ69G5FAU'],
    ['25 digits', '01ARZ3NDEKTSV4RRFFQ69G5FA'],
    ['27 digits', '01ARZ3NDEKTSV4RRFFQ69G5FAV0'],
    ['a line end', '01ARZ3NDEKTSV4RRFFQ69G5FAV\n'],
    ['nothing', ''],
  ])('is not a text with %s', (_, text) => {
    expect(isUlid(text)).toBe(false);
  });

  test('is the time and ten bytes in base 32', () => {
    expect(encodeUlid(1_469_918_176_385, NOTHING)).toBe('01ARYZ6S410000000000000000');
    expect(encodeUlid(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe(
      '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
    );
  });

  test('of a time before 1970 begins with zeros, and of more bytes takes the first ten', () => {
    expect(encodeUlid(-1, NOTHING)).toBe('00000000000000000000000000');
    expect(encodeUlid(0, new Uint8Array(32).fill(255, 10))).toBe('00000000000000000000000000');
  });

  test('sorts by its time, whatever the bytes', () => {
    const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
    const time = fc.integer({ min: 0, max: 2 ** 47 });
    fc.assert(
      fc.property(time, bytes, bytes, (ms, a, b) => {
        const [earlier, later] = [encodeUlid(ms, a), encodeUlid(ms + 1, b)];
        expect(isUlid(earlier) && isUlid(later) && earlier < later).toBe(true);
      }),
    );
  });

  test('is the same 128 bits as a UUID', () => {
    expect(ulidToUuid('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('01563e3a-b5d3-d676-4c61-efb99302bd5b');
    expect(ulidToUuid('00000000000000000000000000')).toBe('00000000-0000-0000-0000-000000000000');
    expect(ulidToUuid('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
  });
});
