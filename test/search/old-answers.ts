// Searches with the parameters of version 0.1, and a digest of each answer. The mentions are fixed, so
// that the digests do not depend on the analyser.

import { createHash } from 'node:crypto';
import type { Insights } from '../../src/model/insights.ts';
import type { Review } from '../../src/model/review.ts';
import { parseSearchParameters } from '../../src/model/search.ts';
import { renderSearch } from '../../src/snapshot/queries.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { randomFrom } from '../support/random.ts';

const SEARCHES = 400;
const DIGEST_CHARACTERS = 16;

/** Technicians and services that the recorded reviews mention, by id of the review. */
export type RecordedMentions = Readonly<
  Record<string, { readonly technicians: readonly string[]; readonly services: readonly string[] }>
>;

export interface Recorded {
  readonly mentions: RecordedMentions;
  /** By query string. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Insights whose entries have only the recorded mentions. */
export function withMentions(insights: Insights, mentions: RecordedMentions): Insights {
  const mention = (id: string) => ({ id, sentiment: 'neutral' as const, phrase: '' });
  return {
    ...insights,
    per_review: Object.fromEntries(
      Object.entries(mentions).map(([id, { technicians, services }]) => [
        id,
        {
          score: 0,
          sentiment: 'neutral' as const,
          aspects: [],
          technicians: technicians.map(mention),
          services: services.map(mention),
          problems: [],
          service_areas: [],
          topics: [],
        },
      ]),
    ),
  };
}

/** Query strings with one to four parameters, valid and invalid, always the same for the same reviews. */
export function oldSearches(reviews: readonly Review[]): string[] {
  const random = randomFrom(20);
  const among = (length: number) => Math.floor(random() * length);
  const pick = <T>(list: readonly T[]): T => list[among(list.length)] as T;
  const text = () => pick(reviews).text ?? 'on time';
  const cut = (length: number) => {
    const whole = text();
    return whole.slice(among(whole.length)).slice(0, 1 + among(length));
  };
  const date = () => (among(20) === 0 ? pick(['2025-02-30', 'soon', '']) : pick(reviews).date);
  const values: Readonly<Record<string, () => string>> = {
    rating: () => pick(['1', '2', '3', '4', '5', '0', '4.5', '']),
    min_rating: () => pick(['1', '2', '3.5', '4', '5', '6', 'x']),
    since: date,
    until: date,
    query: () =>
      pick([
        () => cut(3),
        () => cut(12),
        () => cut(60),
        () => pick(['AC', 'price', '', ' ', '!']),
      ])(),
    mentions_technician: () => pick(['Mike', 'mike-alvarez', 'PRIYA', 'Theo', 'nobody', '']),
    mentions_service: () => pick(['furnace-repair', 'Heater repair', 'drain cleaning', 'x', '']),
    source: () => pick(['google', 'yelp', 'direct', 'Google', '']),
    limit: () => pick(['1', '5', '20', '100', '0', '101']),
    cursor: () => pick([`${pick(reviews).date}.${pick(reviews).id}`, 'x', '']),
  };
  return Array.from({ length: SEARCHES }, () => {
    const names = Array.from({ length: 1 + among(4) }, () => pick(Object.keys(values)));
    const given = [...new Set(names)].map((name) => [name, (values[name] as () => string)()]);
    return new URLSearchParams(given).toString();
  });
}

/** The digest of the answer, or of the issues. */
export function digestOf(snapshot: Snapshot, search: string): string {
  const parsed = parseSearchParameters(Object.fromEntries(new URLSearchParams(search)));
  const body = parsed.ok
    ? Buffer.concat(renderSearch(snapshot, parsed.value))
    : JSON.stringify(parsed.issues);
  return createHash('sha256').update(body).digest('hex').slice(0, DIGEST_CHARACTERS);
}
