// Recommendations of a Facebook page: the `ratings` edge of the Graph API.

import { show } from '../../errors.ts';
import type { JsonReader } from './reader.ts';
import {
  isObject,
  type ItemReading,
  type JsonObject,
  memberAt,
  repaired,
  textOf,
} from './values.ts';

/**
 * A recommendation has no stars, and a published review needs a rating. Facebook asks "do you recommend it?",
 * yes or no, so the answer becomes the best or the worst rating. Reviews from before 2018 have stars.
 */
const RATING_OF_RECOMMENDATION: Readonly<Record<string, number>> = { positive: 5, negative: 1 };
const DOWNLOADED = ['page_recommendations', 'page_reviews_received_v2', 'page_reviews_v2'];

export const facebook: JsonReader = {
  kind: 'json',
  name: 'facebook',
  title: 'recommendations of a Facebook page',
  lists: ['data', 'ratings.data', '', 'recommendations', 'reviews', ...DOWNLOADED],
  recognise: (item) =>
    ('created_time' in item && 'recommendation_type' in item) || isDownloaded(item),
  /** The page is who comments on most recommendations of others; nothing in the answer names it. */
  join(given) {
    const items = given.map((item) => (isDownloaded(item) ? asAnswered(item) : item));
    const counts = new Map<unknown, number>();
    for (const item of items) {
      const others = new Set(commentsOn(item).map(({ from }) => from));
      // A download says "Ann recommends Rose Inn."
      const isNamed = (from: unknown) => textOf(item['title'])?.includes(String(from)) === true;
      for (const from of others)
        counts.set(from, (counts.get(from) ?? 0) + (isNamed(from) ? items.length : 1));
    }
    const [most, next] = [...counts].toSorted(([, one], [, other]) => other - one);
    const page = most && most[1] > (next?.[1] ?? 0) ? most[0] : null;
    return items.map((item) => ({
      ...item,
      reply: commentsOn(item).find(({ from }) => from === page)?.comment,
    }));
  },
  read(row) {
    const author = row.string('reviewer.name');
    return {
      source: 'facebook',
      // Several people without a name may recommend on one day.
      source_id: row.at('open_graph_story.id') ?? (author === null ? row.at('created_time') : null),
      author: author ?? 'A Facebook user',
      rating: starsIn(row),
      date: row.date('created_time'),
      text: row.at('review_text'),
      attributes: recommendationOf(row),
      owner_reply: row.reply(row.at('reply.message'), row.date('reply.created_time')),
    };
  },
};
function isDownloaded(item: JsonObject): boolean {
  return 'timestamp' in item && isObject(memberAt(item, 'data.0.review'));
}

function asAnswered(item: JsonObject): JsonObject {
  const review = memberAt(item, 'data.0.review') as JsonObject;
  const timeOf = (seconds: unknown) =>
    typeof seconds === 'number' ? new Date(seconds * 1000).toISOString() : null;
  const comments = Array.isArray(item['comments']) ? item['comments'].filter(isObject) : [];
  const [, name] =
    /^(.+?) (?:recommends|doesn\S+ recommend|empfiehlt|recommande|ne recommande|recomienda|no recomienda|gave|reviewed|hat) /u.exec(
      textOf(repaired(item['title'])) ?? '',
    ) ?? [];
  return {
    ...review,
    title: item['title'],
    created_time: timeOf(item['timestamp']),
    reviewer: { name: item['author'] ?? review['author'] ?? textOf(review['reviewer']) ?? name },
    rating: memberAt(review, 'rating.value') ?? review['rating'],
    review_text: review['text'] ?? review['review_text'] ?? review['review'],
    recommendation_type: review['recommendation_type'] ?? review['recommendation'],
    comments: {
      data: comments.map(({ author, comment, text, timestamp }) => ({
        from: { name: author },
        message: comment ?? text,
        created_time: timeOf(timestamp),
      })),
    },
  };
}

function commentsOn(item: JsonObject): { from: unknown; comment: JsonObject }[] {
  const paths = ['open_graph_story.comments.data', 'comments.data'];
  const comments = paths.map((path) => memberAt(item, path)).find(Array.isArray) ?? [];
  const idOf = (value: unknown) => memberAt(value, 'id') ?? memberAt(value, 'name');
  return comments.filter(isObject).flatMap((comment) => {
    const from = idOf(comment['from']);
    return from === undefined || from === idOf(item['reviewer']) ? [] : [{ from, comment }];
  });
}

function recommendationOf(row: ItemReading): Record<string, string> | null {
  const stars = RATING_OF_RECOMMENDATION[row.string('recommendation_type')?.toLowerCase() ?? ''];
  return stars === undefined ? null : { recommended: stars === 5 ? 'yes' : 'no' };
}

function starsIn(row: ItemReading): number | null {
  const rating = row.at('rating');
  if (typeof rating === 'number' && rating > 0) return row.stars('rating');
  const recommendation = row.string('recommendation_type')?.toLowerCase() ?? '';
  const stars = RATING_OF_RECOMMENDATION[recommendation] ?? null;
  if (stars === null) {
    const got = show(row.at('recommendation_type'));
    row.problems.push(`recommendation_type: expected "positive" or "negative", got ${got}`);
  } else {
    row.notes.push(
      stars === 5 ? 'recommended: published as 5 stars' : 'not recommended: published as 1 star',
    );
  }
  return stars;
}
