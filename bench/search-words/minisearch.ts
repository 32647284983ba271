// MiniSearch with our English stemmer.

import MiniSearch from 'minisearch';
import { stemmer } from '@orama/stemmers/english';
import { serveWords } from './side.ts';

serveWords((texts) => {
  const index = new MiniSearch({
    fields: ['text'],
    processTerm: (term) => stemmer(term.toLowerCase()),
  });
  index.addAll(texts.map((text, id) => ({ id, text: text ?? '' })));
  return (words) => {
    const found = index.search(words.trim());
    found.slice(0, 20);
    return found.length;
  };
});
