// lunr with its own English stemmer, without its list of stop words.

import lunr from 'lunr';
import { serveWords } from './side.ts';

serveWords((texts) => {
  const index = lunr(function build(this: lunr.Builder) {
    this.field('text');
    this.pipeline.remove(lunr.stopWordFilter);
    texts.forEach((text, id) => this.add({ id: String(id), text: text ?? '' }));
  });
  return (words) => {
    const found = index.search(words.trim());
    found.slice(0, 20);
    return found.length;
  };
});
