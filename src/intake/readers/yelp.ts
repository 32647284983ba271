// Reviews of the Yelp Fusion API.

import type { JsonReader } from './reader.ts';
import { isObject, textOf } from './values.ts';

export const yelp: JsonReader = {
  kind: 'json',
  name: 'yelp',
  title: 'reviews of the Yelp API',
  lists: ['reviews', ''],
  recognise(item) {
    const hasKeys = 'time_created' in item && isObject(item['user']) && 'rating' in item;
    return hasKeys && /^https?:\/\/[^/]*\byelp\./.test(textOf(item['url']) ?? '');
  },
  read(row) {
    if (/(?:\.\.\.|…)\s*$/.test(row.string('text') ?? '')) {
      row.notes.push('text is the excerpt that the API of Yelp gives');
    }
    return {
      source: 'yelp',
      source_id: row.at('id'),
      author: row.at('user.name'),
      author_avatar_url: row.at('user.image_url'),
      rating: row.stars('rating'),
      date: row.date('time_created'),
      text: row.at('text'),
      source_url: row.at('url'),
    };
  },
};
