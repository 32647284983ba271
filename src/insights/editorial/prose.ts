// Building blocks of English prose: counted nouns, verbs, lists, months, and how many customers are happy.

import { ofVertical } from '../../model/verticals.ts';
import { type Business, UNNAMED_BUSINESS } from '../../model/business.ts';
import { aggregateRating } from '../../model/rating.ts';
import type { Review } from '../../model/review.ts';
import { percentages } from '../aggregate/tally.ts';
import questions from './questions.json' with { type: 'json' };
import { NUMBER_WORDS } from '../text/grammar.ts';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const SMALL = ['no', ...NUMBER_WORDS.slice(1, 10)];

/** "one review", "12 reviews"; small numbers in words. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${inWords(number)} ${number === 1 ? noun : plural}`;
}

/** Up to nine in words. */
export function inWords(number: number): string {
  return SMALL[number] ?? grouped(number);
}

/** "none gives", "one gives", "12 give" */
export function give(number: number): string {
  if (number === 0) return 'none gives';
  return `${inWords(number)} ${number === 1 ? 'gives' : 'give'}`;
}

/** 12,345 */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "a, b and c"; with a comma before the last where an item has an "and" of its own */
export function listed(items: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const last = items.at(-1) ?? '';
  if (items.length < 2) return last;
  const comma = items.some((item) => / (?:and|or) /.test(item)) ? ',' : '';
  return `${items.slice(0, -1).join(', ')}${comma} ${conjunction} ${last}`;
}

/** "May 2026" of "2026-05-17". */
export function monthOf(date: string): string {
  return `${MONTHS[Number(date.slice(5, 7)) - 1] ?? ''} ${date.slice(0, 4)}`;
}

/** “The words of a customer”, with single marks for what is in double ones there. */
export function inQuotes(words: string): string {
  return `“${words.replaceAll(/"([^"]*)"/g, '‘$1’')}”`;
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function stars(rating: number): string {
  return rating === 1 ? 'one star' : `${inWords(rating)} stars`;
}

/** A name within a sentence: its first letter is lower case, except in abbreviations. */
export function lower(name: string): string {
  return /^\p{Lu}{2}/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
}

/** Whether customers of a vertical can ask for somebody: not where nobody chooses who serves. */
export function areAskedFor({ vertical }: Pick<Business, 'vertical'>): boolean {
  return ofVertical(questions.unchosen, vertical) === undefined;
}

/** What a customer is called: "guest" in a restaurant. */
export function customerOf({ vertical }: Pick<Business, 'vertical'>): string {
  return ofVertical(questions.customers, vertical) ?? 'customer';
}

/** What prose calls a business; one without a name is "this business". */
export function nameOf({ name }: Business): string {
  return name === UNNAMED_BUSINESS.name ? 'this business' : name;
}

/** Of fewer reviews nothing is told but how many gave how many stars. */
export const FEWEST_FOR_MOOD = 10;

/** Numbers of reviews with four or five stars, and with one or two, and what they say together. */
export function satisfactionOf(reviews: readonly Review[]) {
  const { distribution } = aggregateRating(reviews);
  const good = distribution['4'] + distribution['5'];
  const bad = distribution['1'] + distribution['2'];
  const [share = 0, , badShare = 0] = percentages([good, reviews.length - good - bad, bad]);
  const isFew = (badShare ?? 0) >= 55;
  const mood = (share ?? 0) >= 90 ? 'nearly all' : (share ?? 0) >= 60 ? 'most' : 'divided';
  return { good, bad, mood: isFew ? 'few' : mood } as const;
}

/** "most customers are happy, about one in six is not" */
export function describeSatisfaction(reviews: readonly Review[], customers: string): string {
  const { good, bad, mood } = satisfactionOf(reviews);
  if (reviews.length < FEWEST_FOR_MOOD)
    return `${give(good)} four or five stars, and ${give(bad)} one or two`;
  const isMany = (part: number) => part >= reviews.length / 10;
  const about = (part: number) => `about one in ${inWords(Math.round(reviews.length / part))}`;
  const happy = `${mood} ${customers} are happy`;
  if (mood === 'divided') return 'opinions are divided';
  if (mood === 'few') {
    const unhappy = `most ${customers} are unhappy`;
    return isMany(good) ? `${unhappy}, ${about(good)} is happy` : unhappy;
  }
  return mood === 'most' && isMany(bad) ? `${happy}, ${about(bad)} is not` : happy;
}
