// The state of the sources that are kept in step.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const sources = ({ text }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('sources')
      .addColumn('name', text, (column) => column.primaryKey())
      .addColumn('seen', text)
      .addColumn('checked_at', 'bigint')
      .addColumn('succeeded_at', 'bigint')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('error', text)
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('claimed_by', text)
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .execute();
  },
});
