// Spells prose as Americans do. Quotes stay as they are.

import type { Business } from '../../model/business.ts';

const AMERICAN: readonly (readonly [british: RegExp, american: string])[] = [
  [/(?<=cance)ll(?=ed|ing)/gi, 'l'],
  [/(?<=organ)is(?=e|ing|ation)/gi, 'iz'],
  [/(?<=hon|col|fav)our/gi, 'or'],
  [/(?<=trave|mode)ll(?=er|ing|ed)/gi, 'l'],
  [/(?<=program)me\b/gi, ''],
];
const UNITED_STATES = /^\s*(?:US|USA|United States(?: of America)?)\s*$/i;

/** The same with all its texts in the spelling of the country of a business. */
export function spelledFor<T>({ address }: Pick<Business, 'address'>, prose: T): T {
  if (!UNITED_STATES.test(address?.country ?? '')) return prose;
  const spell = (text: string) =>
    AMERICAN.reduce((told, [british, own]) => told.replaceAll(british, own), text);
  const parts = (text: string) =>
    text.replaceAll(/“[^”]*”|[^“]+/g, (part) => (part.startsWith('“') ? part : spell(part)));
  return JSON.parse(JSON.stringify(prose), (_key, value: unknown) =>
    typeof value === 'string' ? parts(value) : value,
  ) as T;
}
