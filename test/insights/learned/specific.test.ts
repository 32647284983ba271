import { expect, test } from 'vitest';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { findAspects } from '../../../src/insights/learned/aspects.ts';
import { modelOf } from '../../../src/insights/learned/models.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const vertical = verticalOf('home_services');

function aspectsOf(text: string, rating: number): string[] {
  const hits = findAspects(annotateText(text), vertical, modelOf(vertical.id), rating);
  return judgeAspects(hits, rating).map(({ aspect, sentiment }) => `${aspect} ${sentiment}`);
}

test.each([
  ['I pay 3 time also.', 1, 'pricing negative'],
  ['He talked my mother through the reset over the phone.', 5, 'communication positive'],
  ['It was only the fuse and not a new boiler.', 5, 'transparency positive'],
  ['The tech was here by lunch.', 5, 'responsiveness positive'],
  ['Passed inspection first try.', 5, 'quality_of_work positive'],
  ['The gate closes if you lift it.', 3, 'quality_of_work negative'],
  ['Not one mouse seen since.', 5, 'problem_resolution positive'],
  ['Three technicians, three different answers.', 1, 'technical_knowledge negative'],
])('a fact of home services is an opinion: %j', (text, rating, expected) => {
  expect(aspectsOf(text, rating)).toContain(expected);
});

test.each([
  ['The fence stain is in the shed.', 3],
  ['I have sent pictures to my sister.', 2],
  ['They sent the certificate of electrical safety.', 3],
  ['It was eleven below that night.', 1],
  ['He pronounced my name right the first time.', 5],
  ['My mercury thermostat had started running the furnace at will.', 4],
  ['We decided to do it right this winter.', 5],
  ['I got two prices before I decided.', 5],
  ['I called five places.', 5],
  ['Company one added refrigerant, no charge, no change.', 5],
  ['Beth is 75 years old and I had never met her.', 5],
])('what only looks like an opinion is none: %j', (text, rating) => {
  expect(aspectsOf(text, rating)).toEqual([]);
});
