// Reviews of the Google Places API: of Place Details (New), and of the legacy one.

import { platformReader } from './platform.ts';
import { isObject, memberAt } from './values.ts';

export const googlePlaces = platformReader('google-places', {
  /** A search answers with places, whose reviews have their name. */
  split(item) {
    const place = memberAt(item, 'displayName.text');
    const reviews = item['reviews'];
    if (!Array.isArray(reviews)) return isObject(item['displayName']) ? [] : [item];
    return reviews.filter(isObject).map((review) => ({ ...review, place }));
  },
  recognise(item) {
    if (isObject(memberAt(item, 'reviews.0.authorAttribution'))) return true;
    if (isObject(item['authorAttribution']) && 'publishTime' in item) return true;
    const isLegacy = 'author_name' in item && 'time' in item && 'rating' in item;
    return isLegacy && ('relative_time_description' in item || 'author_url' in item);
  },
  /** The legacy API has no ids of reviews, and no original of a translated text. */
  amend(row) {
    const original = row.at('original');
    if (original !== undefined && original !== row.at('shown')) {
      row.notes.push('translation by Google left out');
    }
    if (row.at('translated') === true) row.notes.push('only the translation by Google is known');
    const name = row.string('name');
    return {
      source_id: name?.split('/').at(-1) ?? null,
      ...(row.string('date') === null ? { date: row.epoch('time', 1000) } : {}),
      location: row.string('place') ?? /^places\/([^/]+)\//.exec(name ?? '')?.[1],
    };
  },
});
