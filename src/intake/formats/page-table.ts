// The largest table of a web page as CSV, a row of the table on each line.

import { createReadStream } from 'node:fs';
import { loadHtmlParser } from '../text/html-text.ts';
import { type OnRead, rawChunks } from '../text/text.ts';
import { csvLine } from './workbook.ts';

/** As `openSource` takes it, which also decodes it: until then a character is a byte, and a line end is `<br>`. */
export const PAGE_TABLE = { read: readPageTable, cellLineEnd: undefined } as const;

/** Whether a web page has a table, and no reviews for programs. */
export async function isPageTable(path: string): Promise<boolean> {
  let [hasTable, tail] = [false, ''];
  for await (const chunk of createReadStream(path, 'latin1') as AsyncIterable<string>) {
    tail = tail.slice(-20) + chunk;
    // Their reader says what to do with pages of Google Maps.
    if (/ld\+json|google\.[a-z.]+\/maps/i.test(tail)) return false;
    hasTable ||= /<table[\s>]/i.test(tail);
  }
  return hasTable;
}

async function* readPageTable(path: string, name: string, onRead: OnRead): AsyncGenerator<Buffer> {
  const { Parser } = loadHtmlParser();
  const tables: string[][][] = [];
  // What pictures say counts in cells without words, such as "4 stars".
  let [text, shown]: [string | null, string] = [null, ''];
  const parser = new Parser(
    {
      onopentag(tag, { 'aria-label': label, title, alt, datetime }) {
        if (tag === 'table') tables.push([]);
        if (tag === 'tr') tables.at(-1)?.push([]);
        if (/^t[dh]$/.test(tag)) [text, shown] = ['', ''];
        if (/^(?:br|p|div|li)$/.test(tag) && text) text += '<br>';
        shown += ` ${label ?? title ?? alt ?? datetime ?? ''}`;
      },
      ontext: (part) => void (text = text === null ? null : text + part.replaceAll(/\s+/g, ' ')),
      onclosetag(tag) {
        if (!/^t[dh]$/.test(tag) || text === null) return;
        tables
          .at(-1)
          ?.at(-1)
          ?.push(text.trim() || shown.trim());
        text = null;
      },
    },
    { decodeEntities: false },
  );
  for await (const chunk of rawChunks(path, name, onRead)) parser.write(chunk.toString('latin1'));
  parser.end();
  const lines = tables.map((table) => table.map(csvLine).join('\n'));
  const largest = lines.toSorted((one, other) => other.length - one.length)[0] ?? '';
  yield Buffer.from(largest, 'latin1');
}
