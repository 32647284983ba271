// Earlier versions of reviews, and their other identities.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const history = ({ text, numbered }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('review_history')
      .addColumn('number', 'integer', numbered)
      .addColumn('review_id', text, (column) => column.notNull())
      .addColumn('replaced_at', 'bigint', (column) => column.notNull())
      .addColumn('source', text, (column) => column.notNull())
      .addColumn('author', text, (column) => column.notNull())
      .addColumn('author_avatar_url', text)
      .addColumn('rating', 'integer', (column) => column.notNull())
      .addColumn('date', text, (column) => column.notNull())
      .addColumn('title', text)
      .addColumn('text', text)
      .addColumn('source_url', text)
      .addColumn('owner_reply_text', text)
      .addColumn('owner_reply_date', text)
      .addColumn('verified', 'integer', (column) => column.notNull())
      .addColumn('verified_by', text)
      .addColumn('verified_level', text)
      .addColumn('verified_at', text)
      .execute();
    await db.schema
      .createIndex('review_history_by_review')
      .on('review_history')
      .column('review_id')
      .execute();
    await db.schema
      .createTable('review_identities')
      .addColumn('identity', text, (column) => column.primaryKey())
      .addColumn('review_id', text, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('review_identities_by_review')
      .on('review_identities')
      .column('review_id')
      .execute();
    await db.schema
      .createIndex('reviews_by_author')
      .on('reviews')
      .columns(['author', 'date'])
      .execute();
  },
});
