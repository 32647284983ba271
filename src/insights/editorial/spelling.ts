// Spells prose as Americans do. Quotes and names stay as they are.

import type { Business } from '../../model/business.ts';
import type { Insights } from '../../model/insights.ts';

const AMERICAN: readonly (readonly [british: RegExp, american: string])[] = [
  [/(?<=cance)ll(?=ed|ing)/gi, 'l'],
  [/(?<=organ)is(?=e|ing|ation)/gi, 'iz'],
  [/(?<=hon|col|fav)our/gi, 'or'],
  [/(?<=trave|mode)ll(?=er|ing|ed)/gi, 'l'],
  [/(?<=analy)s(?=ed|ing)/gi, 'z'],
];
const UNITED_STATES = /^\s*(?:US|USA|United States(?: of America)?)\s*$/i;

/** The same with all its texts in the spelling of the country of a business, but for names. */
export function spelledFor<T>(
  { name, address }: Pick<Business, 'name' | 'address'>,
  prose: T,
  { entities }: Pick<Insights, 'entities'>,
): T {
  if (!UNITED_STATES.test(address?.country ?? '')) return prose;
  const { technicians, services, service_areas: places } = entities;
  const named = [...technicians, ...services, ...places].map(({ name: own }) => own);
  const spell = (text: string) =>
    AMERICAN.reduce((told, [british, own]) => told.replaceAll(british, own), text);
  const kept = new RegExp(
    `(“[^”]*”|${[name, ...named].map((one) => RegExp.escape(one)).join('|')})`,
  );
  const parts = (text: string) =>
    text
      .split(kept)
      .map((part, at) => (at % 2 === 1 ? part : spell(part)))
      .join('');
  return JSON.parse(JSON.stringify(prose), (_key, value: unknown) =>
    typeof value === 'string' ? parts(value) : value,
  ) as T;
}
