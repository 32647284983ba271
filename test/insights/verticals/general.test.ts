import { describe, expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const general = verticalOf('general');

/** The aspects of a three-star review of a business about which nothing is known, with their sentiment. */
const aspectsOf = (text: string) =>
  Object.fromEntries(
    judgeAspects(findCueHits(annotateText(text), general), 3).map((verdict) => [
      verdict.aspect,
      verdict.sentiment,
    ]),
  );

describe('in the general vertical', () => {
  test.each([
    ['The whole experience of the lounge was slow.'],
    ['We missed the bus to the old town.'],
    ['I had a similar experience with another train.'],
    ['Our two hours before the museum went by quickly.'],
    ['It was difficult to reach the top shelf.'],
    ['We took advantage of the free parking.'],
    ['There was a reasonable walk to the gate.'],
    ['We booked tickets that were free for children.'],
    ['A meter was installed on the wall.'],
    ['I bought sandals and a hat.'],
    ['The lift was out of service.'],
    ['I refused to pay for the parking.'],
    ['The taxi fare was a disaster.'],
    ['It is only worth it in a sale.'],
    ['To save money they use buses.'],
    ['Later there was another drinks service.'],
    ['We cancelled our flight ourselves.'],
    ['I solved the problem with a screwdriver.'],
    ['The app is user friendly.'],
    ['It has a nice clean interface.'],
    ['We asked politely for a table.'],
    ['It cost a great deal of effort.'],
  ])('%j says nothing of any aspect', (text) => {
    expect(aspectsOf(text)).toEqual({});
  });

  test.each([
    ['The staff were friendly.', { staff: 'positive', friendliness: 'positive' }],
    ['The service was appalling.', { staff: 'negative' }],
    ['They are less attentive than some years ago.', { staff: 'negative' }],
    ['She hung up on me.', { friendliness: 'negative' }],
    ['They lied to us.', { transparency: 'negative' }],
    ['Parcels always arrive on time.', { punctuality: 'positive' }],
    ['The train was delayed by an hour.', { punctuality: 'negative' }],
    ['Nobody told us anything.', { communication: 'negative' }],
    ['I was on hold for forty minutes.', { responsiveness: 'negative' }],
    ['My booking was cancelled.', { scheduling: 'negative' }],
    ['They refused to refund us.', { problem_resolution: 'negative' }],
    ['The prices are very reasonable.', { pricing: 'positive' }],
    ['A complete waste of money.', { value: 'negative' }],
    ['The rooms were spotless.', { cleanliness: 'positive' }],
    ['The parcel arrived damaged.', { quality: 'negative' }],
    ['He knows his trade.', { knowledge: 'positive' }],
    ['A very professional team.', { professionalism: 'positive' }],
    ['The driver was on his phone, it was dangerous.', { safety: 'negative' }],
  ])('%j says %j', (text, aspects) => {
    expect(aspectsOf(text)).toEqual(aspects);
  });
});
