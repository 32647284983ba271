import { afterEach, expect, test, vi } from 'vitest';
import { importExample } from '../../src/intake/example.ts';
import { storedReviews, TestStore } from '../support/store.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each(['1970-01-01', '2100-01-01'])('the example is imported by a clock at %s', async (day) => {
  const store = await TestStore.create();
  try {
    const database = await store.open();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(day) });
    await importExample(database);
    const reviews = await storedReviews(database);
    expect(reviews.length).toBeGreaterThan(100);
  } finally {
    await store.close();
  }
});
