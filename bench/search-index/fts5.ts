// SQLite's FTS5 with trigrams, in memory, as an expert would write it: rows are numbered in the order of
// the answers, so nothing is sorted, and days are ranges of rows. Strings shorter than a trigram use LIKE.

import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { fold } from '../../src/model/fold.ts';
import type { Review } from '../../src/model/review.ts';
import type { SearchFilter } from '../../src/model/search.ts';
import { type Condition, likeOf, valuesOf, whereOf } from '../search/conditions.ts';
import { type Found, serveSide } from './side.ts';

const SHORTEST = 3;

/** Tables of reviews, by their condition on the text. */
const TABLES = {
  none: 'facts',
  short: 'facts JOIN texts USING (row)',
  long: 'grams JOIN facts ON facts.row = grams.rowid',
  /** For searches of only a text. */
  longAlone: 'grams',
} as const;

class Fts5 {
  readonly #database = new DatabaseSync(':memory:');
  readonly #statements = new Map<string, StatementSync>();
  readonly #length: number;

  constructor(reviews: readonly Review[]) {
    const database = this.#database;
    this.#length = reviews.length;
    database.exec(`
      CREATE TABLE facts (row INTEGER PRIMARY KEY, date TEXT NOT NULL, id TEXT NOT NULL,
        rating INTEGER NOT NULL, source TEXT NOT NULL);
      CREATE TABLE texts (row INTEGER PRIMARY KEY, folded TEXT);
      CREATE VIRTUAL TABLE grams USING fts5(folded, content='texts', content_rowid='row', tokenize='trigram');
      BEGIN`);
    const fact = database.prepare('INSERT INTO facts VALUES (?, ?, ?, ?, ?)');
    const text = database.prepare('INSERT INTO texts VALUES (?, ?)');
    reviews.forEach((review, position) => {
      const row = reviews.length - position;
      fact.run(row, review.date, review.id, review.rating, review.source);
      text.run(row, review.text === null ? null : fold(review.text));
    });
    database.exec(`
      COMMIT;
      CREATE INDEX dates ON facts (date, id);
      CREATE INDEX ratings ON facts (rating);
      CREATE INDEX sources ON facts (source, rating);
      INSERT INTO grams (grams) VALUES ('rebuild');
      INSERT INTO grams (grams) VALUES ('optimize');
      ANALYZE`);
  }

  get bytes(): number {
    const sizeOf = (pragma: string) =>
      Number(Object.values(this.#all(`PRAGMA ${pragma}`, [])[0] ?? {})[0]);
    return sizeOf('page_count') * sizeOf('page_size');
  }

  search(filter: SearchFilter): Found {
    const { query, rating, min_rating: minRating, source, limit } = filter;
    const folded = query === undefined ? null : fold(query);
    const one = (sql: string, value: SQLInputValue | undefined): Condition[] =>
      value === undefined ? [] : [{ sql, values: [value as string | number] }];
    const facts = [
      ...one('rating = ?', rating),
      ...one('rating >= ?', minRating),
      ...one('source = ?', source),
    ];
    const isShort = folded !== null && Array.from(folded).length < SHORTEST;
    const isLong = folded !== null && !isShort;
    const table = isLong
      ? facts.length === 0
        ? TABLES.longAlone
        : TABLES.long
      : isShort
        ? TABLES.short
        : TABLES.none;
    const row = isLong ? 'grams.rowid' : 'row';
    const conditions = [
      ...(isShort ? [likeOf(folded)] : []),
      ...(isLong ? one('grams MATCH ?', `"${folded.replaceAll('"', '""')}"`) : []),
      ...facts,
      ...this.#rows(row, filter),
    ];
    const counted = this.#all(
      `SELECT count(*) AS matched FROM ${table} ${whereOf(conditions)}`,
      valuesOf(conditions),
    );
    const paged = [...conditions, ...this.#after(row, filter)];
    const page = this.#all(
      `SELECT ${row} AS number FROM ${table} ${whereOf(paged)} ORDER BY ${row} DESC LIMIT ?`,
      [...valuesOf(paged), limit],
    );
    return {
      matched: Number(counted[0]?.['matched']),
      positions: page.map(({ number }) => this.#length - Number(number)),
    };
  }

  /** The rows of a range of days. */
  #rows(row: string, { since, until }: SearchFilter): Condition[] {
    const edge = (sql: string, date: string) => Number(this.#all(sql, [date])[0]?.['edge'] ?? 0);
    const conditions: Condition[] = [];
    if (since !== undefined) {
      const before = edge('SELECT max(row) AS edge FROM facts WHERE date < ?', since);
      conditions.push({ sql: `${row} > ?`, values: [before] });
    }
    if (until !== undefined) {
      const last = edge('SELECT max(row) AS edge FROM facts WHERE date <= ?', until);
      conditions.push({ sql: `${row} <= ?`, values: [last] });
    }
    return conditions;
  }

  #after(row: string, { cursor }: SearchFilter): Condition[] {
    if (!cursor) return [];
    const [next] = this.#all(
      'SELECT row FROM facts WHERE (date, id) < (?, ?) ORDER BY date DESC, id DESC LIMIT 1',
      [cursor.date, cursor.id],
    );
    return [{ sql: `${row} <= ?`, values: [Number(next?.['row'] ?? 0)] }];
  }

  #all(sql: string, values: readonly SQLInputValue[]): Record<string, unknown>[] {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement.all(...values);
  }
}

serveSide((reviews) => new Fts5(reviews));
