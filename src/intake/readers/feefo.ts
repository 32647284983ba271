// Reviews of the Feefo API: an order has one review of the service, and one of each product.

import { platformReader } from './platform.ts';
import { isObject, memberAt } from './values.ts';

export const feefo = platformReader('feefo', {
  recognise: ({ service, products }) => isObject(service) || Array.isArray(products),
  split(item) {
    const products = Array.isArray(item['products']) ? item['products'].filter(isObject) : [];
    const parts = [item['service'], ...products].filter(isObject);
    // The customer may answer in the thread too.
    const isReply = (entry: unknown) =>
      !/customer|consumer/i.test(String(memberAt(entry, 'author')));
    return parts.map((part) => {
      const thread = Array.isArray(part['thread']) ? part['thread'] : [];
      return { ...part, reply: thread.find(isReply), order: item };
    });
  },
  amend(row) {
    const tags = row.at('tags');
    const branch: unknown = (Array.isArray(tags) ? tags : []).find((tag) =>
      /branch|store|location/i.test(String(memberAt(tag, 'key'))),
    );
    const value = memberAt(branch, 'values') ?? memberAt(branch, 'value');
    return { location: Array.isArray(value) ? value[0] : value };
  },
});
