// A filter as SQL conditions with `?` for each value, without the text, which each database matches in
// its own way.

import type { SearchFilter } from '../../src/model/search.ts';

export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** All conditions except those of the text and the cursor. */
export function conditionsOf(filter: SearchFilter): Condition[] {
  const { rating, min_rating: minRating, since, until, source } = filter;
  const { mentions_technician: technician, mentions_service: service } = filter;
  const one = (sql: string, value: string | number | undefined): Condition[] =>
    value === undefined ? [] : [{ sql, values: [value] }];
  const mentions = 'id IN (SELECT review FROM mentions WHERE kind = ? AND name = ?)';
  return [
    ...one('rating = ?', rating),
    ...one('rating >= ?', minRating),
    ...one('date >= ?', since),
    ...one('date <= ?', until),
    ...one('source = ?', source),
    ...(technician === undefined ? [] : [{ sql: mentions, values: ['technician', technician] }]),
    ...(service === undefined ? [] : [{ sql: mentions, values: ['service', service] }]),
  ];
}

/** Rows after the cursor, newest first. */
export function afterCursor({ cursor }: SearchFilter): Condition[] {
  return cursor ? [{ sql: '(date, id) < (?, ?)', values: [cursor.date, cursor.id] }] : [];
}

/** `LIKE` with escaped wildcards. */
export function likeOf(text: string): Condition {
  const literal = text.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return { sql: String.raw`folded LIKE ? ESCAPE '\'`, values: [`%${literal}%`] };
}

export function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
}

export function valuesOf(conditions: readonly Condition[]): (string | number)[] {
  return conditions.flatMap(({ values }) => values);
}
