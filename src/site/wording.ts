// How pages write numbers, dates and lists.

import type { AggregateRatingJson } from '../model/rating.ts';

const NUMBER = new Intl.NumberFormat('en-US');
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
const LIST = new Intl.ListFormat('en-GB');

export function wordNumber(value: number): string {
  return NUMBER.format(value);
}

/** "1 review", "1,204 reviews". */
export function wordCount(count: number, one: string, many = `${one}s`): string {
  return `${wordNumber(count)} ${count === 1 ? one : many}`;
}

/** A mean of stars: "4.6". */
export function wordRating(value: number): string {
  return value.toFixed(1);
}

/** "4.6 of 5 stars in 1,204 verified reviews". */
export function wordAggregate({
  rating_value: mean,
  review_count: count,
}: Pick<AggregateRatingJson, 'rating_value' | 'review_count'>): string {
  const reviews = wordCount(count, 'verified review');
  return mean === null ? reviews : `${wordRating(mean)} of 5 stars in ${reviews}`;
}

/** A date YYYY-MM-DD: "5 March 2026". */
export function wordDate(date: string): string {
  return DAY.format(new Date(`${date}T00:00:00Z`));
}

/** A month YYYY-MM: "March 2026". */
export function wordMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

export function wordList(items: readonly string[]): string {
  return LIST.format(items);
}

/** The same of at most so many; of more it says how many it leaves out: "Google, Yelp and 3 others". */
export function wordFirst(items: readonly string[], most: number): string {
  if (items.length <= most) return wordList(items);
  const named = items.slice(0, most - 1);
  return wordList([...named, wordCount(items.length - named.length, 'other')]);
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

/** A source as people know it. */
export function wordSource(source: string): string {
  return SOURCES.get(source) ?? source;
}

/** The beginning of a text, whole words of it, at most so many UTF-16 units; null where it is all. */
export function clip(text: string, most: number): string | null {
  if (text.length <= most) return null;
  const space = text.lastIndexOf(' ', most);
  const end = space > most / 2 ? space : most;
  return `${text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}
