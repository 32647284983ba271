// A fragment of HTML as the text that a browser shows.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded when markup is read: it takes 30 ms and 16 MB that imports of CSV and JSON do not need. */
export function loadHtmlParser(): typeof import('htmlparser2') {
  return require('htmlparser2') as typeof import('htmlparser2');
}

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

/** Shops and sites export line breaks as HTML. */
export function withoutTags(text: string): string {
  return /<(?:br|p)\s*\/?>/i.test(text) ? (htmlToText(text) ?? text) : text;
}

/** A value with its texts as they are meant where "&" is written as "&amp;"; addresses, ids, and texts with a bare "&" stay. */
export function withoutEntities<T>(given: T): T {
  const value = typeof given === 'string' ? (withoutTags(given) as T) : given;
  if (typeof value === 'string' && value.includes('&') && !/\s&\s/.test(value)) {
    let text = '';
    const { Parser } = loadHtmlParser();
    new Parser({ ontext: (part) => void (text += part) }).end(value.replaceAll('<', '&lt;'));
    return text as T;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const decoded = Object.entries(value).map(([key, member]: [string, unknown]) =>
    /(?:_url|id)$/.test(key) ? [key, member] : [key, withoutEntities(member)],
  );
  return Object.fromEntries(decoded) as T;
}
