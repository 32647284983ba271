// An export of WordPress (WXR), in which reviews of WooCommerce are comments on products.

import { platformReader } from './platform.ts';
import type { JsonObject } from './values.ts';

export const wordPress = platformReader('wordpress', {
  /** A reply is a comment on the review, by somebody with an account who is not the customer. */
  join(items) {
    const isReply = (item: JsonObject) => (item['comment_parent'] ?? '0') !== '0';
    const answers = items.filter(
      (item) =>
        isReply(item) && item['comment_user_id'] !== '0' && item['comment_approved'] === '1',
    );
    const replies = new Map(
      answers.map((item) => [item['comment_parent'], item] as const).toReversed(),
    );
    return items.map((item) => {
      const reply = replies.get(item['comment_id']);
      const isOther = reply?.['comment_author'] !== item['comment_author'];
      return isReply(item) ? null : Object.assign(item, isOther && { reply });
    });
  },
});
