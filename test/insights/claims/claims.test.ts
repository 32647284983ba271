import { describe, expect, test } from 'vitest';
import { buildClaimFinder } from '../../../src/insights/claims/claims.ts';
import { questionsOf } from '../../../src/insights/claims/classes.ts';
import { MODEL } from '../../../src/insights/claims/model.ts';
import { askedWhere } from '../../../src/insights/editorial/asked.ts';
import { annotateText } from '../../support/annotate-text.ts';
import { VERTICAL_FILES, verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { growth, LINEAR } from '../../support/growth.ts';

function claimsIn(vertical: string, text: string, rating: number) {
  return buildClaimFinder(verticalOf(vertical))(annotateText(text), rating);
}

/** The aspects with their sentiment: "pricing positive". */
function aspectsIn(vertical: string, text: string, rating: number): string[] {
  return claimsIn(vertical, text, rating).aspects.map(({ id, sentiment }) => `${id} ${sentiment}`);
}

describe('a review', () => {
  test.each([
    ['home_services', 5, 'He was on time and left no mess.', 'punctuality positive'],
    ['home_services', 1, 'They were two hours late.', 'punctuality negative'],
    ['home_services', 1, 'Quoted 340, the invoice said 515.', 'transparency negative'],
    ['home_services', 2, 'Expensive for what they did.', 'pricing negative'],
    ['home_services', 1, 'The girl on the phone was rude.', 'friendliness negative'],
    ['hospitality_and_travel', 1, 'The flight was delayed by five hours.', 'punctuality negative'],
    ['hospitality_and_travel', 5, 'The crew were friendly and attentive.', 'staff positive'],
    ['hospitality_and_travel', 2, 'The seat was narrow, no legroom.', 'room_and_seat negative'],
    ['hospitality_and_travel', 2, 'They lost my suitcase.', 'baggage negative'],
    ['restaurants', 5, 'The best latte in town.', 'food positive'],
    ['restaurants', 2, 'We waited forty minutes for two coffees.', 'speed negative'],
    ['restaurants', 4, 'A cozy place with nice music.', 'ambience positive'],
    ['health_and_senior_living', 5, 'The nurses are kind.', 'friendliness positive'],
    ['retail_and_apps', 1, 'The app keeps crashing.', 'app_and_website negative'],
    ['general', 5, 'The staff were friendly.', 'staff positive'],
  ])('of %s with %i stars, "%s", says %s', (vertical, rating, text, expected) => {
    expect(aspectsIn(vertical, text, rating)).toContain(expected);
  });

  test.each([
    'I came only five minutes late and was turned away.',
    'My friend was ten minutes late.',
    'They denied us entry for being one minute late.',
  ])('of the customer who is late complains of no lateness: %s', (text) => {
    const { aspects, problems } = claimsIn('general', text, 1);
    expect([...aspects, ...problems].map(({ id }) => id)).not.toContain('punctuality');
    expect(problems.map(({ id }) => id)).not.toContain('late-arrival');
  });

  test('that tells facts without a word of opinion says what they mean', () => {
    const text = 'Called Monday. Called Tuesday. Nobody rang back.';
    const { aspects, problems } = claimsIn('home_services', text, 1);
    expect(aspects).toContainEqual(
      expect.objectContaining({ id: 'responsiveness', sentiment: 'negative' }),
    );
    expect(problems.map(({ id }) => id)).toContain('unanswered-calls');
  });

  test.each([
    ['restaurants', 5, 'Love it!'],
    ['hospitality_and_travel', 1, 'Never again.'],
    ['home_services', 5, 'Highly recommended.'],
    ['hospitality_and_travel', 4, 'We flew business class to Doha in March.'],
    ['hospitality_and_travel', 4, 'My aunt was there in the late 70s.'],
  ])('of %s with %i stars says nothing about an aspect: %s', (vertical, rating, text) => {
    expect(claimsIn(vertical, text, rating)).toMatchObject({
      aspects: [],
      problems: [],
      answers: [],
    });
  });

  test.each([
    ['"Between 2 and 4," came at 2:15.', false],
    ['Between 11 and 1, he arrived at 12:40.', false],
    ['They said 8-10 and he came at 1.', true],
    ['They told me "between 8 and 9" and it was 9:50.', true],
    ['Came late, left early.', true],
    ['Between 8 and 10, he was here in 15 minutes.', false],
  ])('says of lateness, by its times: %s %s', (text, expected) => {
    const { aspects, problems } = claimsIn('home_services', text, 2);
    const ids = [...aspects, ...problems].map(({ id, sentiment }) => `${id} ${sentiment}`);
    expect(ids.some((id) => /^(?:punctuality|late-arrival) neg/.test(id))).toBe(expected);
  });

  test.each([
    [5, 'Arrived: 8:05 for an 8:00.', 'punctuality positive'],
    [2, 'The guy came when he said.', 'punctuality positive'],
    [5, '"They’ll be there by nine," she said, and they were.', 'punctuality positive'],
    [3, 'Good tech, weird billing.', 'billing-errors negative'],
    [1, 'On the 3rd, nobody.', 'missed-appointment negative'],
  ])('with %i stars tells what idioms and times mean: %s', (rating, text, expected) => {
    const { aspects, problems } = claimsIn('home_services', text, rating);
    const ids = [...aspects, ...problems].map(({ id, sentiment }) => `${id} ${sentiment}`);
    expect(ids).toContain(expected);
  });

  test.each([
    [5, 'It was Marcus, and honestly $290 isnt crazy.', 'transparency positive'],
    [5, "They did our boiler wrong, I'll be honest, and we stayed away.", 'transparency positive'],
    [4, 'The new shower valve is a joy.', 'friendliness positive'],
    [2, 'Quoted $300, charged $300, took 5 hours.', 'pricing negative'],
    [4, 'Invoice took 3 weeks to arrive.', 'long-wait negative'],
    [1, "It's been six weeks. It's fine.", 'long-wait negative'],
    [5, 'A year ago I waited two weeks for a boiler cleaning.', 'long-wait negative'],
    [4, 'I liked them more when they were cheaper.', 'pricing positive'],
    [5, 'Their delivery charge was more than the part.', 'pricing positive'],
  ])('with %i stars says nothing of what its words only name: %s', (rating, text, id) => {
    const { aspects, problems } = claimsIn('home_services', text, rating);
    const ids = [...aspects, ...problems].map((one) => `${one.id} ${one.sentiment}`);
    expect(ids).not.toContain(id);
  });

  test.each([
    ['clinics', 'Great cleaning with hygienist Josh.', false],
    ['clinics', 'My teeth feel so clean.', false],
    ['clinics', 'A clean office and a good cleaning.', true],
    ['clinics', 'The cleaning staff keep it spotless.', true],
    ['home_services', 'Great cleaning with hygienist Josh.', true],
    ['general', 'He gave me a super clean fade.', false],
    ['general', 'The line up is very clean.', false],
    ['general', 'A clean cut, and the shop was very clean.', true],
  ])(
    'of %s takes a cleaning or a clean cut for a service, not for a clean place: %s',
    (vertical, text, isClean) => {
      expect(aspectsIn(vertical, text, 5).includes('cleanliness positive')).toBe(isClean);
    },
  );

  test.each([
    ['The hotel is very convenient, right in Terminal 2.', 'facilities positive', false],
    ['Good facilities and a nice pool.', 'facilities positive', true],
    ['There are many good restaurants in the terminal.', 'food positive', false],
    ['Great food in the restaurant of the hotel.', 'food positive', true],
    ['The bed was rock hard.', 'room_and_seat negative', true],
    ['We arrived late because of the flight.', 'punctuality negative', false],
    ['We ate dinner in the hotel restaurant and it was a bit average.', 'food positive', false],
    ['Muffins, scrambled eggs cold cereal, juice.', 'food negative', false],
    ['The Wi-Fi was on the weak side.', 'entertainment negative', true],
    ['I heard that breakfast is good.', 'food positive', false],
    ['A dog friendly hotel.', 'friendliness positive', false],
    ['The service can be better.', 'staff positive', false],
    ['The room was not very clean.', 'cleanliness positive', false],
    ['Many food choices available at tokyo station.', 'food positive', false],
    ['The location is OK, not exceptionally good.', 'location positive', false],
  ])('of a hotel has only what belongs to it: %s', (text, id, isThere) => {
    const { aspects } = claimsIn('hotels', text, 4);
    expect(aspects.map((one) => `${one.id} ${one.sentiment}`).includes(id)).toBe(isThere);
  });

  test('takes what is cheaper, and who was accused, for no complaint about price and honesty', () => {
    const problemsOf = (text: string) => claimsIn('general', text, 1).problems.map(({ id }) => id);
    expect(problemsOf('Sure this place is less expensive.')).not.toContain('high-price');
    expect(problemsOf('This place is too expensive.')).toContain('high-price');
    expect(problemsOf('They called me a liar to my face.')).not.toContain('dishonesty');
    expect(problemsOf('They lied to my face.')).toContain('dishonesty');
  });

  test('takes a charge for service for no complaint about the staff', () => {
    const staff = (text: string) =>
      claimsIn('restaurants', text, 1).aspects.find(({ id }) => id === 'staff')?.sentiment;
    expect(staff('A terrible service charge, never again.')).toBeUndefined();
    expect(staff('Terrible service, never again.')).toBe('negative');
  });

  test('answers what is asked by the clause that speaks of it', () => {
    const asked = {
      question: 'Beds?',
      aspects: ['room_and_seat'],
      words: /\bbeds?\b/i,
      saying: null,
    };
    const find = buildClaimFinder(verticalOf('hotels'), [asked]);
    const answersOf = (text: string) =>
      find(annotateText(text), 4).answers.map(({ id, sentiment }) => [id, sentiment]);
    expect(answersOf('The room was lovely, but the bed was uncomfortable.')).toEqual([
      ['Beds?', 'negative'],
    ]);
    expect(answersOf('The beds were rock hard!')).toEqual([['Beds?', 'negative']]);
    expect(answersOf('A comfortable bed.')).toEqual([['Beds?', 'positive']]);
    expect(answersOf('The room was lovely. We had twin beds.')).toEqual([]);
  });

  test.each([
    ['The room was very quiet.', 'positive'],
    ['Not the quietest room, and a bit noisy at night.', 'negative'],
    ['We had no noise at all. Soundproof windows!', 'positive'],
    ['It was not quiet.', 'negative'],
    ['Noise was never an issue.', 'positive'],
    ['We could hear the neighbours, and the street was loud.', 'negative'],
    ['I was worried about noise.', undefined],
    ['The room was quiet. The hallway was loud.', undefined],
    ['We walked down the street.', undefined],
  ])('answers whether it is quiet by words that say so: %s', (text, expected) => {
    const find = buildClaimFinder(verticalOf('hotels'), askedWhere('hotels'));
    const { answers } = find(annotateText(text), 4);
    expect(answers.find(({ id }) => id === 'Are the rooms quiet?')?.sentiment).toBe(expected);
  });

  test.each([
    ['The phone just rings and rings.', 'negative'],
    ['Nobody answers the phone.', 'negative'],
    ['They answered on the second ring.', 'positive'],
    ['He called me back within an hour.', 'positive'],
    ['They gave me a quote on the phone.', undefined],
  ])('answers whether the phone is answered: %s', (text, expected) => {
    const find = buildClaimFinder(verticalOf('clinics'), askedWhere('clinics'));
    const { answers } = find(annotateText(text), 3);
    expect(answers.find(({ id }) => id.endsWith('by phone?'))?.sentiment).toBe(expected);
  });

  test('without sentences says nothing', () => {
    expect(claimsIn('restaurants', '...', 3)).toMatchObject({
      aspects: [],
      problems: [],
      answers: [],
    });
  });
});

test('a claim names the sentence that tells it, and the clause within', () => {
  const text =
    'We came on a Sunday. The soup was cold, but the waiter was friendly and attentive. It rained.';
  const annotated = annotateText(text);
  const { aspects } = buildClaimFinder(verticalOf('restaurants'))(annotated, 3);
  const textOf = (id: string) => {
    const { from = 0, to = 1 } = aspects.find((one) => one.id === id)?.place ?? {};
    return text.slice(annotated.tokens[from]?.start, annotated.tokens[to - 1]?.end);
  };
  expect(textOf('food')).toContain('The soup was cold');
  expect(textOf('food')).not.toContain('waiter');
  expect(textOf('staff')).toContain('the waiter was friendly');
});

test.each([
  ['clinics', 5, 'My teeth were fine, work was busy and it was sleeting.', 'care_quality', 0, 0.6],
  ['hospitality_and_travel', 2, 'The seat was uncomfortable.', 'room_and_seat', 0.9, 1],
])(
  'of %s the sentence %#2 shows a claim if it has a word of it',
  (vertical, rating, text, id, least, most) => {
    const claim = claimsIn(vertical, text, rating).aspects.find((one) => one.id === id);
    expect(claim?.place.score).toBeGreaterThan(least);
    expect(claim?.place.score).toBeLessThanOrEqual(most);
  },
);

test('the confidence of a claim is a probability from the published one on', () => {
  const { aspects, problems } = claimsIn('restaurants', 'Rude staff. Cold food. Dirty cups.', 1);
  expect(aspects.length).toBeGreaterThan(1);
  for (const { confidence } of [...aspects, ...problems]) {
    expect(confidence).toBeGreaterThanOrEqual(0.5);
    expect(confidence).toBeLessThanOrEqual(1);
  }
});

test('stars support what they agree with', () => {
  const confidenceAt = (rating: number) =>
    claimsIn('restaurants', 'The staff were friendly.', rating).aspects.find(
      ({ id }) => id === 'staff',
    )?.confidence ?? 0;
  expect(confidenceAt(5)).toBeGreaterThan(confidenceAt(1));
});

test.each([...VERTICAL_FILES.keys()])('each aspect of %s has classes in the model', (id) => {
  const { aspects, problems } = questionsOf(verticalOf(id), MODEL().classes);
  const without = aspects.filter(
    ({ praise, complaint }) => praise.length === 0 || complaint.length === 0,
  );
  expect(without.map(({ aspect }) => aspect)).toEqual([]);
  expect(problems.length).toBeGreaterThan(10);
});

test.each([
  ['of many sentences', 'Late again. '],
  ['of one sentence with many clauses', 'late but friendly and '],
  ['of many cues', 'rude staff cold food '],
])('the claims of a text %s are found in linear time', (_, part) => {
  const find = buildClaimFinder(verticalOf('restaurants'));
  const textOf = (length: number) => part.repeat(length / part.length);
  expect(growth(20_000, textOf, (text) => find(annotateText(text), 2))).toBeLessThan(LINEAR);
});
