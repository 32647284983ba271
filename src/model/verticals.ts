// The kinds of business that insights know. Each has a file in insights/verticals.

import { show } from '../errors.ts';

/** For a business of which nothing else is known. */
export const GENERAL = 'general';

export const VERTICAL_IDS = [
  'home_services',
  'restaurants',
  'hospitality_and_travel',
  'retail_and_apps',
  'health_and_senior_living',
  'legal_and_professional',
  GENERAL,
] as const;

/** What insights leave out in the general vertical. */
export const GENERAL_ONLY = 'insights look only for what reviews of any business speak of';

/** Whether a business file names a vertical that there is; dashes count as underscores. */
export function isVertical(name: unknown): boolean {
  const id = typeof name === 'string' ? name.replaceAll('-', '_') : null;
  return VERTICAL_IDS.some((one) => one === id);
}

/** What to tell an operator whose business file has this vertical; null if it is one that there is. */
export function noteOnVertical(name: unknown): string | null {
  if (isVertical(name)) return null;
  const what =
    name === undefined ? 'there is no "vertical"' : `"vertical" is ${show(name)}, which is unknown`;
  return `${what}, so ${GENERAL_ONLY}; set it to ${VERTICAL_IDS.join(', ')}`;
}
