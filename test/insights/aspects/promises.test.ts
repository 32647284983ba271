import { describe, expect, test } from 'vitest';
import { findBill } from '../../../src/insights/aspects/bills.ts';
import { findPromise } from '../../../src/insights/aspects/promises.ts';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { findAspects } from '../../../src/insights/learned/aspects.ts';
import { modelOf } from '../../../src/insights/learned/models.ts';
import { annotateText, type AnnotatedText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { growth, LINEAR } from '../../support/growth.ts';

/** What happened, and whether it was promised. */
function outcomeOf(find: typeof findPromise, text: string): string | null {
  const annotated = annotateText(text);
  const outcome = find(annotated);
  if (outcome === null) return null;
  const words = annotated.keys.words.slice(outcome.from, outcome.to).join(' ');
  return `${outcome.isKept ? 'kept' : 'broken'}: ${words}`;
}

describe('a promise about time', () => {
  test.each([
    ['We were promised two days and it took five.', 'broken: five'],
    ['Quoted as a 2 hour job. It took 7 hours.', 'broken: 7 hours'],
    ['They worked nine weeks instead of three.', null],
    ['It took nine weeks instead of three.', 'broken: nine weeks'],
    ['Six weeks they told us, fifteen it took.', 'broken: fifteen'],
    ['Planned for ten working days, it was twenty-three.', 'broken: twenty three'],
    ['I was promised two days and here they were on day five.', 'broken: five'],
    ['Said half an hour, arrived in 25 minutes.', 'kept: 25 minutes'],
    ['Between 8 and 12, they said. He came at 1.', 'broken: 1'],
    ['The window was 9-11 and he rolled up at quarter past three.', 'broken: quarter past three'],
    ['Promised noon, was here at noon.', 'kept: noon'],
    ['They came at 2 instead of 10.', 'broken: 2'],
    ['Booked for 8:30am, arrived at 8:25.', 'kept: 8 25'],
    ['Said 1pm to 3pm, showed up at 9pm.', 'broken: 9pm'],
    ['They have 20 years of experience, he said, and it took two hours.', null],
    ['The other company said two days and it took five.', null],
    ['If they had said two days, and it took five.', null],
    ['He said one of us would wait.', null],
    ['We waited from eight till five.', null],
    ['He told me to book in two weeks and it took 40 minutes.', null],
    ['It took two hours.', null],
    ['', null],
  ])('in %j is %j', (text, expected) => {
    expect(outcomeOf(findPromise, text)).toBe(expected);
  });
});

describe('a bill', () => {
  test.each([
    ['Quote said 340. Invoice said 515.', 'broken: 515'],
    ['2500 rupees they told on phone, now they are telling 4800.', 'broken: 4800'],
    ['Estimate: £2,300. Final bill: a further £1,140.', 'broken: $1,140'],
    ['They quoted $300 and charged $300.', 'kept: $300'],
    ['Quoted $900, the bill was $760.', 'kept: $760'],
    ['Quoted $900, and the part was $60.', null],
    ['They charged $300.', null],
  ])('in %j is %j', (text, expected) => {
    expect(outcomeOf(findBill, text)).toBe(expected);
  });
});

test('broken and kept promises are opinions about punctuality and transparency', () => {
  const aspectsOf = (text: string) => {
    const vertical = verticalOf('home_services');
    const hits = findAspects(annotateText(text), vertical, modelOf(vertical.id), 4);
    return judgeAspects(hits, 4).map(({ aspect, sentiment }) => `${aspect} ${sentiment}`);
  };
  expect(aspectsOf('I was told four days; it was nine.')).toEqual(['punctuality negative']);
  expect(aspectsOf('Told ten to eleven. Here at 10:20.')).toEqual(['punctuality positive']);
  expect(aspectsOf('Quote: $400. Bill: $395.')).toContain('transparency positive');
});

test.each([
  ['said two days and it took five '],
  ['at 2 instead of 10, '],
  ['quoted 300 paid 500 '],
])('a text of nothing but %j takes linear time', (part) => {
  const annotatedOf = (length: number) =>
    annotateText(part.repeat(Math.ceil(length / part.length)));
  const work = (annotated: AnnotatedText) => [findPromise(annotated), findBill(annotated)];
  expect(growth(30_000, annotatedOf, work)).toBeLessThan(LINEAR);
});
