// Orama with our English stemmer. A threshold of 1 means that any word matches.

import { create, insertMultiple, search } from '@orama/orama';
import { stemmer } from '@orama/stemmers/english';
import { serveWords } from './side.ts';

serveWords(async (texts) => {
  const database = create({
    schema: { text: 'string' } as const,
    components: { tokenizer: { language: 'english', stemming: true, stemmer, stopWords: [] } },
  });
  await insertMultiple(
    database,
    texts.map((text) => ({ text: text ?? '' })),
  );
  return (words) => {
    const found = search(database, { term: words.trim(), threshold: 1, limit: 20, exact: false });
    if (found instanceof Promise) throw new Error('Orama answers later');
    return found.count;
  };
});
