// SQLite's FTS5 with Porter's stemmer, in memory.

import { DatabaseSync } from 'node:sqlite';
import { serveWords } from './side.ts';

serveWords((texts) => {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61'); BEGIN");
  const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  texts.forEach((text, index) => insert.run(index + 1, text));
  database.exec("COMMIT; INSERT INTO texts (texts) VALUES ('optimize')");
  const counted = database.prepare('SELECT count(*) AS matched FROM texts WHERE texts MATCH ?');
  const page = database.prepare(
    'SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 20',
  );
  return (words) => {
    const match = words
      .trim()
      .split(' ')
      .map((word) => `"${word}"`)
      .join(' OR ');
    page.all(match);
    return Number(counted.get(match)?.['matched']);
  };
});
