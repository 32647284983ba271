// Reviews of the Feefo API: an order has one review of the service, and one of each product.

import type { JsonReader } from './reader.ts';
import { isObject, type JsonObject, memberAt, readRatings } from './values.ts';

export const feefo: JsonReader = {
  kind: 'json',
  name: 'feefo',
  title: 'reviews of the Feefo API',
  lists: ['reviews', ''],
  recognise: (item) =>
    isObject(item['merchant']) && (isObject(item['service']) || Array.isArray(item['products'])),
  split(item) {
    const products = Array.isArray(item['products']) ? item['products'].filter(isObject) : [];
    const parts = [item['service'], ...products].filter(isObject);
    return parts.map((part) => ({ ...part, order: item }));
  },
  read(row) {
    const scores = row.at('attributes');
    const named = (Array.isArray(scores) ? scores : []).flatMap((score): [string, unknown][] => {
      const name = memberAt(score, 'name');
      return typeof name === 'string' ? [[name, memberAt(score, 'rating.rating')]] : [];
    });
    const of: JsonObject = Object.fromEntries(named);
    const ratings = Object.fromEntries(Object.keys(of).map((name) => [name, name]));
    const product = row.string('product.title');
    const tags = row.at('order.tags');
    const [branch] = (Array.isArray(tags) ? tags : []).filter((tag) =>
      /branch|store|location/i.test(String(memberAt(tag, 'key'))),
    );
    const value = memberAt(branch, 'values') ?? memberAt(branch, 'value');
    return {
      source: 'feefo',
      source_id: row.at('id'),
      author: row.string('order.customer.display_name') ?? 'A Feefo customer',
      rating: row.stars('rating.rating'),
      date: row.date('created_at'),
      title: row.at('title'),
      text: row.at('review'),
      source_url: row.at('order.url'),
      owner_reply: row.reply(row.at('thread.0.comment'), row.date('thread.0.created_at')),
      attributes: product === null ? {} : { product },
      ratings: readRatings({ ratings }, (name) => of[name], row.notes),
      location: Array.isArray(value) ? value[0] : value,
    };
  },
};
