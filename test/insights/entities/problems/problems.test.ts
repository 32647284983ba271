import { describe, expect, test } from 'vitest';
import { confirmProblems } from '../../../../src/insights/entities/problems/confirm.ts';
import named from '../../../../src/insights/entities/problems/named.json' with { type: 'json' };
import {
  findProblems,
  labelOfProblem,
} from '../../../../src/insights/entities/problems/problems.ts';
import { annotateText } from '../../../../src/insights/text/annotate.ts';
import type { AnnotatedText } from '../../../../src/insights/text/annotate.ts';
import { growth, LINEAR } from '../../../support/growth.ts';

const keys = (text: string, rating = 2) =>
  findProblems(annotateText(text), rating).map(({ key }) => key);

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
    expect(findProblems(annotateText(text), 1)).toEqual([
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
  const review = (text: string) => ({ problems: findProblems(annotateText(text), 2) });

  test('without a name needs three reviews, a named one does not', () => {
    const reviews = ['Confusing signage.', 'The signage was confusing.', 'He was late.'].map(
      review,
    );
    expect(confirmProblems(reviews).problems).toEqual([
      { id: 'late-arrival', name: 'Late arrivals' },
    ]);
    const more = [...reviews, review('Such confusing signage!')];
    const { problems, mentionsOf } = confirmProblems(more);
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
    expect(new Set(ids.map(labelOfProblem)).size).toBe(ids.length);
  });
});

test.each([['cold food was not late '], ['never never '], ['they did not '], ['rude ']])(
  'a text of nothing but %j takes linear time',
  (part) => {
    const annotatedOf = (length: number) =>
      annotateText(part.repeat(Math.ceil(length / part.length)));
    const work = (annotated: AnnotatedText) => findProblems(annotated, 2);
    expect(growth(30_000, annotatedOf, work)).toBeLessThan(LINEAR);
  },
);
