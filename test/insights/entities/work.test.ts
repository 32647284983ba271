import { expect, test } from 'vitest';
import { buildTermFinder } from '../../../src/insights/text/terms.ts';
import { isElsewhere, isMeant, tellsWork } from '../../../src/insights/entities/work.ts';
import { annotateText } from '../../support/annotate-text.ts';

const find = buildTermFinder(
  [
    { id: 'boiler', names: ['boiler', 'boiler repair'] },
    { id: 'radiator', names: ['radiators'] },
    { id: 'thermostat', names: ['thermostat'] },
    { id: 'heater', names: ['no hot water'] },
    { id: 'gas', names: ['gas line'] },
  ],
  { isName: false },
);

const LABELS = new Map([
  ['drain', 'Drain cleaning'],
  ['pump', 'Heat pump installation'],
  ['leak', 'Leak repair'],
  ['thaw', 'Frozen pipe thawing'],
]);
const findMeant = buildTermFinder(
  [
    { id: 'drain', names: ['drain'] },
    { id: 'pump', names: ['heat pump'] },
    { id: 'leak', names: ['leak'] },
    { id: 'thaw', names: ['thaw'] },
  ],
  { isName: false },
);

test.each([
  ['It was dead, not the drain.', false],
  ['He tried to sell me drain cleaning and a light.', false],
  ['She fixed it the day before the thaw.', false],
  ['The van leaks oil.', false],
  ['The bill had "drain x2" on it.', false],
  ['They moved one drain.', false],
  ['The wrong drain trim came.', false],
  ['Heat pump tuned up.', false],
  ['Our heat pump, installed by others, was repaired.', false],
  ['They replaced the heat pump.', true],
  ['New heat pump, tuned to the house.', true],
  ['The drain was clogged and they moved it.', true],
  ['They fixed the leak.', true],
])('%j is about the service: %s', (text, expected) => {
  const annotated = annotateText(text);
  const found = findMeant(annotated);
  expect(found).toHaveLength(1);
  expect(isMeant(annotated, found[0]!, LABELS.get(found[0]!.id) ?? '')).toBe(expected);
});

test.each([
  ["He showed up at the other Steve's house in Larkin.", true],
  ['A boy drove them over from Larkin.', true],
  ['Nobody else between here and Larkin.', true],
  ['Frozen pipe in Larkin, thawed.', false],
])('%j tells of somebody elsewhere: %s', (text, expected) => {
  const annotated = annotateText(text);
  const [place] = buildTermFinder([{ id: 'larkin', names: ['Larkin'] }], { isName: true })(
    annotated,
  );
  expect(isElsewhere(annotated, place!)).toBe(expected);
});

function servicesOf(text: string): string[] {
  const annotated = annotateText(text);
  return find(annotated)
    .filter((match) => tellsWork(annotated, match))
    .map(({ id }) => id);
}

test.each([
  'No stove, no hot water, four days.',
  'She asked what the thermostat read.',
  'The boiler has run fine ever since.',
  'The radiators under the picture books were too hot to sit on.',
])('%j tells no work', (text) => {
  expect(servicesOf(text)).toEqual([]);
});

test.each([
  ['They replaced the boiler.', 'boiler'],
  ['Boiler repair was quick.', 'boiler'],
  ['Our boiler broke on Sunday.', 'boiler'],
  ['She did our boiler in an hour.', 'boiler'],
  ['Gas line for the generator in Larkin.', 'gas'],
  ['We had no hot water and they fixed it.', 'heater'],
])('%j tells work on the %s', (text, service) => {
  expect(servicesOf(text)).toEqual([service]);
});
