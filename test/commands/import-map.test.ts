// `import --map`: the mapping that it writes reads the file that it looked at.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runImportMap } from '../../src/commands/import/import-map.ts';
import { InputError } from '../../src/errors.ts';
import { mappingSchema } from '../../src/intake/mapping/mapping.ts';
import { chooseBySample, parseFormatChoice } from '../../src/intake/formats/recognise.ts';
import { parseSample } from '../../src/intake/formats/sample.ts';
import { readFormat } from '../support/formats.ts';
import type { Json } from '../support/http.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Proposes a mapping of a file, answers what it leaves open, and reads the file by it. */
async function map(
  name: string,
  content: string | Uint8Array,
  answers: object = {},
  given: { source?: string; verifiedBy?: string } = {},
): Promise<{ said: string; proposed: Json; rows: unknown }> {
  const file = join(folder, name);
  await writeFile(file, content);
  const output = new PassThrough();
  const said = text(output);
  try {
    await runImportMap({ files: [file], folder, output, ...given });
  } finally {
    output.end();
  }
  const path = file.replace(/\.\w+$/, '.mapping.json');
  const proposed = JSON.parse(await readFile(path, 'utf8'));
  if (/"\?"/.test(JSON.stringify(proposed))) {
    await expect(parseFormatChoice(path)).rejects.toThrow(InputError);
  }
  await writeFile(path, JSON.stringify({ ...proposed, ...answers }));
  const { rows } = await readFormat(file, await parseFormatChoice(path));
  return { said: await said, proposed, rows };
}

const BOOKINGS = `Nº;Gast;Bewertung;Datum;Kommentar;Status
1;Jürgen;4,5;03.02.2024;"Sehr schön; gerne wieder";veröffentlicht
2;Anne;2;28.02.2024;Laut;abgelehnt
3;Zoë;5;01.03.2024;;veröffentlicht
`;

test('a German export of a booking system is proposed, and read with two answers', async () => {
  const { said, proposed, rows } = await map(
    'Export Februar.csv',
    Buffer.from(BOOKINGS, 'latin1'),
    { only: { Status: ['veröffentlicht'] }, constants: { source: 'our booking system' } },
    { verifiedBy: 'stay in our books' },
  );
  expect(proposed).toEqual({
    columns: { rating: 'Bewertung', date: 'Datum', text: 'Kommentar', author: 'Gast' },
    date_format: 'dd.MM.yyyy',
    decimal: ',',
    only: { Status: ['?'] },
    constants: { source: '?', verified_by: 'stay in our books' },
  });
  expect(rows).toMatchObject([
    {
      line: 2,
      record: { author: 'Jürgen', rating: 5, date: '2024-02-03', source: 'our booking system' },
    },
    { line: 3, leftOut: 'Status is "abgelehnt"' },
    { line: 4, record: { author: 'Zoë', rating: 5, text: null } },
  ]);
  expect(said).toContain('rating             Bewertung  4,5 | 2 | 5');
  expect(said).toContain(
    'only: which values of "Status" are published ("veröffentlicht", "abgelehnt"); remove it to read all',
  );
  expect(said).toContain('--dry-run');
});

test('nested JSON is mapped by paths; words and days that are unclear are left open', async () => {
  const review = (name: string, mark: string, when: string) => ({
    guest: { name },
    mark: { rating: mark },
    when: { date: when },
    comment: 'Nice',
    source: 'phone',
  });
  const content = {
    page: 1,
    result: { items: [review('A', 'good', '02/03/2024'), review('B', 'bad', '04/03/2024')] },
  };
  const { said, proposed, rows } = await map('stays.json', JSON.stringify(content), {
    date_format: 'dd/MM/yyyy',
    rating_values: { good: 5, bad: 2 },
  });
  expect(proposed).toEqual({
    list: 'result.items',
    columns: {
      rating: 'mark.rating',
      date: 'when.date',
      text: 'comment',
      author: 'guest.name',
      source: 'source',
    },
    date_format: '?',
    rating_values: { good: '?', bad: '?' },
  });
  expect(said).toContain(
    'date_format: how is the date "02/03/2024" written (dd/MM/yyyy, MM/dd/yyyy)',
  );
  expect(rows).toMatchObject([
    { record: { author: 'A', rating: 5, date: '2024-03-02', source: 'phone' } },
    { record: { author: 'B', rating: 2, date: '2024-03-04' } },
  ]);
});

test('a clear file leaves nothing open; no mapping is replaced, and no other file is mapped', async () => {
  const clear = 'Reviewer,Stars,Created,Body,Platform\nA,4,2024-03-25,Hi,google\n';
  const { said, proposed } = await map('clear.csv', clear);
  expect(proposed).toEqual({
    columns: {
      rating: 'Stars',
      date: 'Created',
      text: 'Body',
      author: 'Reviewer',
      source: 'Platform',
    },
    date_format: 'yyyy-MM-dd',
  });
  expect(said).not.toContain('edit it');
  await expect(map('clear.csv', clear)).rejects.toThrow(
    /clear\.mapping\.json: expected no such file\. Nothing was written/,
  );
  await expect(map('text.csv', 'hello\n')).rejects.toThrow(
    'expected CSV, JSON or NDJSON with at least three columns',
  );
  await expect(map('site.csv', clear, {}, { source: ' ' })).rejects.toThrow('--source');
});

test('the ends of a scale of ten are left open, and options answer theirs', async () => {
  const content = 'name,score,date,text\nA,9,2024-03-25,Hi\nB,3,2024-03-26,Ho\n';
  const scale = { rating_scale: { min: 1, max: 10 } };
  const given = { source: 'surveys', verifiedBy: 'invoice' };
  const { proposed, rows } = await map('ten.csv', content, scale, given);
  expect(proposed).toMatchObject({
    rating_scale: { min: '?', max: '?' },
    constants: { source: 'surveys', verified_by: 'invoice' },
  });
  expect(rows).toMatchObject([{ record: { rating: 5 } }, { record: { rating: 2 } }]);
});

const SURVEY = `Wann,Wer,Punkte,Was,Noch etwas
2024-03-25,Ada Lang,5,"Sehr freundlich, und gut erklärt.",nein
2024-03-26,Bo,4,Gut.,nein
2024-03-27,Cy,5,Wir kommen gerne wieder.,ja
2024-03-28,Di,5,Alles bestens gelaufen.,ja
`;

test('the words are left open if no column is named after them, and may be none', async () => {
  const { said, proposed, rows } = await map('survey.csv', SURVEY, {
    columns: { author: 'Wer', rating: 'Punkte', date: 'Wann', text: 'Was' },
    constants: { source: 'survey' },
  });
  expect(said).toMatch(
    /columns\.text: which column has the words of the review \(Was: Sehr .*; remove it if these reviews have no words\n/,
  );
  expect(said).toContain("columns.author: which column has the reviewer's name (");
  expect(proposed.columns).toEqual({ author: '?', rating: '?', date: 'Wann', text: '?' });
  expect(rows).toMatchObject([
    { record: { text: 'Sehr freundlich, und gut erklärt.' } },
    {},
    {},
    { record: { text: 'Alles bestens gelaufen.' } },
  ]);
});

test('scores and kinds named "Response" are no replies, and a column holds one field', async () => {
  const content = `Name,Date,Response,Response Type,Feedback
A,2024-03-25,5,completed,Very good work
B,2024-03-26,4,partial,Good work
C,2024-03-27,5,completed,Very fine work
D,2024-03-28,5,completed,They came at once
`;
  const columns = { author: 'Name', date: 'Date', rating: 'Response', text: 'Feedback' };
  const constants = { source: 'survey' };
  const { said, proposed } = await map('hubspot.csv', content, { columns, constants });
  expect(said).toMatch(/columns\.rating: which column has the rating \(Response: 5/);
  expect(proposed.columns).toEqual({ ...columns, rating: '?' });
});

test('an import by a mapping without the words names the columns that look like them', () => {
  const remarkOn = (columns: object) =>
    chooseBySample({ name: 'survey.csv', path: 'survey.csv' }, parseSample(SURVEY), {
      kind: 'mapping',
      mapping: mappingSchema.parse({ columns }),
    }).remark;
  const columns = { author: 'Wer', rating: 'Punkte', date: 'Wann' };
  expect(remarkOn(columns)).toBe(
    'the mapping has no "text", so these reviews have no words; if they are in "Was", ' +
      'add it to "columns" as "text" and import again',
  );
  expect(remarkOn({ ...columns, text: 'Was' })).toBe(null);
});
