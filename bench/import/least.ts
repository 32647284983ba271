// Run by node with a database file, a file of reviews and its format: the minimum for an import. A library parses
// the file, and one transaction writes each row into a table with a key. Prints what it took as JSON.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { JSONParser } from '@streamparser/json';
import { parse } from 'csv-parse';
import type { Fields, Format } from './formats.ts';

const [path, file, format] = process.argv.slice(2) as [string, string, Format];
const INSERT = 'insert into reviews values (?, ?, ?, ?, ?, ?)';

const database = new DatabaseSync(path);
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec(
  'create table reviews (id text primary key, author text, rating text, date text, source text, text text)',
);
database.exec('begin');
const insert = database.prepare(INSERT);
for await (const one of read()) {
  insert.run(one.source_id, one.author, String(one.rating), one.date, one.source, one.text ?? '');
}
database.exec('commit');
database.close();
const { user, system } = process.cpuUsage();
const took = { maxRss: process.resourceUsage().maxRSS, cpuMs: Math.round((user + system) / 1000) };
process.stdout.write(JSON.stringify(took));

async function* read(): AsyncGenerator<Fields> {
  const bytes = createReadStream(file);
  if (format === 'ndjson') {
    for await (const line of createInterface(bytes)) yield JSON.parse(line) as Fields;
  } else if (format === 'csv') {
    yield* bytes.pipe(parse({ columns: true })) as AsyncIterable<Fields>;
  } else {
    yield* readTakeout(bytes);
  }
}

interface TakeoutReview {
  readonly reviewer: { readonly displayName: string };
  readonly starRating: string;
  readonly comment: string;
  readonly createTime: string;
  readonly name: string;
}

async function* readTakeout(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Fields> {
  let ready: Fields[] = [];
  const parser = new JSONParser({ paths: ['$.reviews.*'], keepStack: false });
  parser.onValue = ({ value }) => {
    const { name, reviewer, starRating, createTime, comment } = value as unknown as TakeoutReview;
    ready.push({
      source_id: name,
      author: reviewer.displayName,
      rating: starRating,
      date: createTime,
      source: 'google',
      text: comment,
    });
  };
  for await (const chunk of bytes) {
    parser.write(chunk);
    yield* ready;
    ready = [];
  }
}
