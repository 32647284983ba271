// The mark of a removal whose texts may still be in the files of the store.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const erasures = ({ text }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    await db.schema.alterTable('state').addColumn('erasing_version', 'integer').execute();
    await db.schema.alterTable('state').addColumn('forgotten', text).execute();
  },
});
