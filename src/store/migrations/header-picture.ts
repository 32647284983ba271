// The picture at the top of the first page.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const headerPicture = ({ bytes }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema.alterTable('business').addColumn('header', bytes).execute();
  },
});
