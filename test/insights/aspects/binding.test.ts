import { expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const vertical = verticalOf('hospitality_and_travel');

/** What a review of three stars says of the aspects of a hotel or an airline, by their ids. */
function aspectsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    judgeAspects(findCueHits(annotateText(text), vertical), 3).map(({ aspect, sentiment }) => [
      aspect,
      sentiment,
    ]),
  );
}

test.each([
  // An adjective is about the noun behind it, and not about others in its clause.
  ['An efficient terminal with wine.', {}],
  ['A gorgeous sunset was seen from the plane.', {}],
  ['The crew made it a wonderful trip.', { staff: 'positive' }],
  ['A superb choice of films and meals.', { entertainment: 'positive', food: 'positive' }],
  // A predicate is about its subject, and not about what stands behind a preposition there.
  ['The queue at the lounge was awful.', {}],
  ['The lounge was awful.', { facilities: 'negative' }],
  ['The lounge upstairs was a bit chaotic.', { facilities: 'negative' }],
  ['The departure lounge was chaotic due to a ban.', { facilities: 'negative' }],
  ['A sunset was superb from the seat.', {}],
  // A word that judges things does not count for the nouns of another aspect.
  ['The meal was lovely.', { food: 'positive' }],
  ['The lounge was lovely.', { facilities: 'positive' }],
  ['The seat was nice enough.', { room_and_seat: 'positive' }],
  ['The plane was new so the food was good.', { food: 'positive', room_and_seat: 'positive' }],
  ['The plane was a 777 so the meal was good.', { food: 'positive' }],
  ['The purser was lovely.', { staff: 'positive' }],
  ['The galley was dirty.', { cleanliness: 'negative' }],
  // A general noun stands for whoever has it.
  ['The stewardess did a great job.', { staff: 'positive' }],
  ['It was superb.', {}],
])('of %j are %j', (text, aspects) => {
  expect(aspectsOf(text)).toEqual(aspects);
});
