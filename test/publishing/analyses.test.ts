// A review whose analysis hangs is published without one, and does not hang the next publish.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import type { Business } from '../../src/model/business.ts';
import type { Review } from '../../src/model/review.ts';
import { analyseAll } from '../../src/publishing/analyses.ts';
import type { Omission } from '../../src/publishing/run/messages.ts';
import type { Database } from '../../src/store/database.ts';
import { claimPublishing } from '../../src/store/snapshots/snapshots.ts';
import { BUSINESS, review } from '../support/reviews.ts';
import { TestStore } from '../support/store.ts';

let store: TestStore;
let database: Database;
/** Texts in the order in which their analyses began. */
let begun: (string | null)[];
beforeEach(async () => {
  store = await TestStore.create();
  database = await store.open();
  begun = [];
  await claimPublishing(database, 'p', 0, 5_000);
});
afterEach(() => store.close());

/** The analyser, except that it hangs in texts with "hang" and throws in texts with "throw". */
function faultyAnalyserOf(business: Business) {
  const analyse = buildAnalyser(business);
  return (each: Review) => {
    begun.push(each.text);
    if (each.text?.includes('hang') === true) for (;;);
    if (each.text?.includes('throw') === true) throw new TypeError('no verb');
    return analyse(each);
  };
}

const TEXTS = ['Great plumber.', 'These words hang.', 'Bad plumber.', 'These words throw.'];
const REVIEWS = TEXTS.map((text, index) => review({ id: `${index}`.padStart(26, '0'), text }));

async function analyseReviews() {
  const omitted: Omission[] = [];
  const proposals = { proposer: null, claims: new Map<string, string>() };
  const content = { business: BUSINESS, reviews: REVIEWS, proposals };
  const analysed = await analyseAll(database, 'p', content, {
    omitted,
    onStage: () => undefined,
    reviewLimitMs: 1_000,
    analyserOf: faultyAnalyserOf,
  });
  return { omitted, phrases: analysed.map(({ analysis }) => analysis.language) };
}

test('a text that hangs the analyser is given up after the limit, and not tried again', async () => {
  const [, hanging, , throwing] = REVIEWS;
  const first = await analyseReviews();
  const failed = { what: `analysis of review ${throwing?.id}`, reason: 'TypeError: no verb' };
  expect(first.omitted).toEqual([
    { what: `analysis of review ${hanging?.id}`, reason: 'it took longer than 1 s' },
    failed,
  ]);
  // First within the limit of the batch, then within its own.
  expect(begun.filter((text) => text === TEXTS[1])).toHaveLength(2);

  begun = [];
  const second = await analyseReviews();
  expect(second.omitted).toEqual([failed]);
  expect(begun).toEqual([TEXTS[3], null]);
  expect(second.phrases).toEqual(first.phrases);
});
