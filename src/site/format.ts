// Formats numbers, dates, lists and texts for pages.

import type { AggregateRatingJson } from '../model/rating.ts';

const NUMBER = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const LIST = new Intl.ListFormat('en-GB');

export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** "1 review", "1,204 reviews". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** A mean of stars: "4.6". */
export function formatRating(value: number): string {
  return value.toFixed(1);
}

/** "4.6 out of 5 stars in 1,204 verified reviews". */
export function formatAggregate({
  rating_value: mean,
  review_count: count,
}: Pick<AggregateRatingJson, 'rating_value' | 'review_count'>): string {
  const reviews = formatCount(count, 'verified review');
  return mean === null ? reviews : `${formatRating(mean)} out of 5 stars in ${reviews}`;
}

/** A date YYYY-MM-DD: "5 March 2026". */
export function formatDate(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}

/** A month YYYY-MM: "March 2026". */
export function formatMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

function formatList(items: readonly string[]): string {
  return LIST.format(items);
}

/** A list of at most `max` items; further ones are counted: "Google, Yelp and 3 others". */
export function formatShortList(items: readonly string[], max: number): string {
  if (items.length <= max) return formatList(items);
  const named = items.slice(0, max - 1);
  return formatList([...named, formatCount(items.length - named.length, 'other')]);
}

const SOURCES: ReadonlyMap<string, string> = new Map([
  ['google', 'Google'],
  ['facebook', 'Facebook'],
  ['yelp', 'Yelp'],
  ['trustpilot', 'Trustpilot'],
  ['tripadvisor', 'Tripadvisor'],
  ['bbb', 'BBB'],
  ['direct', 'Direct'],
]);

/** The display name of a source. */
export function formatSource(source: string): string {
  return SOURCES.get(source) ?? source;
}

/** Truncates a text at a word boundary to `maxUnits` UTF-16 units; null if it is short enough. */
export function truncate(text: string, maxUnits: number): string | null {
  if (text.length <= maxUnits) return null;
  const space = text.lastIndexOf(' ', maxUnits);
  const end = space > maxUnits / 2 ? space : maxUnits;
  return `${text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
