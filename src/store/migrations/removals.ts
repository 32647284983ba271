// The list of removed reviews that imports leave out, and the hidden reviews.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const removals = ({ text }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('suppressions')
      .addColumn('digest', text, (column) => column.primaryKey())
      .execute();
    await db.schema
      .createTable('hidden_reviews')
      .addColumn('review_id', text, (column) => column.primaryKey())
      .addColumn('reason', text, (column) => column.notNull())
      .execute();
  },
});
