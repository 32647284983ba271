// Whatever a review says is stored as it was read, in every column of text.

import { expect, test } from 'vitest';
import { ANY_DATE, parseRecord } from '../../src/intake/record.ts';
import { loadVerifiedReviews } from '../../src/store/reviews/reviews.ts';
import { HOSTILE_TEXTS } from '../support/hostile.ts';
import { merge, record, storedReviews, TestStore } from '../support/store.ts';

test('hostile texts are stored and loaded unchanged', async () => {
  const records = HOSTILE_TEXTS.map((hostile, number) => {
    const text = `x${hostile}`;
    return record({
      source_id: `${number} ${text}`,
      author: text,
      text,
      source: text,
      owner_reply: { text, date: '2024-11-11' },
      verified_by: text,
    });
  });
  const parsed = records.map((each) => {
    const result = parseRecord(each, { source: null, verifiedBy: null, dates: ANY_DATE }, '');
    if (!result.ok) throw new Error(JSON.stringify(result.issues));
    // Only the stage has it.
    const { unplaced: _unplaced, ...stored } = result.value;
    return stored;
  });
  const store = await TestStore.create();
  try {
    const database = await store.open();
    expect(await merge(database, records)).toMatchObject({ added: records.length });
    const stored = await storedReviews(database);
    const byId = (one: { readonly id: string }, other: { readonly id: string }) =>
      one.id < other.id ? -1 : 1;
    expect(stored.toSorted(byId)).toMatchObject(parsed.toSorted(byId));
    expect(await loadVerifiedReviews(database.read, 'full')).toHaveLength(records.length);
  } finally {
    await store.close();
  }
});
