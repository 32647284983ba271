import { expect, test } from 'vitest';
import { judgeAspects } from '../../../src/insights/aspects/judge.ts';
import { findAspects } from '../../../src/insights/learned/aspects.ts';
import { modelOf } from '../../../src/insights/learned/models.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';
import { VERTICAL_FILES, verticalOf } from '../../../src/insights/verticals/verticals.ts';

/** Sentences whose words look like a claim and are none, in no kind of business. */
const NO_CLAIMS = [
  'It is in the area behind the gate.',
  'Since then we have flown twice.',
  'They gave me the address of customer service.',
  'Customer service sent me a link.',
  "It was built in the late 70's.",
  'My aunt was there in the late 70s.',
  'We flew business class.',
  'We sat in business class to Doha.',
  'There is a screen in the seat ahead.',
  'The screens showed the gate.',
  'The lounge is beside gate 4.',
  'The lounges are in terminal 3.',
  'We fly every month.',
  'I will fly again in March.',
  'We had a fly drive holiday.',
  'I love to fly.',
];

test.each([...VERTICAL_FILES.keys()])('%s finds no claim where there is none', (id) => {
  const vertical = verticalOf(id);
  const claims = NO_CLAIMS.flatMap((text) => {
    const hits = findAspects(annotateText(text), vertical, modelOf(id), 4);
    return judgeAspects(hits, 4).map(({ aspect, sentiment }) => `${text} ${aspect} ${sentiment}`);
  });
  expect(claims).toEqual([]);
});
