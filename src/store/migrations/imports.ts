// The records of imports.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const imports = ({ text, numbered }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('imports')
      .addColumn('number', 'integer', numbered)
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('command', text, (column) => column.notNull())
      .addColumn('operator', text, (column) => column.notNull())
      .addColumn('report', text, (column) => column.notNull())
      .addColumn('error', text)
      .addColumn('content_version', 'integer')
      .addColumn('published_at', 'bigint')
      .addColumn('publish_error', text)
      .execute();
  },
});
