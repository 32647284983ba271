// How pages are written: HTML in tagged templates, in which every value is escaped.

import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A piece of a page; null where there is nothing to show. */
export type Markup = VNode | readonly VNode[] | null;

type Build = (strings: readonly string[], ...values: readonly unknown[]) => VNode;

// Its types are those of its CommonJS form.
const build = (htm as unknown as { bind(create: typeof h): Build }).bind(h);
const prepared = new WeakMap<readonly string[], readonly string[]>();

/** Builds one element. A line break in a template is a space, as it is in HTML. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): VNode {
  let lines = prepared.get(strings);
  if (!lines) {
    // The builder, like JSX, would take a line break for nothing, and join the words beside it.
    const last = strings.length - 1;
    lines = strings.map((string, place) => {
      const line = string.replaceAll(/\s*\n\s*/g, ' ');
      const begun = place === 0 ? line.trimStart() : line;
      return place === last ? begun.trimEnd() : begun;
    });
    prepared.set(strings, lines);
  }
  return build(lines, ...values);
}

/** Renders a whole page. */
export function renderMarkup(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}
