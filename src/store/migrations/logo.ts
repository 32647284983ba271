// The logo of the business, and the icon that is made from it.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const logo = ({ bytes }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema.alterTable('business').addColumn('logo', bytes).execute();
    await db.schema.alterTable('business').addColumn('icon', bytes).execute();
  },
});
