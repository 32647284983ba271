// Fastify over SQLite and LIKE.

import { fold } from '../../src/model/fold.ts';
import { afterCursor, conditionsOf, likeOf } from './conditions.ts';
import { readRows } from './rows.ts';
import { serveSearch } from './serve.ts';
import { SqliteReviews } from './sqlite.ts';

const reviews = new SqliteReviews(await readRows());

await serveSearch((filter) => {
  const { query, limit } = filter;
  const text = query === undefined ? [] : [likeOf(fold(query))];
  const conditions = [...conditionsOf(filter), ...text];
  return {
    matched: reviews.count(conditions),
    reviews: reviews.page([...conditions, ...afterCursor(filter)], limit),
  };
});
