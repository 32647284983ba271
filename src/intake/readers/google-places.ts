// Reviews of the Google Places API: of Place Details (New), and of the legacy one.

import type { JsonObject, JsonReader } from './reader.ts';
import type { Outcome } from '../record.ts';
import { isObject, ItemReading, memberAt, textOf } from './values.ts';

export const googlePlaces: JsonReader = {
  kind: 'json',
  name: 'google-places',
  title: 'reviews of the Google Places API',
  lists: ['reviews', 'result.reviews', ''],
  recognise(item) {
    if (isObject(item['authorAttribution']) && 'publishTime' in item) return 'certain';
    const isLegacy = 'author_name' in item && 'time' in item && 'rating' in item;
    if (!isLegacy) return 'no';
    return 'relative_time_description' in item || 'author_url' in item ? 'certain' : 'possible';
  },
  read(item) {
    return 'author_name' in item ? readLegacy(item) : readNew(item);
  },
};

function readNew(item: JsonObject): Outcome {
  const reading = new ItemReading();
  const original = memberAt(item, 'originalText.text');
  const text = original ?? memberAt(item, 'text.text');
  if (original !== undefined && original !== memberAt(item, 'text.text')) {
    reading.notes.push('translation by Google left out');
  }
  return reading.finish({
    source: 'google',
    source_id: textOf(item['name'])?.split('/').at(-1) ?? null,
    author: textOf(memberAt(item, 'authorAttribution.displayName')) ?? 'A Google user',
    author_avatar_url: memberAt(item, 'authorAttribution.photoUri'),
    rating: reading.stars('rating', item['rating']),
    date: reading.date('publishTime', item['publishTime']),
    text,
    source_url: item['googleMapsUri'],
  });
}

/** The legacy API has no ids of reviews, and no original of a translated text. */
function readLegacy(item: JsonObject): Outcome {
  const reading = new ItemReading();
  if (item['translated'] === true) reading.notes.push('only the translation by Google is known');
  return reading.finish({
    source: 'google',
    author: item['author_name'],
    author_avatar_url: item['profile_photo_url'],
    rating: reading.stars('rating', item['rating']),
    date: reading.epoch('time', item['time'], 1000),
    text: item['text'],
  });
}
