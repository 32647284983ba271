import { describe, expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { findOthers } from '../../../src/insights/aspects/others.ts';
import { findProblems } from '../../../src/insights/entities/problems/problems.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const vertical = verticalOf('hospitality_and_travel');

describe('an aspect of an airline', () => {
  const aspectsOf = (text: string) =>
    judgeAspects(findCueHits(annotateText(text), vertical), null)
      .map(({ aspect, sentiment }) => `${aspect} ${sentiment}`)
      .toSorted();

  test.each([
    ['Our suitcases stayed in Madrid for a week.', ['baggage negative']],
    ['Our bags were first on the belt.', ['baggage positive']],
    ['The pushchair came back with the frame snapped.', ['baggage negative']],
    ['Bag drop took two minutes.', ['check_in positive']],
    ['Boarding took forever.', ['check_in negative']],
    ['Nobody said a word about it.', ['communication negative']],
    ['The captain told us exactly what he knew.', ['communication positive']],
    ['They split us up, rows apart.', ['room_and_seat negative']],
    ['My seat would not recline.', ['room_and_seat negative']],
    ['The toilet was out of order.', ['facilities negative']],
    ['The touchscreen kept freezing.', ['entertainment negative']],
    ['We pushed back on the dot.', ['punctuality positive']],
    ['They found us another flight without fuss.', ['problem_resolution positive']],
    ['Staff were not friendly.', ['staff negative']],
    ['The steward was a star.', ['staff positive']],
  ])('of %j is %j', (text, aspects) => {
    expect(aspectsOf(text)).toEqual(aspects);
  });

  test.each([
    'We drank sparkling wine.',
    'On the outgoing flight we had row 12.',
    'I was lucky that my neighbour slept.',
    'I did not care for the colours.',
    'It was a pleasant flight.',
    'The departure lounge is upstairs.',
    'Arrivals at the gate were slow to come.',
    'My seat was next to the galley.',
    'We were looking forward to a nice breakfast.',
  ])('is not in %j', (text) => {
    expect(aspectsOf(text)).toEqual([]);
  });
});

describe('a problem of an airline', () => {
  const problemsOf = (text: string) =>
    findProblems(annotateText(text), 1, { vertical: vertical.id, aspects: [], hits: [] })
      .map(({ key }) => key)
      .toSorted();

  test.each([
    ['We sat three hours on the tarmac.', ['delays']],
    ['They moved our flight to Sunday.', ['cancellations']],
    ['My case stayed in Madrid.', ['lost-luggage']],
    ['Our bags arrived on the belt.', []],
    ['Our bags never arrived.', ['lost-luggage']],
    ['There was one desk for 200 people.', ['understaffing']],
    ['My vegan meal was not loaded.', ['wrong-order']],
    ['Two of the toilets were out of service.', ['outdated-equipment']],
    ['The chicken was like rubber.', ['poor-food']],
    ['A used tissue was in the pocket.', ['dirty-premises']],
  ])('of %j is %j', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

describe('what is no problem of an airline', () => {
  const problemsOf = (text: string) => {
    const annotated = annotateText(text);
    return findProblems(annotated, 1, {
      vertical: vertical.id,
      others: findOthers(annotated, vertical.others, new Set(['ba'])),
      aspects: [],
      hits: [],
    }).map(({ key }) => key);
  };

  test.each([
    'I gave up and just cancelled the flight.',
    'We then cancelled our return flight.',
    'I had a slight delay on the way.',
    'She spent ten minutes on the phone to someone.',
    'My first flight was with TAP Portugal which got cancelled, then rebooked to BA.',
    'The test centre was two hours late.',
    'Apart from a better seat and a larger screen I did not see an upgrade.',
    'The card payment system did not work.',
    'This bumped the price up.',
    'It is a scam because BA charges fees.',
    'I hope that this is not true.',
    'We arrived 20 minutes earlier.',
  ])('is in %j', (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test.each([
    ['We were delayed by 45 minutes.', 'delays'],
    ['They cancelled our flight.', 'cancellations'],
    ['The screen did not work.', 'outdated-equipment'],
    ['I spent two hours on the phone.', 'hold-times'],
    ['They overbooked the flight.', 'overbooking'],
  ])('%j, a problem, is told as %s', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });
});
