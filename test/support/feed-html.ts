// Parses the HTML of feed entries like a browser.

import { createDocument } from '@mixmark-io/domino';

/** Elements that the feed generates. Any other would come from a review. */
const FEED_ELEMENTS = new Set(['P', 'BR', 'BLOCKQUOTE']);

/** Texts that a feed reader must not interpret as markup. */
export const HOSTILE_TEXTS: [what: string, text: string][] = [
  ['a picture', '<img src=x onerror=alert(1)>'],
  ['the end of CDATA', 'a]]><script>alert(1)</script>]]]]>>'],
  ['the end of a paragraph', '</p></blockquote><a href="javascript:alert(1)">x</a>'],
  ['escaped markup', '&lt;img src=x&gt; &amp;lt;b&amp;gt; &#60;script&#62; &nbsp;'],
  ['a comment', '<!-- a --> <![CDATA[ <b>b</b> ]]>'],
  ['quotes', `" onmouseover='x' "`],
];

function bodyOf(html: string): HTMLElement {
  return createDocument(`<!doctype html><body>${html}`).body;
}

/** The elements that the feed does not generate, as HTML. */
export function elementsOf(html: string): string[] {
  return [...bodyOf(html).querySelectorAll('*')]
    .filter(({ tagName, attributes }) => !FEED_ELEMENTS.has(tagName) || attributes.length > 0)
    .map(({ outerHTML }) => outerHTML);
}

/** The visible text without white space. */
export function shownBy(html: string): string {
  return asShown(bodyOf(html).textContent ?? '');
}

/** A text as `shownBy` returns it. */
export function asShown(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- feeds replace these
      .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      .replaceAll(/[\s\u0085]/g, '')
  );
}
