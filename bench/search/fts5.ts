// Fastify over SQLite's FTS5 with trigrams; shorter strings use LIKE.

import { fold } from '../../src/model/fold.ts';
import { afterCursor, conditionsOf, likeOf } from './conditions.ts';
import { readRows } from './rows.ts';
import { serveSearch } from './serve.ts';
import { SqliteReviews } from './sqlite.ts';

const SHORTEST = 3;

const reviews = new SqliteReviews(await readRows());
reviews.database.exec(`
  CREATE VIRTUAL TABLE texts USING fts5(folded, content='reviews', content_rowid='rowid', tokenize='trigram');
  INSERT INTO texts (texts) VALUES ('rebuild');
  INSERT INTO texts (texts) VALUES ('optimize')`);

await serveSearch((filter) => {
  const { query, limit } = filter;
  const others = conditionsOf(filter);
  const folded = query === undefined ? null : fold(query);
  const after = afterCursor(filter);
  if (folded === null || Array.from(folded).length < SHORTEST) {
    const conditions = [...others, ...(folded === null ? [] : [likeOf(folded)])];
    return {
      matched: reviews.count(conditions),
      reviews: reviews.page([...conditions, ...after], limit),
    };
  }
  const values = [`"${folded.replaceAll('"', '""')}"`];
  const match = { sql: 'rowid IN (SELECT rowid FROM texts WHERE texts MATCH ?)', values };
  return {
    // Without other conditions the full-text index alone gives the count.
    matched:
      others.length === 0
        ? reviews.count([{ sql: 'texts MATCH ?', values }], 'texts')
        : reviews.count([...others, match]),
    reviews: reviews.page([...others, match, ...after], limit),
  };
});
