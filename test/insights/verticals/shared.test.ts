import { expect, test } from 'vitest';
import { findCueHits } from '../../../src/insights/aspects/cues.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';

const found = (vertical: string, text: string) =>
  findCueHits(annotateText(text), verticalOf(vertical)).map(
    ({ aspect, score }) => `${aspect} ${Math.sign(score)}`,
  );

test.each([
  ['retail_and_apps', 'It helps me to make money.', 'pricing -1'],
  ['retail_and_apps', 'A great deal of choice.', 'pricing 1'],
  ['retail_and_apps', 'The pages are nice and clear.', 'staff 1'],
  ['retail_and_apps', 'A reliable site.', 'staff 1'],
  ['restaurants', 'The soup was too salty.', 'pricing -1'],
  ['home_services', 'My overall experience with them began in May.', 'technical_knowledge 1'],
  ['home_services', 'I looked up the address on YouTube.', 'technical_knowledge -1'],
  ['home_services', 'I went in circles on their site.', 'communication -1'],
  ['home_services', 'She wore sandals.', 'safety -1'],
  ['home_services', 'There was no sign on the door.', 'safety -1'],
  ['legal_and_professional', 'Their patient list is long.', 'friendliness 1'],
])('a shared cue of %s does not find in %j: %s', (vertical, text, hit) => {
  expect(found(vertical, text)).not.toContain(hit);
});

test.each([
  ['retail_and_apps', 'Very good value for your money.', 'pricing 1'],
  ['home_services', 'An experienced technician came.', 'technical_knowledge 1'],
  ['home_services', 'They did not know what they were doing.', 'technical_knowledge -1'],
  ['home_services', 'He was barefoot on the roof.', 'safety -1'],
  ['restaurants', 'A bit pricey.', 'pricing -1'],
])('a shared cue of %s finds in %j: %s', (vertical, text, hit) => {
  expect(found(vertical, text)).toContain(hit);
});
