// Reviews of the Tripadvisor Content API and of its earlier partner API.

import type { JsonReader } from './reader.ts';
import { isObject, readAttributes, scalarText, starsOf } from './values.ts';

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
      location: row.text('location_id'),
      attributes: readAttributes(ATTRIBUTES, row.at, row.notes),
      ratings: subratings(row.at('subratings')),
    };
  },
};

const ATTRIBUTES = { trip_type: 'trip_type', travel_date: 'travel_date' };

/** A list, or an object whose keys are numbers: of each score its name, such as "rate_value", and its value. */
function subratings(given: unknown): Record<string, number> {
  const scores = typeof given === 'object' && given !== null ? Object.values(given) : [];
  const read = scores.filter(isObject).flatMap(({ name, value }) => {
    const stars = starsOf(scalarText(value) ?? '', { min: 1, max: 5 });
    return typeof name === 'string' && stars !== null
      ? [[name.replace(/^rate_/, ''), stars.exact] as const]
      : [];
  });
  return Object.fromEntries(read);
}
