// Addresses are held while requests use them.

import { beforeEach, expect, test } from 'vitest';
import { HeldNames } from '../../src/hub/held-names.ts';

let elapsedMs: number;
let lookups: number;
let names: HeldNames;
let answer: () => Promise<{ address: string; family: 4 }[]>;
beforeEach(() => {
  elapsedMs = 0;
  lookups = 0;
  answer = () => Promise.resolve([{ address: `192.0.2.${lookups}`, family: 4 }]);
  names = new HeldNames(
    () => {
      lookups += 1;
      return answer();
    },
    () => elapsedMs,
  );
});

const first = [{ address: '192.0.2.1', family: 4 }];
const second = [{ address: '192.0.2.2', family: 4 }];

test('a name keeps its addresses for the connections of its users', async () => {
  const one = names.use('reader.example');
  const other = names.use('reader.example');
  expect(await one.answer).toEqual(first);
  one.release();
  expect(await names.resolve('reader.example')).toEqual(first);
  expect(await other.answer).toEqual(first);
  other.release();
  expect(await names.resolve('reader.example')).toEqual(second);
});

test('a name is resolved again for users that come 10 seconds later', async () => {
  const one = names.use('reader.example');
  elapsedMs = 9_999;
  const other = names.use('reader.example');
  elapsedMs = 10_000;
  const late = names.use('reader.example');
  expect(await other.answer).toEqual(first);
  expect(await late.answer).toEqual(second);
  // Releasing the old addresses does not release the new ones.
  one.release();
  other.release();
  expect(await names.resolve('reader.example')).toEqual(second);
});

test('all waiting users get a failure, and the next one resolves the name again', async () => {
  answer = () => Promise.reject(new Error('no such name'));
  const users = [names.use('reader.example'), names.use('reader.example')];
  for (const user of users) await expect(user.answer).rejects.toThrow('no such name');
  expect(lookups).toBe(1);
  answer = () => Promise.resolve([{ address: '192.0.2.2', family: 4 }]);
  expect(await names.use('reader.example').answer).toEqual(second);
  for (const user of users) user.release();
  expect(await names.resolve('reader.example')).toEqual(second);
  expect(lookups).toBe(2);
});

test('a name with more than 32 addresses fails', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      address: `192.0.2.${index}`,
      family: 4 as const,
    }));
  answer = () => Promise.resolve(many(32));
  const held = names.use('reader.example');
  expect(await held.answer).toHaveLength(32);
  held.release();
  answer = () => Promise.resolve(many(33));
  await expect(names.use('reader.example').answer).rejects.toThrow('too many addresses');
});
