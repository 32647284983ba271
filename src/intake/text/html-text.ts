// A fragment of HTML as the text that a browser shows.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded when markup is read: it takes 30 ms and 16 MB that imports of CSV and JSON do not need. */
export function loadHtmlParser(): typeof import('htmlparser2') {
  return require('htmlparser2') as typeof import('htmlparser2');
}

/** Elements that begin a new line. */
const BLOCKS = new Set('p div br li ul ol blockquote h1 h2 h3 h4 tr'.split(' '));
const HIDDEN = new Set(['script', 'style', 'template']);
/** Elements that may be nested. The parser takes time that grows with the square of the depth. */
export const MAX_HTML_DEPTH = 512;
/** UTF-16 units after which the depth is checked. */
const PIECE = 4096;

/** Null if the elements are nested too deep. */
export function htmlToText(html: string): string | null {
  let text = '';
  let hidden = 0;
  let depth = 0;
  const { Parser } = loadHtmlParser();
  const parser = new Parser({
    onopentagname(name) {
      depth += 1;
      if (HIDDEN.has(name)) hidden += 1;
      if (BLOCKS.has(name)) text += '\n';
    },
    ontext(part) {
      if (hidden === 0) text += part;
    },
    onclosetag(name) {
      depth -= 1;
      if (HIDDEN.has(name)) hidden -= 1;
      if (BLOCKS.has(name) && name !== 'br') text += '\n';
    },
  });
  for (let at = 0; at < html.length; at += PIECE) {
    parser.write(html.slice(at, at + PIECE));
    if (depth > MAX_HTML_DEPTH) return null;
  }
  parser.end();
  return tidyText(text);
}

/** Without indentation and other white space that a browser does not show. */
function tidyText(text: string): string {
  return text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** A text without markup whose "&" is written as "&amp;", as it is meant. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  const parts: string[] = [];
  const { Parser } = loadHtmlParser();
  const parser = new Parser({ ontext: (part) => void parts.push(part) }, { decodeEntities: true });
  parser.end(text.replaceAll('<', '&lt;'));
  return parts.join('');
}

/** The strings of a record, of its reply and of its attributes without entities; addresses stay as they are. */
export function decodedWords(record: unknown): unknown {
  if (typeof record === 'string') return withoutEntities(record);
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      /(?:_url|id)$/.test(key) ? value : decodedWords(value),
    ]),
  );
}
