// Reviews of the Yelp Fusion API.

import type { JsonReader } from './reader.ts';
import { isObject, ItemReading, memberAt, textOf } from './values.ts';

export const yelp: JsonReader = {
  kind: 'json',
  name: 'yelp',
  title: 'reviews of the Yelp API',
  lists: ['reviews', ''],
  recognise(item) {
    if (!('time_created' in item) || !isObject(item['user']) || !('rating' in item)) return 'no';
    return /^https?:\/\/[^/]*\byelp\./.test(textOf(item['url']) ?? '') ? 'certain' : 'possible';
  },
  read(item) {
    const reading = new ItemReading();
    const text = textOf(item['text']);
    if (text !== null && /(?:\.\.\.|…)\s*$/.test(text)) {
      reading.notes.push('text is the excerpt that the API of Yelp gives');
    }
    return reading.finish({
      source: 'yelp',
      source_id: item['id'],
      author: memberAt(item, 'user.name'),
      author_avatar_url: memberAt(item, 'user.image_url'),
      rating: reading.stars('rating', item['rating']),
      date: reading.date('time_created', item['time_created']),
      text: item['text'],
      source_url: item['url'],
    });
  },
};
