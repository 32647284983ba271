// The temporary tables of an import, which only its own connection sees.

import type { SchemaModule } from 'kysely';
import { dateOfDay, dayNumber } from '../../model/date.ts';
import { REVIEW_COLUMN_NAMES, REVIEW_COLUMNS } from '../../model/review-columns.ts';
import { NEAR_DAYS } from './near-duplicates.ts';
import type { ImportedReview, StagedRow } from '../reviews/review-rows.ts';

export async function createStagingTables(schema: SchemaModule): Promise<void> {
  for (const table of ['staged_reviews', 'staged_identities', 'known_reviews']) {
    await schema.dropTable(table).ifExists().execute();
  }
  let table = schema
    .createTable('staged_reviews')
    .temporary()
    .addColumn('sequence', 'integer', (column) => column.primaryKey())
    .addColumn('is_copy', 'integer');
  for (const column of ['id', 'identity', 'unplaced', 'near_from', 'near_to']) {
    table = table.addColumn(column, 'text');
  }
  for (const column of REVIEW_COLUMN_NAMES) {
    table = table.addColumn(column, REVIEW_COLUMNS[column].type);
  }
  await table.execute();
  await schema
    .createTable('staged_identities')
    .temporary()
    .addColumn('identity', 'text', (column) => column.primaryKey())
    .addColumn('sequence', 'integer')
    .execute();
  await schema
    .createTable('known_reviews')
    .temporary()
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('changed', 'integer')
    .addColumn('verified', 'integer')
    .execute();
}

export function stagedRow(row: ImportedReview, sequence: number): StagedRow {
  const day = dayNumber(row.date);
  return {
    sequence,
    ...row,
    is_copy: 0,
    near_from: dateOfDay(day - NEAR_DAYS),
    near_to: dateOfDay(day + NEAR_DAYS),
  };
}
