// Reviews of the Tripadvisor Content API and of its earlier partner API.

import type { JsonReader } from './reader.ts';
import { isObject, ItemReading, memberAt, textOf } from './values.ts';

export const tripadvisor: JsonReader = {
  kind: 'json',
  name: 'tripadvisor',
  title: 'reviews of the Tripadvisor API',
  lists: ['data', 'reviews', ''],
  recognise(item) {
    if (!('published_date' in item) || !isObject(item['user']) || !('rating' in item)) return 'no';
    const isCertain = ['location_id', 'trip_type', 'travel_date', 'rating_image_url'];
    return isCertain.some((key) => key in item) ? 'certain' : 'possible';
  },
  read(item) {
    const reading = new ItemReading();
    const reply = item['owner_response'] ?? item['management_response'];
    const replyDate = reading.date(
      'owner_response.published_date',
      memberAt(reply, 'published_date'),
    );
    return reading.finish({
      source: 'tripadvisor',
      source_id: item['id'],
      author: textOf(memberAt(item, 'user.username')) ?? 'A Tripadvisor member',
      author_avatar_url: memberAt(item, 'user.avatar.thumbnail'),
      rating: reading.stars('rating', item['rating']),
      date: reading.date('published_date', item['published_date']),
      title: item['title'],
      text: item['text'],
      source_url: item['url'],
      owner_reply: reading.reply(memberAt(reply, 'text'), replyDate),
    });
  },
};
