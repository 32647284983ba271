// `history`: what imports changed in a review, and when.

import { type Config, storeName } from '../../config.ts';
import { InputError, linesWithoutControls } from '../../errors.ts';
import { REVIEW_COLUMN_NAMES, type ReviewValues } from '../../model/review-columns.ts';
import { loadHistory, type ReviewHistory } from '../../store/reviews/history.ts';
import { parseId, unknownReview } from './remove.ts';
import { withDatabase } from '../store/store.ts';

type HistoryJson = ReturnType<typeof historyToJson>;

/** @throws {InputError} if no such review is stored. */
export async function showHistory(
  config: Config,
  given: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const id = parseId(given);
  const history = await withDatabase(config, ({ read }) => loadHistory(read, id));
  if (history === null) {
    throw new InputError(`${unknownReview(given).message} (${storeName(config.databaseUrl)})`);
  }
  const record = historyToJson(history);
  process.stdout.write(json ? `${JSON.stringify(record, null, 2)}\n` : renderHistory(record));
}

function historyToJson({ review, versions, hidden }: ReviewHistory) {
  const states: readonly ReviewValues[] = [...versions, review].map(valuesOf);
  const changes = versions.map(({ replaced_at }, index) => ({
    at: new Date(replaced_at).toISOString(),
    fields: changesBetween(states[index] as ReviewValues, states[index + 1] as ReviewValues),
  }));
  return { id: review.id, current: valuesOf(review), hidden, changes };
}

function valuesOf(row: ReviewValues): ReviewValues {
  return Object.fromEntries(
    REVIEW_COLUMN_NAMES.map((name) => [name, row[name]]),
  ) as unknown as ReviewValues;
}

function changesBetween(before: ReviewValues, after: ReviewValues) {
  return REVIEW_COLUMN_NAMES.flatMap((field) =>
    before[field] === after[field] ? [] : [{ field, before: before[field], after: after[field] }],
  );
}

function renderHistory({ id, current, hidden, changes }: HistoryJson): string {
  const { author, rating, date, source } = current;
  const lines = [`${id}  ${date}  ${rating} of 5  ${source}  ${author}`];
  if (current.verified === 0) lines.push('not published: not verified');
  if (hidden !== null) lines.push(`not published: hidden (${hidden})`);
  if (changes.length === 0) lines.push('no import has changed it');
  for (const { at, fields } of changes) {
    lines.push('', at);
    for (const { field, before, after } of fields) {
      lines.push(`  ${field}`, `    - ${shown(before)}`, `    + ${shown(after)}`);
    }
  }
  return `${linesWithoutControls(lines.join('\n'))}\n`;
}

function shown(value: string | number | null): string {
  return value === null ? '(none)' : String(value).replaceAll('\n', '\n      ');
}
