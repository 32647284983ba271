// What a language model proposed for reviews.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const proposals = ({ text }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('proposals')
      .addColumn('key', text, (column) => column.primaryKey())
      .addColumn('proposer', text, (column) => column.notNull())
      .addColumn('claims', text)
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('is_published', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', text)
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .execute();
  },
});
