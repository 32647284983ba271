// Reviews of the Tripadvisor Content API and of its earlier partner API.

import type { JsonReader } from './reader.ts';
import { isObject } from './values.ts';

export const tripadvisor: JsonReader = {
  kind: 'json',
  name: 'tripadvisor',
  title: 'reviews of the Tripadvisor API',
  lists: ['data', 'reviews', ''],
  recognise(item) {
    const hasKeys = 'published_date' in item && isObject(item['user']) && 'rating' in item;
    const own = ['location_id', 'trip_type', 'travel_date', 'rating_image_url'];
    return hasKeys && own.some((key) => key in item);
  },
  read(row) {
    const reply = isObject(row.at('owner_response')) ? 'owner_response' : 'management_response';
    return {
      source: 'tripadvisor',
      source_id: row.at('id'),
      author: row.string('user.username') ?? 'A Tripadvisor member',
      author_avatar_url: row.at('user.avatar.thumbnail'),
      rating: row.stars('rating'),
      date: row.date('published_date'),
      title: row.at('title'),
      text: row.at('text'),
      source_url: row.at('url'),
      owner_reply: row.reply(row.at(`${reply}.text`), row.date(`${reply}.published_date`)),
    };
  },
};
