// The formats of platforms that are read as they are exported; platforms.json has their columns.

import type { Reader } from './reader.ts';
import { facebook } from './facebook.ts';
import { googleBusiness } from './google-business.ts';
import { isDamaged, platformReader } from './platform.ts';
import { isObject, type JsonObject, memberAt, textOf } from './values.ts';
import { webPage } from './web-page.ts';

const googlePlaces = platformReader('google-places', {
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
  /** The legacy API has no ids of reviews, and no original of a translated text. */
  amend(row) {
    const original = row.at('original');
    if (original !== undefined && original !== row.at('shown')) {
      row.notes.push('translation by Google left out');
    }
    const isTranslated = row.at('translated') === true;
    if (isTranslated) {
      const next = 'ask the API with reviews_no_translations=true';
      row.notes.push(`${row.string('author')}: only the translation by Google is known; ${next}`);
    }
    const name = row.string('name');
    return {
      source_id: name?.split('/').at(-1) ?? null,
      ...(row.string('date') === null ? { date: row.epoch('time', 1000) } : {}),
      ...(isTranslated && { attributes: { translation: 'by Google' } }),
      location: row.string('place') ?? /^places\/([^/]+)\//.exec(name ?? '')?.[1],
    };
  },
});

const EXCERPT = /(?:\.\.\.|…)\s*$/;
const yelp = platformReader('yelp', {
  recognise: ({ url }) => /^https?:\/\/[^/]*\byelp\./.test(textOf(url) ?? ''),
  asks: ({ text }) => EXCERPT.test(textOf(text) ?? ''),
  amend(row) {
    if (!EXCERPT.test(row.string('text') ?? '')) return {};
    row.notes.push('text is the excerpt that the API of Yelp gives');
    return { attributes: { excerpt: 'yes' } };
  },
});

const appStore = platformReader('app-store', {
  recognise: (item) => item['type'] === 'customerReviews',
  /** As JSON:API has it: the answer to a review is an object of its own, in `included`. */
  join(items) {
    const isResponse = ({ type }: JsonObject) => type === 'customerReviewResponses';
    const responses = new Map(items.filter(isResponse).map((item) => [item['id'], item]));
    return items.map((item) => {
      const response = responses.get(memberAt(item, 'relationships.response.data.id'));
      return isResponse(item) ? null : { ...item, response: response?.['attributes'] };
    });
  },
});

/** The API puts a title before the text, with a tab between them. */
const googlePlay = platformReader('google-play', {
  amend(_, { text }) {
    const [title = '', ...rest] = typeof text === 'string' ? text.split('\t') : [];
    return rest.length === 0 ? {} : { title: textOf(title), text: rest.join('\t') };
  },
});

const googlePlayCsv = platformReader('google-play-csv', {
  amend: (row) => ({
    source_id:
      idOfLink(row.string('link')) ??
      `${row.string('package') ?? ''}:${row.string(isDamaged(row.string('date')) ? 'date_text' : 'date') ?? ''}`,
  }),
});

/**
 * The link leads into the console of the developer, so only its id is kept. Rows without one are told apart by
 * their time: several users, who have no names here, may rate on one day.
 */
function idOfLink(link: string | null): string | null {
  const id = /[?&#;:](?:reviewId|id)=([^&#]+)/i.exec(link ?? '')?.[1];
  try {
    return id === undefined ? null : decodeURIComponent(id);
  } catch {
    return id ?? null;
  }
}

const wordPress = platformReader('wordpress', {
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

const feefo = platformReader('feefo', {
  recognise: ({ service, products }) => isObject(service) || Array.isArray(products),
  split(item) {
    const products = Array.isArray(item['products']) ? item['products'].filter(isObject) : [];
    const parts = [item['service'], ...products].filter(isObject);
    // The customer may answer in the thread too.
    const parties = ['author', 'type', 'role', 'from'];
    const isReply = (entry: unknown) => !/customer|consumer/i.test(JSON.stringify(entry, parties));
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

/** In the order of docs/import.md. */
export const READERS: readonly Reader[] = [
  googleBusiness,
  googlePlaces,
  facebook,
  yelp,
  platformReader('trustpilot'),
  platformReader('trustpilot-csv'),
  platformReader('tripadvisor'),
  appStore,
  platformReader('app-store-feed'),
  googlePlay,
  googlePlayCsv,
  platformReader('judgeme'),
  platformReader('yotpo'),
  platformReader('woocommerce'),
  platformReader('woocommerce-csv'),
  wordPress,
  feefo,
  webPage,
];
