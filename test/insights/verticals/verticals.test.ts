import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VERTICAL_IDS } from '../../../src/model/verticals.ts';
import {
  compileVertical,
  SHARED,
  VERTICAL_FILES,
  verticalOf,
  verticalSchema,
} from '../../../src/insights/verticals/verticals.ts';

const HOME_SERVICES = [
  'punctuality',
  'communication',
  'professionalism',
  'friendliness',
  'technical_knowledge',
  'quality_of_work',
  'pricing',
  'transparency',
  'cleanliness',
  'responsiveness',
  'scheduling',
  'problem_resolution',
  'value',
  'safety',
];

describe('a vertical', () => {
  test.each([...VERTICAL_FILES])('%s compiles: every pattern is well formed', (_, file) => {
    expect(() => compileVertical(file, SHARED)).not.toThrow();
  });

  test.each([...VERTICAL_FILES])(
    '%s names each aspect and topic once, with cues for each',
    (_, file) => {
      const { aspects, topics } = verticalSchema.parse(file);
      for (const list of [aspects, topics]) {
        expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
      }
      for (const { shares, names, positive, negative } of aspects) {
        expect(
          shares.length + names.length + Math.min(positive.length, negative.length),
        ).toBeGreaterThan(0);
      }
    },
  );

  test('has a file of its name, and every file is a vertical', () => {
    const folder = join(import.meta.dirname, '../../../src/insights/verticals');
    const names = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
      .map(({ name }) => name.replace('.json', ''));
    expect(names.toSorted()).toEqual([...VERTICAL_FILES.keys()].toSorted());
  });

  test('has a file for each id that the model knows', () => {
    expect([...VERTICAL_FILES.keys()].toSorted()).toEqual(VERTICAL_IDS.toSorted());
  });

  test('of home services has the aspects of the contract', () => {
    expect(verticalOf('home_services').aspects.map(({ id }) => id)).toEqual(HOME_SERVICES);
  });

  test('is chosen by the name of a business, with either dash, and is general for an unknown one', () => {
    expect(verticalOf('retail-and-apps').id).toBe('retail_and_apps');
    expect(verticalOf('general').id).toBe('general');
    expect(verticalOf('spaceflight').id).toBe('general');
  });

  test('with missing shared cues or an unknown key is refused', () => {
    const file = {
      about: '',
      id: 'x',
      label: 'X',
      roles: ['x'],
      aspects: [{ id: 'a', label: 'A' }],
    };
    expect(() => compileVertical(file, SHARED)).not.toThrow();
    const shares = { ...file, aspects: [{ id: 'a', label: 'A', shares: ['nothing'] }] };
    expect(() => compileVertical(shares, SHARED)).toThrow('shares nothing');
    expect(() => compileVertical({ ...file, colour: 'red' }, SHARED)).toThrow('colour');
  });
});
