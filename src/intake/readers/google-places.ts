// Reviews of the Google Places API: of Place Details (New), and of the legacy one.

import type { ReviewRecord } from '../record.ts';
import type { JsonReader } from './reader.ts';
import { isObject, type ItemReading, memberAt } from './values.ts';

export const googlePlaces: JsonReader = {
  kind: 'json',
  name: 'google-places',
  title: 'reviews of the Google Places API',
  lists: ['reviews', 'result.reviews', 'places', ''],
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
  read(row) {
    return row.at('author_name') === undefined ? readNew(row) : readLegacy(row);
  },
};

function readNew(row: ItemReading): ReviewRecord {
  const original = row.at('originalText.text');
  const text = row.at('text.text');
  if (original !== undefined && original !== text) {
    row.notes.push('translation by Google left out');
  }
  return {
    source: 'google',
    source_id: row.string('name')?.split('/').at(-1) ?? null,
    author: row.string('authorAttribution.displayName') ?? 'A Google user',
    author_avatar_url: row.at('authorAttribution.photoUri'),
    rating: row.stars('rating'),
    date: row.date('publishTime'),
    text: original ?? text,
    source_url: row.at('googleMapsUri'),
    location: row.string('place') ?? /^places\/([^/]+)\//.exec(row.string('name') ?? '')?.[1],
  };
}

/** The legacy API has no ids of reviews, and no original of a translated text. */
function readLegacy(row: ItemReading): ReviewRecord {
  if (row.at('translated') === true) row.notes.push('only the translation by Google is known');
  return {
    source: 'google',
    author: row.at('author_name'),
    author_avatar_url: row.at('profile_photo_url'),
    rating: row.stars('rating'),
    date: row.epoch('time', 1000),
    text: row.at('text'),
  };
}
