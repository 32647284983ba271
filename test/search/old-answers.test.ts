// Answers to the parameters of version 0.1 stay the same, byte for byte. The digests were recorded with
// that version. RECORD_OLD_ANSWERS=1 records them again: right only if a review of the example changes.

import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { deriveInsights } from '../support/derive.ts';
import type { Business } from '../../src/model/business.ts';
import type { Review, ReviewJson } from '../../src/model/review.ts';
import { ROUTES } from '../../src/model/routes.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { exampleSnapshot } from '../support/example.ts';
import { ORIGIN, snapshotOf } from '../support/snapshot.ts';
import { digestOf, oldSearches, type Recorded, withMentions } from './old-answers.ts';

const FILE = new URL('./old-answers.json', import.meta.url);
const isRecording = process.env['RECORD_OLD_ANSWERS'] === '1';

let recorded: Recorded;
let reviews: readonly Review[];
let snapshot: Snapshot;
beforeAll(async () => {
  const example = await exampleSnapshot(ORIGIN);
  const { business, reviews: published } = JSON.parse(
    example.documents.get(ROUTES.getReviews.path)?.body.toString() ?? '',
  ) as { business: Business; reviews: readonly ReviewJson[] };
  reviews = published.map((one) => ({
    id: one.id,
    author: one.author,
    authorAvatarUrl: one.author_avatar_url,
    rating: one.rating,
    date: one.date,
    text: one.text,
    source: one.source,
    sourceUrl: one.source_url,
    ownerReply: one.owner_reply,
  }));
  recorded = isRecording
    ? { mentions: mentionsOf(example), answers: {} }
    : (JSON.parse(readFileSync(FILE, 'utf8')) as Recorded);
  const insights = withMentions(deriveInsights([], business), recorded.mentions);
  snapshot = await snapshotOf(reviews, { business, insights });
});

function mentionsOf(example: Snapshot): Recorded['mentions'] {
  const ids = (list: readonly { readonly id: string }[] = []) => list.map(({ id }) => id);
  return Object.fromEntries(
    reviews.map(({ id }, position) => {
      const entry = example.insights.entry(position);
      return [id, { technicians: ids(entry?.technicians), services: ids(entry?.services) }];
    }),
  );
}

test('answers to the parameters of version 0.1 are those of version 0.1', () => {
  const answers = Object.fromEntries(
    oldSearches(reviews).map((search) => [search, digestOf(snapshot, search)]),
  );
  if (isRecording) writeFileSync(FILE, JSON.stringify({ mentions: recorded.mentions, answers }));
  else expect(answers).toEqual(recorded.answers);
});
