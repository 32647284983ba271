// The first rows of a file as an import by a mapping would store them.

import { formatIssue } from '../../errors.ts';
import { itemsOf, type Sample } from '../formats/sample.ts';
import { isAnswer, numbered } from '../formats/rows.ts';
import { toInitials } from '../../model/author-names.ts';
import { ANY_DATE, type Outcome, parseRecord } from '../record.ts';
import { itemMapper, openMapped } from './mapped-row.ts';
import type { Mapping } from './mapping.ts';

const ROWS = 3;
const SHOWN = 300;

export function firstRows(sample: Sample, mapping: Mapping, shortens = false): string[] {
  const isReview = (row: Outcome) =>
    !('leftOut' in row || ('record' in row && isAnswer(row.record)));
  const rows = outcomes(sample, mapping).filter(isReview);
  return rows.slice(0, ROWS).flatMap((row) => lines(row, shortens));
}

function outcomes(sample: Sample, mapping: Mapping): Outcome[] {
  const { shape, header, records } = sample;
  if (shape !== 'csv') return itemsOf(sample, mapping.list ?? '').map(itemMapper(mapping));
  const isHeadless = mapping.header === false;
  const read = openMapped(mapping)('', isHeadless ? numbered(header) : header);
  return [...(isHeadless ? [header] : []), ...records].map(read);
}

function lines(row: Outcome, shortens: boolean): string[] {
  if (!('record' in row)) return [`  refused: ${'refusal' in row ? row.refusal : ''}`];
  const options = { source: '-', verifiedBy: null, dates: ANY_DATE };
  const parsed = parseRecord(row.record, options, '');
  if (!parsed.ok) return [`  refused: ${parsed.issues.map(formatIssue).join('; ')}`];
  const { rating, date, author, title, text, owner_reply_text: reply, attributes } = parsed.value;
  const parts = Object.entries(JSON.parse(attributes ?? '{}') as Record<string, string>);
  const details = parts.map(([name, value]) => `${name}: ${value}`).join(' · ');
  const words = [text ?? title, reply && `reply: ${reply}`, details];
  return [
    `  ${'★'.repeat(rating)}${'☆'.repeat(5 - rating)} ${date} ${shortens ? toInitials(author) : author}`,
    ...words.flatMap((each) =>
      each
        ? shorten(each)
            .split('\n')
            .map((line) => `    ${line}`)
        : [],
    ),
  ];
}

/** Line ends of cells of a sheet are still one character each. */
function shorten(text: string): string {
  const whole = text.replaceAll('\u2028', '\n').replaceAll(/\n+/g, '\n');
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole;
}
