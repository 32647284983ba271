// What the exports of app stores have beside their columns: App Store Connect, and the API and the monthly reports of
// Google Play.

import { platformReader } from './platform.ts';
import { type JsonObject, memberAt, textOf } from './values.ts';

export const appStore = platformReader('app-store', {
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
export const googlePlay = platformReader('google-play', {
  amend(_, { text }) {
    const [title = '', ...rest] = typeof text === 'string' ? text.split('\t') : [];
    return rest.length === 0 ? {} : { title: textOf(title), text: rest.join('\t') };
  },
});

export const googlePlayCsv = platformReader('google-play-csv', {
  amend: (row) => ({
    source_id:
      idOfLink(row.string('link')) ?? `${row.string('package') ?? ''}:${row.string('date') ?? ''}`,
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
