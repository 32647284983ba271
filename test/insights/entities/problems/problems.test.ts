import { describe, expect, test } from 'vitest';
import { confirmProblems } from '../../../../src/insights/entities/problems/confirm.ts';
import named from '../../../../src/insights/entities/problems/named.json' with { type: 'json' };
import { judgeAspects } from '../../../../src/insights/aspects/judge.ts';
import causes from '../../../../src/insights/entities/problems/causes.json' with { type: 'json' };
import {
  idOfProblem,
  labelOfProblem,
  namedProblemsOf,
} from '../../../../src/insights/entities/problems/named.ts';
import { findProblems } from '../../../../src/insights/entities/problems/problems.ts';
import { findAspects } from '../../../../src/insights/learned/aspects.ts';
import { modelOf } from '../../../../src/insights/learned/models.ts';
import { annotateText } from '../../../../src/insights/text/annotate.ts';
import type { AnnotatedText } from '../../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../../src/insights/verticals/verticals.ts';
import { growth, LINEAR } from '../../../support/growth.ts';

const NO_ASPECTS = { vertical: 'general', aspects: [], hits: [] };

const keys = (text: string, rating = 2) =>
  findProblems(annotateText(text), rating, NO_ASPECTS).map(({ key }) => key);

/** The problems of a review, those of its negative aspects included. */
const keysIn = (vertical: string, text: string, rating = 2) => {
  const annotated = annotateText(text);
  const hits = findAspects(annotated, verticalOf(vertical), modelOf(vertical), null);
  const aspects = judgeAspects(hits, rating);
  return findProblems(annotated, rating, { vertical, aspects, hits }).map(({ key }) => key);
};

describe('a complaint', () => {
  test.each([
    ['He was two hours late.', ['late-arrival']],
    ['Nobody came, nobody called.', ['missed-appointment', 'unanswered-calls']],
    ['We waited three weeks for a part.', ['long-wait']],
    ['Hidden fees everywhere.', ['surprise-fee']],
    ['The bill was twice the quote and way too expensive.', ['high-price']],
    ['It still leaks and they never called back.', ['repeat-visits', 'unanswered-calls']],
    ['They scratched my new floor.', ['damage']],
    ['They left a huge mess.', ['mess-left-behind']],
    ['The soup was cold.', ['cold-food']],
    ['Cold soup again.', ['cold-food']],
    ['The waiter was very rude.', ['rude-staff']],
    ['Filthy bathroom.', ['dirty-premises']],
    ['Terrible communication.', ['poor-communication']],
    ['The brochure was inaccurate.', ['inaccurate brochure']],
    ['Confusing signage.', ['confusing signage']],
  ])('in %j is %j', (text, expected) => {
    expect(keys(text)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    ['is denied', 'No hidden fees. Never an hour late. Nobody was rude.', 2],
    ['is only imagined', 'If he had been late I would have left.', 3],
    ['is about another firm', 'The last company never called back.', 5],
    ['is part of praise', 'They kindly and generously waived the hidden fee.', 5],
    ['is the trouble that they came for', 'Our boiler was cold and the old pipe leaking.', 5],
    ['is one word in a review that praises', 'Water, just enough to be rude.', 5],
    ['is no complaint', 'A cold day, a late lunch, a long drive.', 2],
  ])('is not found if it %s: %j', (_, text, rating) => {
    expect(keys(text, rating)).toEqual([]);
  });

  test('counts once per review, at its first mention', () => {
    const text = 'He was late. Again he was late.';
    expect(findProblems(annotateText(text), 1, NO_ASPECTS)).toEqual([
      {
        key: 'late-arrival',
        start: 3,
        end: 11,
        phraseStart: 0,
        phraseEnd: 12,
      },
    ]);
  });
});

describe('a problem', () => {
  const review = (text: string) => ({ problems: findProblems(annotateText(text), 2, NO_ASPECTS) });

  test('without a name needs three reviews, a named one does not', () => {
    const reviews = ['Confusing signage.', 'The signage was confusing.', 'He was late.'].map(
      review,
    );
    expect(confirmProblems(reviews, 'restaurants').problems).toEqual([
      { id: 'late-arrival', name: 'Late arrivals' },
    ]);
    const more = [...reviews, review('Such confusing signage!')];
    const { problems, mentionsOf } = confirmProblems(more, 'restaurants');
    expect(problems.map(({ name }) => name).toSorted()).toEqual([
      'Confusing signage',
      'Late arrivals',
    ]);
    expect(more.flatMap((one) => mentionsOf(one.problems)).map(({ id }) => id)).toEqual([
      'confusing-signage',
      'confusing-signage',
      'late-arrival',
      'confusing-signage',
    ]);
  });

  test('of the list has a unique id and label', () => {
    const ids = named.problems.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+(?:-[a-z]+)*$/.test(id))).toEqual([]);
    const labels = ids.map((id) => labelOfProblem(id, 'general'));
    expect(new Set(labels).size).toBe(ids.length);
  });

  test('of the rules is one of the list, and its aspects exist in a vertical', () => {
    const ids = new Set(named.problems.map(({ id }) => id));
    const verticals = Object.entries(causes.verticals);
    const used = [
      ...causes.clues.map(({ problem }) => problem),
      ...verticals.flatMap(([, { same, none, labels, otherwise }]) => [
        ...Object.entries(same).flat(),
        ...none,
        ...Object.keys(labels),
        ...Object.values(otherwise),
      ]),
    ];
    expect(used.filter((id) => !ids.has(id))).toEqual([]);
    const aspects = new Set(
      verticals.flatMap(([id]) => verticalOf(id).aspects.map((aspect) => aspect.id)),
    );
    const clueAspects = causes.clues.flatMap((clue) => clue.aspects);
    expect(clueAspects.filter((id) => !aspects.has(id))).toEqual([]);
    for (const [id, { otherwise }] of verticals) {
      const own = new Set(verticalOf(id).aspects.map((aspect) => aspect.id));
      expect(Object.keys(otherwise).filter((aspect) => !own.has(aspect))).toEqual([]);
    }
  });

  test('has one name in a vertical', () => {
    expect(idOfProblem('delays', 'home_services')).toBe('late-arrival');
    expect(idOfProblem('late-arrival', 'hospitality_and_travel')).toBe('delays');
    expect(keysIn('hospitality_and_travel', 'The flight arrived two hours late.')).toEqual([
      'delays',
    ]);
    for (const vertical of Object.keys(causes.verticals)) {
      const { same } = causes.verticals[vertical as keyof typeof causes.verticals];
      const { otherwise } = namedProblemsOf(vertical);
      expect([...otherwise.values()].filter((id) => Object.hasOwn(same, id))).toEqual([]);
    }
  });
});

describe('a negative aspect', () => {
  test.each([
    ['home_services', 'He was ever so unfriendly to my mother.', ['rude-staff']],
    ['home_services', 'Quote said 340. Invoice said 515.', ['surprise-fee']],
    ['home_services', 'The third visit, and no end in sight.', ['repeat-visits']],
    ['home_services', 'We are still waiting after six weeks.', ['long-wait']],
    ['hospitality_and_travel', 'We never received a refund.', ['refused-refund']],
    ['hospitality_and_travel', 'The food was awful.', ['poor-food']],
  ])('of %s makes a problem: %j', (vertical, text, expected) => {
    expect(keysIn(vertical, text, 1)).toEqual(expected);
  });

  test.each([
    ['They never rang to say so. Same again Tuesday, nobody.', ['missed-appointment']],
    ['Said the motor was dead. Another firm tightened a wire.', ['wrong-diagnosis']],
    ['Boiler repaired, ran for two days, cold again.', ['repeat-visits']],
    ['None of that was mentioned on the phone.', ['surprise-fee']],
    ['The plan "did not transfer" to the new owners.', ['warranty-not-honoured']],
    ['The part has been on back order since March.', ['long-wait']],
    ['Technician not come, my call not answering.', ['missed-appointment', 'unanswered-calls']],
    ['They dropped a ladder through our conservatory.', ['damage']],
    ['They swept up half of the plaster.', ['mess-left-behind']],
    ['Found him asleep on our couch.', ['unprofessional-conduct']],
  ])('is told by words of home services: %j', (text, expected) => {
    expect(keysIn('home_services', text)).toEqual(expect.arrayContaining(expected));
  });

  test.each([
    [
      'is what the author did',
      'We cancelled an hour before. I was late. I had moved the date twice.',
    ],
    ['only could have been', 'Without her we would have cancelled our appointment.'],
    ['is another word', 'The spring snapped shut. They worked in silence. The oven door open.'],
    ['is what somebody else said', 'My neighbour screamed at the cat.'],
    ['was taken back', 'They waived the trip fee.'],
    ['is what the review waited for', 'I waited a month to write this review.'],
    ['is a certificate', 'They sent the certificate of electrical safety.'],
  ])('is none if it %s: %j', (_, text) => {
    expect(keysIn('home_services', text)).toEqual([]);
  });

  test('that was made good is none in a review of four stars', () => {
    const text = 'A fitting leaked a week later, and they came right back out at no charge.';
    expect(keysIn('home_services', text, 4)).toEqual([]);
    expect(keysIn('home_services', text, 3)).toEqual(['repeat-visits']);
  });

  test('that words tell in full is not told again by its aspect', () => {
    expect(keysIn('home_services', 'They sent a bill for a visit they never made.', 1)).toEqual([
      'billing-errors',
    ]);
  });

  test('makes none in a review of five stars', () => {
    expect(keysIn('home_services', 'They came two hours late and left a mess.', 5)).toEqual([]);
    expect(keysIn('home_services', 'Not the cheapest, but great, great work!', 5)).toEqual([]);
  });

  test('is not counted for a bill that equals its quote', () => {
    expect(keys('Quoted 340 and the invoice said 350.', 3)).toEqual([]);
    expect(keys('Quoted 340 and the invoice said 450.', 3)).toEqual(['surprise-fee']);
  });
});

test('words of one vertical take linear time', () => {
  const own = { ...NO_ASPECTS, vertical: 'home_services' };
  const annotatedOf = (length: number) => annotateText('they said i moved '.repeat(length / 18));
  const work = (annotated: AnnotatedText) => findProblems(annotated, 2, own);
  expect(growth(30_000, annotatedOf, work)).toBeLessThan(LINEAR);
});

test.each([['cold food was not late '], ['never never '], ['they did not '], ['rude ']])(
  'a text of nothing but %j takes linear time',
  (part) => {
    const annotatedOf = (length: number) =>
      annotateText(part.repeat(Math.ceil(length / part.length)));
    const work = (annotated: AnnotatedText) => findProblems(annotated, 2, NO_ASPECTS);
    expect(growth(30_000, annotatedOf, work)).toBeLessThan(LINEAR);
  },
);
