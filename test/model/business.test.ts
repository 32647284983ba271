import { describe, expect, test } from 'vitest';
import { addressOf, businessSchema, UNNAMED_BUSINESS } from '../../src/model/business.ts';

describe('a business', () => {
  test('requires only a name: all other keys have defaults', () => {
    expect(businessSchema.parse({ name: 'Harbor Heating' })).toEqual({
      id: 'business',
      name: 'Harbor Heating',
      legal_name: null,
      description: null,
      vertical: 'general',
      url: null,
      telephone: null,
      email: null,
      address: null,
      geo: null,
      hours: [],
      service_areas: [],
      services: [],
      technicians: [],
      same_as: [],
      logo_url: null,
    });
    expect(UNNAMED_BUSINESS.name).toBe('Unnamed business');
  });

  test('fills in omitted values of nested objects', () => {
    const business = businessSchema.parse({
      name: ' Harbor ',
      address: { city: 'Bath' },
      services: [{ id: 'drain-cleaning', label: 'Drain cleaning' }],
      technicians: [{ id: 'mike', name: 'Mike' }],
    });
    expect(business.name).toBe('Harbor');
    expect(business.address).toEqual({
      street: null,
      city: 'Bath',
      region: null,
      postal_code: null,
      country: null,
    });
    const cologne = { ...business.address!, postal_code: '50667', city: 'Köln', country: 'DE' };
    expect(addressOf({ address: cologne }, () => 'Germany')).toBe('50667 Köln, Germany');
    const galway = { ...cologne, street: '14 Dock Road', region: 'Connacht', country: 'IE' };
    expect(addressOf({ address: galway })).toBe('14 Dock Road, Köln, Connacht 50667, IE');
    expect(business.services).toEqual([
      { id: 'drain-cleaning', label: 'Drain cleaning', aliases: [] },
    ]);
    expect(business.technicians).toEqual([{ id: 'mike', name: 'Mike', aliases: [], active: true }]);
  });

  test.each([
    ['no name', { name: undefined }, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['an unknown key', { nmae: 'Harbor' }, []],
    ['an unknown key in the address', { address: { town: 'Bath' } }, ['address']],
    ['an id that is not a slug', { id: 'Harbor Heating' }, ['id']],
    ['a script for a URL', { url: 'javascript:alert(1)' }, ['url']],
    ['a script for a profile', { same_as: ['javascript:alert(1)'] }, ['same_as', 0]],
    ['a latitude beyond the pole', { geo: { latitude: 91, longitude: 0 } }, ['geo', 'latitude']],
    [
      'an invalid time',
      { hours: [{ days: ['Mo'], opens: '24:30', closes: '17:00' }] },
      ['hours', 0, 'opens'],
    ],
    [
      'hours of no day',
      { hours: [{ days: [], opens: '08:30', closes: '17:00' }] },
      ['hours', 0, 'days'],
    ],
  ])('with %s is rejected with the path of the value', (_, values, path) => {
    const { error } = businessSchema.safeParse({ name: 'Harbor', ...values });
    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  });

  test.each([
    [
      'services',
      [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
        { id: 'a', label: 'C' },
      ],
    ],
    [
      'technicians',
      [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
        { id: 'a', name: 'C' },
      ],
    ],
  ])('with a repeated id in %s is rejected', (list, entries) => {
    const { error } = businessSchema.safeParse({ name: 'Harbor', [list]: entries });
    expect(error?.issues).toMatchObject([
      {
        path: [list, 2, 'id'],
        message: `expected an id that is unique in ${list}, got "a" again`,
      },
    ]);
  });
});
