// The reviews in an in-memory node:sqlite: a table with an index of the order, and mentions.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Condition, valuesOf, whereOf } from './conditions.ts';
import type { Row } from './rows.ts';
import type { Found } from './serve.ts';

export class SqliteReviews {
  readonly database = new DatabaseSync(':memory:');
  readonly #statements = new Map<string, StatementSync>();

  constructor(rows: readonly Row[]) {
    this.database.exec(`
      CREATE TABLE reviews (id TEXT PRIMARY KEY, date TEXT NOT NULL, rating INTEGER NOT NULL,
        source TEXT NOT NULL, folded TEXT, json TEXT NOT NULL);
      CREATE TABLE mentions (kind TEXT, name TEXT, review TEXT, PRIMARY KEY (kind, name, review)) WITHOUT ROWID;
      BEGIN`);
    const review = this.database.prepare('INSERT INTO reviews VALUES (?, ?, ?, ?, ?, ?)');
    const mention = this.database.prepare('INSERT INTO mentions VALUES (?, ?, ?)');
    for (const { review: one, folded, technicians, services } of rows) {
      review.run(one.id, one.date, one.rating, one.source, folded, JSON.stringify(one));
      for (const name of technicians) mention.run('technician', name, one.id);
      for (const name of services) mention.run('service', name, one.id);
    }
    this.database.exec(`
      COMMIT;
      CREATE INDEX newest ON reviews (date DESC, id DESC);
      ANALYZE`);
  }

  count(conditions: readonly Condition[], table = 'reviews'): number {
    const sql = `SELECT count(*) AS matched FROM ${table} ${whereOf(conditions)}`;
    return Number(this.#prepare(sql).get(...valuesOf(conditions))?.['matched']);
  }

  page(conditions: readonly Condition[], limit: number): Found['reviews'] {
    const sql = `SELECT json FROM reviews ${whereOf(conditions)} ORDER BY date DESC, id DESC LIMIT ?`;
    const rows = this.#prepare(sql).all(...valuesOf(conditions), limit);
    return rows.map(({ json }) => String(json));
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
