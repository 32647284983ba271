// Reviews of the Yelp Fusion API, which cuts texts.

import { platformReader } from './platform.ts';
import { textOf } from './values.ts';

export const yelp = platformReader('yelp', {
  recognise: ({ url }) => /^https?:\/\/[^/]*\byelp\./.test(textOf(url) ?? ''),
  amend(row) {
    if (/(?:\.\.\.|…)\s*$/.test(row.string('text') ?? '')) {
      row.notes.push('text is the excerpt that the API of Yelp gives');
    }
    return {};
  },
});
