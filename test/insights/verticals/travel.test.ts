import { describe, expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { findTopics } from '../../../src/insights/topics/topics.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const vertical = verticalOf('hospitality_and_travel');

/** What a review says of the aspects of hotels and airlines, by their ids. */
function aspectsOf(text: string, rating = 3): Record<string, string> {
  return Object.fromEntries(
    judgeAspects(findCueHits(annotateText(text), vertical), rating).map(({ aspect, sentiment }) => [
      aspect,
      sentiment,
    ]),
  );
}

describe('of a hotel or an airline', () => {
  test.each([
    ['We will never fly with them again.', {}],
    ['There were dead flies on the window sill.', { cleanliness: 'negative' }],
    ['Please wait in the area behind the gate.', {}],
    ['Since then we have flown twice.', {}],
    ['The band was big in the late seventies.', {}],
    ['We took a late night flight home.', {}],
    ['I work for a low cost airline.', {}],
    ['It gave us a great deal of privacy.', {}],
    ['A reasonable choice of films was offered.', { entertainment: 'positive' }],
    ['There was no ground crew at the stand.', { staff: 'negative' }],
    ['The film was about a man who lived up to code.', {}],
    ['The fare was reasonable.', { pricing: 'positive' }],
    ['The water on board is overpriced.', { pricing: 'negative' }],
    ['The wifi did not work.', { entertainment: 'negative' }],
    ['They had a great selection of movies.', { entertainment: 'positive' }],
    ['The lounge was overcrowded.', { facilities: 'negative' }],
    ['They refused to refund us.', { problem_resolution: 'negative' }],
    ['The captain kept us informed.', { communication: 'positive', staff: 'positive' }],
    ['There was no explanation.', { communication: 'negative' }],
    ['They handed out a small bag of pretzels.', {}],
  ])('%j says %j', (text, aspects) => {
    expect(aspectsOf(text)).toEqual(aspects);
  });

  test('a class of seats is no business trip, and a status no loyalty programme', () => {
    const topicsOf = (text: string) => findTopics(annotateText(text), vertical);
    expect(topicsOf('We sat in business class and asked for the status of our bags.')).toEqual([]);
    expect(topicsOf('A business trip, booked with Avios.')).toEqual(['business', 'loyalty']);
  });
});
