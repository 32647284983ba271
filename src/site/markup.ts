// How pages are written: HTML in tagged templates, in which every value is escaped.

import type { VNode } from 'preact';
import { html } from 'htm/preact';
import { renderToString } from 'preact-render-to-string';

export { html };

/** A piece of a page; null where there is nothing to show. */
export type Markup = VNode | readonly VNode[] | null;

/** Renders a whole page. */
export function renderMarkup(page: VNode): string {
  return `<!doctype html>\n${renderToString(page)}\n`;
}

/** One root of a template, as a component returns it. */
export function one(markup: VNode | VNode[]): VNode {
  return Array.isArray(markup) ? (markup[0] as VNode) : markup;
}
