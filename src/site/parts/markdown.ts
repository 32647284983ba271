// Pages in Markdown: made of the same elements as in HTML, without what only leads through the site.

import { renderToString } from 'preact-render-to-string';
import Turndown from 'turndown';
import { shownMean } from '../../model/rating.ts';
import { markdownPath } from '../../model/routes.ts';
import type { View } from '../view.ts';
import type { Page } from './layout.ts';

/** The size of a part: under 4,000 tokens, and under 2,000 of the first page. */
const PART = 12_000;
const FIRST_PAGE_PART = 6_000;
/** An id of a review is about 20 tokens, as 86 characters of a sentence are. */
const SIZE_OF_ID = 60;

/** A page as it is asked for. */
interface Address {
  /** The path with its query, without a part. */
  readonly path: string;
  /** From 1; null is the whole page. */
  readonly part: number | null;
}

/** Renders a page, or a part of it, after its facts as YAML; null if it has no such part. */
export function renderMarkdown(page: Page, view: View, { path, part }: Address): string | null {
  const { business, origin, rating, language, snapshot } = view;
  const blocks = withoutEmptySections(blocksOf(CONVERTER.turndown(renderToString(page.main))));
  const length = path === '/' ? FIRST_PAGE_PART : PART;
  const parts = part === null ? [blocks.join('\n\n')] : split(blocks, length);
  const number = part ?? 1;
  const text = parts[number - 1];
  if (text === undefined) return null;
  const facts = {
    title: page.title,
    url: origin + path,
    business: business.name,
    rating: shownMean(rating),
    reviews: rating.review_count,
    newest_review: snapshot.insights.part('date_range').latest,
    language: page.isEnglish === true ? 'en' : language.tag,
    ...(parts.length === 1 ? {} : { part: `${number} of ${parts.length}` }),
    ...(number === parts.length ? {} : { next: origin + partLink(path, number + 1) }),
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join('')}---\n\n${text}\n`;
}

/** The address of a part of a page in Markdown. */
function partLink(path: string, part: number): string {
  const address = markdownPath(path);
  return `${address}${address.includes('?') ? '&' : '?'}part=${part}`;
}

/** Whether a link leads to another view of the same reviews, as crawlers are told too. */
function isOtherView(link: Element): boolean {
  return (
    link.getAttribute('rel') === 'nofollow' && link.getAttribute('href')?.startsWith('/') === true
  );
}

function isChoice({
  nodeName,
  firstElementChild: only,
  childElementCount: count,
}: Element): boolean {
  return nodeName === 'LI' && count === 1 && only !== null && isOtherView(only);
}

/** The label of stars, if their number is not written beside them. */
function starsIn(node: Element): string {
  const label = (node.nodeName.toLowerCase() === 'svg' && node.getAttribute('aria-label')) || '';
  const [number] = /^[\d.,]+/.exec(label) ?? [];
  const { previousElementSibling, nextElementSibling, nextSibling } = node;
  const beside = [previousElementSibling, nextElementSibling, nextSibling];
  return beside.some((one) => one?.textContent?.trim() === number) ? '' : ` ${label} `;
}

const CONVERTER = buildConverter();

function buildConverter(): Turndown {
  const converter = new Turndown({
    headingStyle: 'atx',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
    blankReplacement: (_content, node) =>
      starsIn(node) || ('isBlock' in node && node.isBlock === true ? '\n\n' : ''),
  });
  const escape = converter.escape.bind(converter);
  // A text of a stranger is never an element.
  converter.escape = (text) => escape(text).replaceAll('<', String.raw`\<`);
  const rule = (
    name: string,
    filter: (node: Element) => boolean,
    replacement: (content: string, node: Element) => string,
  ) =>
    converter.addRule(name, {
      filter: (node) => filter(node),
      replacement: (content, node) => replacement(content, node),
    });
  const named = (...names: string[]) => {
    const known = new Set(names);
    return ({ nodeName }: Element) => known.has(nodeName.toLowerCase());
  };
  const inTable = (content: string) =>
    content
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ')
      .replaceAll('|', String.raw`\|`);
  rule('cell', named('th', 'td'), (content) => ` ${inTable(content)} |`);
  rule('row', named('tr'), (content, row) => {
    const isHead = row.parentElement?.nodeName === 'THEAD';
    return `\n|${content}${isHead ? `\n|${' --- |'.repeat(row.children.length)}` : ''}`;
  });
  rule('rows', named('thead', 'tbody'), (content) => content);
  rule('table', named('table'), (content) => `\n\n${content.trim()}\n\n`);
  rule('quotation', named('q'), (content) => `“${content}”`);
  rule('item', named('li'), (content) => `- ${content.trim().replaceAll('\n', '\n  ')}\n`);
  rule('link', named('a'), (content, link) => {
    const text = content.trim().replaceAll(/\s+/g, ' ');
    const href = link.getAttribute('href');
    if (text === '' || href === null || href.startsWith('#')) return text;
    const isKnown = link.className === 'verified' || isOtherView(link);
    const gap = link.nextSibling?.nodeName === 'A' ? ' ' : '';
    return (isKnown ? text : `[${text}](${markdownPath(href)})`) + gap;
  });
  rule(
    'chips',
    (node) => node.className === 'chips',
    (content) => {
      const labels = content
        .trim()
        .split('\n')
        .map((item) => item.replace(/^- \[(.*)\]\(.*\)$/, '$1'));
      return `\n\n${labels.join(' · ')}\n\n`;
    },
  );
  rule('term', named('dt'), (content) => `\n\n**${content.trim()}**\n\n`);
  const dropped =
    'button, input, label, select, script, template, [aria-hidden="true"], .panel, .proof';
  rule(
    'dropped',
    (node) => node.matches(dropped) || isChoice(node),
    () => '',
  );
  // The title of a part that only small screens fold.
  rule(
    'title',
    (node) => node.nodeName === 'SUMMARY' && node.parentElement?.className !== '',
    () => '',
  );
  rule('navigation', named('nav', 'search'), (_content, node) => {
    const next = node.querySelector('a[rel="next"]');
    const link =
      next && `[${next.textContent?.trim()}](${markdownPath(next.getAttribute('href') ?? '')})`;
    return `\n\n${link ?? ''}\n\n`;
  });
  return converter;
}

/** The blocks of a text: paragraphs, headings, lists, tables, and whole blocks of code. */
function blocksOf(text: string): string[] {
  const blocks = text.match(/```[^]*?\n```|[^\n]+(?:\n[^\n]+)*/g) ?? [];
  return blocks.map((block) => block.trim()).filter((block) => block !== '');
}

/** How deep the heading is that a block is; null of other blocks. */
function levelOf(block: string | undefined): number | null {
  return /^(#+) /.exec(block ?? '')?.[1]?.length ?? null;
}

/** Removes headings without a text below them, whose content was navigation. */
function withoutEmptySections(blocks: readonly string[]): string[] {
  const kept: string[] = [];
  for (const block of blocks.toReversed()) {
    const level = levelOf(block);
    const below = kept.length === 0 ? 0 : (levelOf(kept.at(-1)) ?? Infinity);
    if (level === null || below > level) kept.push(block);
  }
  return kept.toReversed();
}

/** Joins blocks to parts of at most a size; a section that is smaller than half a part stays whole. */
function split(blocks: readonly string[], most: number): string[] {
  const parts: string[][] = [];
  let size = Infinity;
  const add = (piece: readonly string[]) => {
    const added = sizeOf(piece);
    if (size + added > most) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(...piece);
    size += added;
  };
  for (const section of sectionsOf(blocks)) {
    if (sizeOf(section) < most / 2) add(section);
    else {
      let piece: string[] = [];
      for (const block of section) {
        piece.push(block);
        if (levelOf(block) !== null) continue;
        add(piece);
        piece = [];
      }
    }
  }
  return parts.map((part) => part.join('\n\n'));
}

/** From each heading of a section or a review to the next one that is not right below. */
function sectionsOf(blocks: readonly string[]): string[][] {
  const sections: string[][] = [];
  for (const [at, block] of blocks.entries()) {
    const isBelow = levelOf(blocks[at - 1]) !== null;
    if (at === 0 || (!isBelow && (levelOf(block) ?? Infinity) <= 3)) sections.push([]);
    sections.at(-1)?.push(block);
  }
  return sections;
}

function sizeOf(blocks: readonly string[]): number {
  const text = blocks.join('\n\n');
  return text.length + SIZE_OF_ID * (text.match(/\b[0-9A-Z]{26}\b/g)?.length ?? 0);
}
