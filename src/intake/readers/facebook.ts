// Recommendations of a Facebook page: the `ratings` edge of the Graph API, or a download.

import { platformReader } from './platform.ts';
import type { JsonReader } from './reader.ts';
import { isObject, type JsonObject, memberAt, repaired, textOf } from './values.ts';

/**
 * A recommendation has no stars, and a published review needs a rating. Facebook asks "do you recommend it?",
 * yes or no, so the answer becomes the best or the worst rating. Reviews from before 2018 have stars.
 */
const RATING_OF_RECOMMENDATION = new Map(Object.entries({ positive: 5, negative: 1 }));

export const facebook = platformReader('facebook', {
  recognise: (item) =>
    ('created_time' in item && 'recommendation_type' in item) || isDownloaded(item),
  asks: (item) => !hasStars(asAnswered(item)),
  /** The page is who comments on most recommendations of others; nothing in the answer names it. */
  join(given) {
    const items = given.map(asAnswered);
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
    return items.map((item) => {
      const stars = RATING_OF_RECOMMENDATION.get(String(item['recommendation_type']).toLowerCase());
      return {
        ...item,
        recommended: stars === undefined ? null : stars === 5 ? 'yes' : 'no',
        stars: hasStars(item) ? item['rating'] : stars,
        reply: commentsOn(item).find(({ from }) => from === page)?.comment,
      };
    });
  },
  amend(row, { source_id: id }) {
    const as =
      row.at('recommended') === 'yes'
        ? 'recommended: published as 5 stars'
        : 'not recommended: published as 1 star';
    if (!(Number(row.at('given')) > 0)) row.notes.push(as);
    // Several people without a name may recommend on one day.
    return { source_id: id ?? (row.string('author') === null ? row.at('date') : null) };
  },
}) as JsonReader;

function hasStars({ rating }: JsonObject): boolean {
  return typeof rating === 'number' && rating > 0;
}

function isDownloaded(item: JsonObject): boolean {
  return 'timestamp' in item && isObject(memberAt(item, 'data.0.review'));
}

/** An item of a download as the Graph API would have answered. */
function asAnswered(item: JsonObject): JsonObject {
  if (!isDownloaded(item)) return item;
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
