// Plain sentences about which readers agree, and others whose words look like a claim and are none. The model may miss a
// few after a training; most of them it must get right.

import { expect, test } from 'vitest';
import { buildAnalyser } from '../../../src/insights/analyse.ts';
import { businessSchema } from '../../../src/model/business.ts';
import { VERTICAL_IDS } from '../../../src/model/verticals.ts';
import { review } from '../../support/reviews.ts';

/** Stars that agree with praise and with a complaint or problem, without insisting. */
const STARS = { '+': 4, '-': 2 } as const;
const LEAST_FOUND = 0.8;
const MOST_INVENTED = 0.16;

const SIGNS = { positive: '+', negative: '-', neutral: '=' } as const;

/** By vertical sentences with what they say; "!" is a problem. */
const SENTENCES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  general: [
    ['The service was appalling.', 'staff-'],
    ['They are less attentive than some years ago.', 'staff-'],
    ['She hung up on me.', 'friendliness-'],
    ['They lied to us.', 'transparency-'],
    ['Parcels always arrive on time.', 'punctuality+'],
    ['Nobody told us anything.', 'communication-'],
    ['I was on hold for forty minutes.', 'responsiveness-'],
    ['My booking was cancelled.', 'scheduling-'],
    ['They refused to refund us.', 'problem_resolution-'],
    ['A complete waste of money.', 'value-'],
    ['The rooms were spotless.', 'cleanliness+'],
    ['The parcel arrived damaged.', 'quality-'],
    ['He knows his trade.', 'knowledge+'],
    ['A very professional team.', 'professionalism+'],
    ['The driver was on his phone, it was dangerous.', 'safety-'],
  ],
  hospitality_and_travel: [
    ['There were dead flies on the window sill.', 'cleanliness-'],
    ['The water on board is overpriced.', 'pricing-'],
    ['The wifi did not work.', 'entertainment-'],
    ['The lounge was overcrowded.', 'facilities-'],
    ['The captain kept us informed.', 'communication+'],
    ['Our suitcases stayed in Madrid for a week.', 'baggage-'],
    ['The pushchair came back with the frame snapped.', 'baggage-'],
    ['Bag drop took two minutes.', 'check_in+'],
    ['They split us up, rows apart.', 'room_and_seat-'],
    ['We pushed back on the dot.', 'punctuality+'],
    ['They found us another flight without fuss.', 'problem_resolution+'],
    ['Staff were not friendly.', 'staff-'],
    ['The steward was a star.', 'staff+'],
    ['They cancelled our flight.', '!cancellations'],
    ['My vegan meal was not loaded.', '!wrong-order'],
    ['There was one desk for 200 people.', '!understaffing'],
    ['A used tissue was in the pocket.', '!dirty-premises'],
    ['I spent two hours on the phone.', '!hold-times'],
  ],
  home_services: [
    ['An experienced technician came.', 'technical_knowledge+'],
    ['They did not know what they were doing.', 'technical_knowledge-'],
    ['He was barefoot on the roof.', 'safety-'],
    ['Nobody came, nobody called.', '!missed-appointment'],
    ['It still leaks and they never called back.', '!repeat-visits'],
    ['They scratched my new floor.', '!damage'],
    ['They left a huge mess.', '!mess-left-behind'],
    ['Quote said 340. Invoice said 515.', '!surprise-fee'],
    ['Said the motor was dead. Another firm tightened a wire.', '!wrong-diagnosis'],
    ['Boiler repaired, ran for two days, cold again.', '!repeat-visits'],
    ['The part has been on back order since March.', 'responsiveness-'],
    ['Technician not come, my call not answering.', '!unanswered-calls'],
    ['They dropped a ladder through our conservatory.', '!damage'],
    ['They swept up half of the plaster.', '!mess-left-behind'],
    ['Found him asleep on our couch.', 'professionalism-'],
  ],
  restaurants: [
    ['A bit pricey.', 'pricing-'],
    ['The waiter was very rude.', '!rude-staff'],
    ['Cold soup again.', '!cold-food'],
  ],
};

/** What says nothing about an aspect of any business. */
const NO_CLAIMS = [
  'It is in the area behind the gate.',
  'Since then we have flown twice.',
  'They gave me the address of customer service.',
  'Customer service sent me a link.',
  "It was built in the late 70's.",
  'We flew business class.',
  'There is a screen in the seat ahead.',
  'The lounge is beside gate 4.',
  'The lounges are in terminal 3.',
  'We fly every month.',
  'I love to fly.',
  'I solved the problem with a screwdriver.',
  'We missed the bus to the old town.',
  'A meter was installed on the wall.',
  'Our two hours before the museum went by quickly.',
];

function claimsIn(vertical: string) {
  const analyse = buildAnalyser(businessSchema.parse({ name: 'Any', vertical }));
  return (text: string, rating: number) => {
    const { aspects, problems } = analyse(review({ text, rating }));
    const signed = aspects.map(({ id, sentiment }) => id + SIGNS[sentiment]);
    return [...signed, ...problems.map(({ id }) => `!${id}`)];
  };
}

test('what plain sentences say is found in four of five', () => {
  const missed = Object.entries(SENTENCES).flatMap(([vertical, sentences]) => {
    const find = claimsIn(vertical);
    return sentences
      .map(([text, expected]) => ({
        text,
        expected,
        found: find(text, STARS[expected.endsWith('+') ? '+' : '-']),
      }))
      .filter(({ expected, found }) => !found.includes(expected));
  });
  const all = Object.values(SENTENCES).flat().length;
  expect(missed.length / all, JSON.stringify(missed, null, 1)).toBeLessThan(1 - LEAST_FOUND);
});

test('in sentences that say nothing, hardly anything is found', () => {
  const invented = VERTICAL_IDS.flatMap((vertical) => {
    const find = claimsIn(vertical);
    return NO_CLAIMS.map((text) => ({ vertical, text, found: find(text, 4) })).filter(
      ({ found }) => found.length > 0,
    );
  });
  const all = VERTICAL_IDS.length * NO_CLAIMS.length;
  expect(invented.length / all, JSON.stringify(invented, null, 1)).toBeLessThan(MOST_INVENTED);
});
