// The kinds of business that insights know: verticals. Each has a file in insights/verticals. Trades are a kind of a wider
// vertical: a hotel is one of hospitality and travel.

import { show } from '../errors.ts';
import { fold } from './fold.ts';
import trades from './trades.json' with { type: 'json' };

/** For a business of which nothing else is known. */
export const GENERAL = 'general';

/** By vertical the wider one; null for those that are the widest. */
const WIDER = {
  home_services: null,
  restaurants: null,
  cafes: 'restaurants',
  hospitality_and_travel: null,
  hotels: 'hospitality_and_travel',
  airlines: 'hospitality_and_travel',
  retail_and_apps: null,
  health_and_senior_living: null,
  clinics: 'health_and_senior_living',
  legal_and_professional: null,
  [GENERAL]: null,
} as const;

export type VerticalId = keyof typeof WIDER;

export const VERTICAL_IDS = Object.keys(WIDER) as VerticalId[];

/** The words that owners use for their trade, in the singular. A word that could mean several is in none. */
const TRADES: Readonly<Partial<Record<VerticalId, readonly string[]>>> = trades;

const BY_TRADE: ReadonlyMap<string, VerticalId> = new Map(
  Object.entries(TRADES).flatMap(([id, words]) =>
    words.map((word) => [keyOf(word), id as VerticalId] as const),
  ),
);

/** A name with its words apart, in the singular. */
function keyOf(name: string): string {
  return fold(name)
    .replace(/[-_ ]+/g, ' ')
    .replace(/(?<=[a-z]{2})s$/, '');
}

/** The vertical of a name: an id, with dashes or underscores, or the word for a trade; null if there is none. */
export function verticalIdOf(name: unknown): VerticalId | null {
  if (typeof name !== 'string') return null;
  const id = VERTICAL_IDS.find((one) => one === name.replaceAll('-', '_'));
  return id ?? BY_TRADE.get(keyOf(name)) ?? null;
}

/** The vertical of a name and the wider ones, the narrowest first; the general one where there is none. */
export function lineageOf(name: unknown): VerticalId[] {
  const id = verticalIdOf(name) ?? GENERAL;
  const wider = WIDER[id];
  return wider === null ? [id] : [id, wider];
}

/** Whether it is a fact about health that somebody was a customer, so that each has to agree to be shown. */
export function isOfHealth(name: unknown): boolean {
  return lineageOf(name).includes('health_and_senior_living');
}

/** What a table has for a vertical, or else for the wider one. */
export function ofVertical<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  const id = lineageOf(name).find((one) => Object.hasOwn(table, one));
  return id === undefined ? undefined : table[id];
}

/** Looks up in a table by the id of a vertical: its own value, or else that of the wider one, or else the general one. */
export function forVerticals<T>(table: Readonly<Record<string, T>>): (id: string) => T {
  const all = new Map<string, T>(
    VERTICAL_IDS.map((id) => [id, (ofVertical(table, id) ?? table[GENERAL]) as T]),
  );
  return (id) => all.get(id) ?? (table[GENERAL] as T);
}

export const GENERAL_ONLY = 'insights look only for what reviews of any business speak of';

/** What to tell an operator whose business file has this vertical; null if it is one that there is. */
export function noteOnVertical(name: unknown): string | null {
  if (verticalIdOf(name) !== null) return null;
  const what =
    name === undefined ? 'there is no "vertical"' : `"vertical" is ${show(name)}, which is unknown`;
  return `${what}, so ${GENERAL_ONLY}; set it to ${VERTICAL_IDS.join(', ')}`;
}
