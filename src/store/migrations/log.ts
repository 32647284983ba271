// The tables of the transparency log, and of the logs that this store's witness cosigns.

import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
type AnyDatabase = Kysely<any>;

export const log = ({ text, bytes }: ColumnTypes): Migration => ({
  async up(db: AnyDatabase) {
    await db.schema
      .createTable('log_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('example', 'integer', (column) => column.notNull())
      .execute();
    await sql`insert into log_state values (1, 0, 0)`.execute(db);
    await db.schema
      .createTable('log_bundles')
      .addColumn('number', 'integer', (column) => column.primaryKey())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('entries', bytes, (column) => column.notNull())
      .addColumn('hashes', bytes, (column) => column.notNull())
      .addColumn('root', bytes)
      .execute();
    await db.schema
      .createTable('log_reviews')
      .addColumn('review_id', text, (column) => column.primaryKey())
      .addColumn('salt', text)
      .addColumn('first', 'integer', (column) => column.notNull())
      .addColumn('last', 'integer', (column) => column.notNull())
      .addColumn('reason', text)
      .execute();
    await db.schema
      .createTable('log_cosignatures')
      .addColumn('witness', text, (column) => column.primaryKey())
      .addColumn('size', 'integer', (column) => column.notNull())
      .addColumn('root', text, (column) => column.notNull())
      .addColumn('lines', text, (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('witnessed_logs')
      .addColumn('origin', text, (column) => column.primaryKey())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('root', text, (column) => column.notNull())
      .execute();
  },
});
