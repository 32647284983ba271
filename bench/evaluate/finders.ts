// The search engines whose first reviews are compared, as one would set each up in a few lines.

import { DatabaseSync } from 'node:sqlite';
import { create, insertMultiple, search as searchOrama } from '@orama/orama';
import { stemmer } from '@orama/stemmers/english';
import MiniSearch from 'minisearch';
import { fold } from '../../src/model/fold.ts';
import { WordQuery } from '../../src/model/word-query.ts';
import { splitWords } from '../../src/model/words.ts';
import { buildSnapshot, type Corpus } from './search-corpora.ts';

/** The positions of the first reviews that a search finds, best first. */
export type Finder = (words: string) => readonly number[];

/** How many of the first reviews are judged. */
export const FIRST = 10;

/** Our search is the first. */
export async function findersOver(corpus: Corpus): Promise<Readonly<Record<string, Finder>>> {
  const snapshot = await buildSnapshot(corpus);
  const texts = corpus.reviews.map(({ text }) => text ?? '');
  return {
    'ours, words': (words) =>
      snapshot.search({ words: WordQuery.parse(words), limit: FIRST }).positions,
    'ours, query': (query) => snapshot.search({ query, limit: FIRST }).positions,
    'FTS5, all words': overFts5(texts, ' '),
    'FTS5, any word': overFts5(texts, ' OR '),
    MiniSearch: overMiniSearch(texts),
    Orama: overOrama(texts),
  };
}

function overFts5(texts: readonly string[], operator: string): Finder {
  const database = new DatabaseSync(':memory:');
  database.exec("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize='porter unicode61')");
  const insert = database.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  texts.forEach((text, position) => insert.run(position + 1, text));
  const query = database.prepare(
    'SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?',
  );
  return (words) => {
    const match = splitWords(fold(words)).map(({ word }) => `"${word}"`);
    return query.all(match.join(operator), FIRST).map((row) => Number(row['rowid']) - 1);
  };
}

/** With prefixes and tolerance of errors, as its documentation shows. */
function overMiniSearch(texts: readonly string[]): Finder {
  const index = new MiniSearch({
    fields: ['text'],
    searchOptions: { prefix: true, fuzzy: 0.2 },
  });
  index.addAll(texts.map((text, id) => ({ id, text })));
  return (words) =>
    index
      .search(words)
      .slice(0, FIRST)
      .map(({ id }) => id as number);
}

/** With its English stemmer and one tolerated error. */
function overOrama(texts: readonly string[]): Finder {
  const database = create({
    schema: { text: 'string' } as const,
    components: { tokenizer: { language: 'english', stemming: true, stemmer } },
  });
  const inserted = insertMultiple(
    database,
    texts.map((text, id) => ({ id: String(id), text })),
  );
  if (inserted instanceof Promise) throw new Error('Orama inserts later');
  return (words) => {
    const found = searchOrama(database, { term: words, limit: FIRST, tolerance: 1 });
    if (found instanceof Promise) throw new Error('Orama answers later');
    return found.hits.map(({ id }) => Number(id));
  };
}
