// What is probably wrong in a business file, although it can be published.

import { show } from '../errors.ts';
import type { Business } from './business.ts';
import { dialled } from './telephone.ts';
import { noteOnVertical } from './verticals.ts';

/** Codes that Intl knows and that are no countries. */
const NO_COUNTRIES = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'];

/** What is wrong with a country, a telephone number or a name; null if nothing is. */
export function faultOfCountry(text: string): string | null {
  return isCountry(text)
    ? null
    : `expected the two letters of a country in ISO 3166-1 such as "DE", got ${show(text)}`;
}

export function faultOfTelephone(text: string): string | null {
  return dialled(text) === null
    ? `expected a telephone number such as "+1-207-555-0142", got ${show(text)}`
    : null;
}

export function faultOfName(text: string): string | null {
  return /\p{L}/u.test(text) ? null : `expected a name with letters, got ${show(text)}`;
}

function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || NO_COUNTRIES.includes(code)) return false;
  // A former code, such as SU, and an alias, such as UK, stand for another one.
  if (new Intl.Locale(`und-${code}`).region !== code) return false;
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return names.of(code) !== undefined;
}

/** @param vertical As the file writes it. */
export function notesOnBusiness(business: Business, vertical: unknown): string[] {
  const { telephone, address, services, technicians, service_areas: areas } = business;
  const country = address?.country ?? null;
  const named = [
    ...services.map(({ label }, index) => [`services[${index}].label`, label] as const),
    ...technicians.map(({ name }, index) => [`technicians[${index}].name`, name] as const),
    ...areas.map((name, index) => [`service_areas[${index}]`, name] as const),
  ];
  const found: [path: string, fault: string | null][] = [
    ['address.country', country === null ? null : faultOfCountry(country)],
    ['telephone', telephone === null ? null : faultOfTelephone(telephone)],
    ...named.map(([path, name]): [string, string | null] => [path, faultOfName(name)]),
  ];
  const note = noteOnVertical(vertical);
  return [
    ...(note === null ? [] : [note]),
    ...found.flatMap(([path, fault]) => (fault === null ? [] : `${path}: ${fault}`)),
  ];
}
