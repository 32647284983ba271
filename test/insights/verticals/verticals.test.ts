import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineageOf, VERTICAL_IDS } from '../../../src/model/verticals.ts';
import {
  compileTrade,
  compileVertical,
  SHARED,
  tradeSchema,
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

const WIDE = [...VERTICAL_FILES].filter(([id]) => lineageOf(id).length === 1);
const TRADES = VERTICAL_IDS.filter((id) => lineageOf(id).length > 1);

describe('a vertical', () => {
  test.each(WIDE)('%s compiles: every pattern is well formed', (_, file) => {
    expect(() => compileVertical(file, SHARED)).not.toThrow();
  });

  test.each(WIDE)('%s names each aspect and topic once, with cues for each', (_, file) => {
    const { aspects, topics } = verticalSchema.parse(file);
    for (const list of [aspects, topics]) {
      expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
    }
    for (const { shares, names, positive, negative } of aspects) {
      expect(
        shares.length + names.length + Math.min(positive.length, negative.length),
      ).toBeGreaterThan(0);
    }
  });

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

  test.each([
    ['plumber', 'home_services'],
    ['Coffee Shops', 'cafes'],
    ['bed-and-breakfast', 'hotels'],
    ['dentist', 'clinics'],
    ['nursing_home', 'health_and_senior_living'],
    ['airline', 'airlines'],
  ])('of %s is found by the word for the trade', (name, expected) => {
    expect(verticalOf(name).id).toBe(expected);
  });

  test.each(TRADES)('of the trade %s has the aspects of the wider one that it keeps', (trade) => {
    const [, wider = ''] = lineageOf(trade);
    const { without, labels } = tradeSchema.parse(VERTICAL_FILES.get(trade));
    const kept = verticalOf(wider).aspects.filter(({ id }) => !without.includes(id));
    expect(verticalOf(trade).aspects).toEqual(
      kept.map(({ id, label }) => ({ id, label: labels[id] ?? label })),
    );
    expect(kept.length).toBeLessThan(verticalOf(wider).aspects.length);
  });

  test('of a trade that names an aspect which the wider one lacks is refused', () => {
    const trade = { about: '', id: 'x', label: 'X', without: ['baggage'], labels: {} };
    const wider = VERTICAL_FILES.get('restaurants');
    expect(() => compileTrade(trade, wider, SHARED)).toThrow('baggage');
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
