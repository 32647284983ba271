// The file about the business: short forms, problems in words, and the schema that editors use.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import {
  businessFileSchema,
  formatPath,
  parseBusinessFile,
} from '../../src/model/business-file.ts';
import { BUSINESS } from '../support/reviews.ts';

/** Every problem of a file, as an operator sees it. */
function problemsOf(record: unknown): string[] {
  const parsed = parseBusinessFile(record);
  return parsed.ok
    ? []
    : parsed.issues.map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

describe('a business file', () => {
  test('may name its schema, and leave out the ids of services and technicians', () => {
    const parsed = parseBusinessFile({
      $schema: './business.schema.json',
      name: 'Harbor',
      services: [{ label: 'Boiler Repair & Service' }, { id: 'own', label: 'Drains' }],
      technicians: [{ name: 'Zoë Lefèvre' }],
    });
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        services: [{ id: 'boiler-repair-service' }, { id: 'own' }],
        technicians: [{ id: 'zoe-lefevre' }],
      },
    });
    expect(parsed.ok && parsed.value).not.toHaveProperty('$schema');
  });

  test('gets all its problems at once, in words', () => {
    const record = {
      name: 'Harbor',
      adress: {},
      logo: 'logo.png',
      address: { citty: 'Bath' },
      geo: [],
      hours: [{ days: [], opens: 'early', closes: '17:00' }],
      services: ['Boiler repair', { label: 3 }],
      technicians: [{ name: 'Mike', active: 'yes' }],
      same_as: 'https://a.example',
    };
    expect(problemsOf(record)).toEqual([
      'address: expected "city", got the unknown key "citty"',
      'geo: expected { "latitude": ..., "longitude": ... }, got an empty list',
      'hours[0].days: expected at least one entry, got an empty list',
      'hours[0].opens: expected a time from "00:00" to "23:59" such as "08:30", got "early"',
      'services[0]: expected { "label": ... }, got the text "Boiler repair"',
      'services[1].label: expected text, got 3',
      'technicians[0].active: expected true or false, got the text "yes"',
      'same_as: expected a list of addresses such as ["https://..."], got the text "https://a.example"',
      ': expected "address", got the unknown key "adress"',
      ': expected "logo_url", got the unknown key "logo"',
    ]);
  });

  test('has a time zone by its name, which knows summer time', () => {
    expect(problemsOf({ name: 'A', time_zone: 'Europe/London' })).toEqual([]);
    expect(problemsOf({ name: 'A', time_zone: null })).toEqual([]);
    for (const name of ['+05:00', 'London', '']) {
      expect(problemsOf({ name: 'A', time_zone: name })).toEqual([
        `time_zone: expected a time zone such as "America/New_York", got ${JSON.stringify(name)}`,
      ]);
    }
  });

  test('has groups of synonyms of at least two words', () => {
    const synonyms = [['RO', 'reverse osmosis'], ['alone'], 'RO', ['a', 'x'.repeat(61)]];
    expect(problemsOf({ name: 'A', synonyms: synonyms.slice(0, 1) })).toEqual([]);
    expect(problemsOf({ name: 'A', synonyms })).toEqual([
      'synonyms[1]: expected at least two words that mean the same, got ["alone"]',
      'synonyms[2]: expected a list of words or short phrases such as ["RO", "reverse osmosis"], got the text "RO"',
      `synonyms[3][1]: expected at most 60 characters, got ${JSON.stringify('x'.repeat(61))}`,
    ]);
  });

  test.each([
    [5, 'expected an object such as { "name": "Harbor Heating" }, got the number 5'],
    [null, 'expected an object such as { "name": "Harbor Heating" }, got null'],
    [[], 'expected an object such as { "name": "Harbor Heating" }, got an empty list'],
  ])('that is %j is refused', (record, message) => {
    expect(problemsOf(record)).toEqual([`: ${message}`]);
  });

  test('needs an id where none can be derived from the name', () => {
    expect(problemsOf({ name: 'A', services: [{ label: '水漏れ' }] })).toEqual([
      'services[0].id: expected an id, got nothing',
    ]);
  });

  test('names known keys where no key is close', () => {
    expect(problemsOf({ name: 'A', hours: [{ days: ['Monday'], from: '08:00' }] })).toEqual([
      'hours[0].opens: expected a time, got nothing',
      'hours[0].closes: expected a time, got nothing',
      'hours[0]: expected one of days, opens, closes, got the unknown key "from"',
    ]);
  });
});

describe('the schema of a business file', () => {
  const schema = businessFileSchema();

  test('accepts what the program accepts', () => {
    const ajv = new Ajv2020({ strict: true, useDefaults: false });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    for (const record of [BUSINESS, { name: 'A', services: [{ label: 'Drains' }], $schema: 'x' }]) {
      expect([validate(record), validate.errors]).toEqual([true, null]);
    }
    expect(validate({ name: 'A', services: ['Drains'] })).toBe(false);
    expect(validate({ name: 'A', adress: null })).toBe(false);
  });

  test('describes every key', () => {
    const bare: string[] = [];
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { properties, ...rest } = value as { properties?: Record<string, object> };
      for (const [key, property] of Object.entries(properties ?? {})) {
        if (!('description' in property)) bare.push(`${path}.${key}`);
        visit(property, `${path}.${key}`);
      }
      for (const [key, each] of Object.entries(rest)) visit(each, `${path}/${key}`);
    };
    visit(schema, '');
    expect(bare).toEqual([]);
  });
});
