// What is stored beside the fields of a review: how it was verified, and its title. And how authors are shown.

import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { ColumnTypes } from '../engine.ts';

export const verification = ({ text }: ColumnTypes): Migration => ({
  // oxlint-disable-next-line typescript/no-explicit-any -- migrations run on schemas of any version
  async up(db: Kysely<any>) {
    for (const column of ['verified_level', 'verified_at', 'title']) {
      await db.schema.alterTable('reviews').addColumn(column, text).execute();
    }
    await db.schema.alterTable('state').addColumn('authors', text).execute();
  },
});
