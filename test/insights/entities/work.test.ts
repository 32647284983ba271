import { expect, test } from 'vitest';
import { buildTermFinder } from '../../../src/insights/text/terms.ts';
import { tellsWork } from '../../../src/insights/entities/work.ts';
import { annotateText } from '../../../src/insights/text/annotate.ts';

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
