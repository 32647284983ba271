// A fragment of HTML as the text that a browser shows.

import { loadHtmlParser } from './html-parser.ts';

/** Elements that begin a new line. */
const BLOCKS = new Set([
  'p',
  'div',
  'br',
  'li',
  'ul',
  'ol',
  'blockquote',
  'h1',
  'h2',
  'h3',
  'h4',
  'tr',
]);
const HIDDEN = new Set(['script', 'style', 'template']);

export function htmlToText(html: string): string {
  let text = '';
  let hidden = 0;
  const { Parser } = loadHtmlParser();
  const parser = new Parser({
    onopentagname(name) {
      if (HIDDEN.has(name)) hidden += 1;
      if (BLOCKS.has(name)) text += '\n';
    },
    ontext(part) {
      if (hidden === 0) text += part;
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      if (BLOCKS.has(name) && name !== 'br') text += '\n';
    },
  });
  parser.end(html);
  return tidyText(text);
}

/** Without indentation and other white space that a browser does not show. */
export function tidyText(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
