// HTML in tagged templates. Every value is escaped.

import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** Part of a page, or null for nothing. */
export type Markup = VNode | readonly VNode[] | null;

type Build = (strings: readonly string[], ...values: readonly unknown[]) => VNode;

// htm's types describe its CommonJS export.
const build = (htm as unknown as { bind(create: typeof h): Build }).bind(h);
const prepared = new WeakMap<readonly string[], readonly string[]>();

/** Builds one element. As in HTML, a line break in a template counts as a space. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): VNode {
  let lines = prepared.get(strings);
  if (!lines) {
    // htm, like JSX, drops line breaks and would join the words around them.
    const last = strings.length - 1;
    lines = strings.map((string, index) => {
      const line = string.replaceAll(/\s*\n\s*/g, ' ');
      const trimmed = index === 0 ? line.trimStart() : line;
      return index === last ? trimmed.trimEnd() : trimmed;
    });
    prepared.set(strings, lines);
  }
  return build(lines, ...values);
}

/** Elements by the names of their places in a text; each gets the words of its place. */
type Places = Readonly<Record<string, (words: string) => Markup | string>>;

const PLACE = /<(\w+)(?:\/>|>(.*?)<\/\1>)/g;

/** A text of `src/strings` with elements in its places: `<a>words</a>` or `<name/>`. */
export function rich(text: string, places: Places): VNode {
  const pieces: unknown[] = [];
  let end = 0;
  for (const { 0: whole, 1: name = '', 2: words = '', index } of text.matchAll(PLACE)) {
    const place = places[name];
    if (!place) throw new Error(`the text "${text}" has a place <${name}> that nothing fills`);
    pieces.push(text.slice(end, index), place(words));
    end = index + whole.length;
  }
  return html`${[...pieces, text.slice(end)]}`;
}

/** Renders a whole page. */
export function renderMarkup(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
