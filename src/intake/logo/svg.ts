// Parses SVG files strictly, and writes them again with what is allowed only: no scripts, no event handlers,
// no references outside the file, no entities.

import { SaxesParser, type SaxesTagNS } from 'saxes';
import { escapeXml } from '../../model/xml.ts';
import { type CleanLogo, LogoProblem } from './problem.ts';
import { ATTRIBUTES, ELEMENTS, TEXTS } from './svg-names.ts';
import { cleanStyleSheet, isSafeValue, localUrls } from './svg-values.ts';

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const MAX_DEPTH = 64;
/** Elements that a renderer draws, those that are referred to counted as often as they are. */
const MAX_DRAWN = 20_000;
/** Elements from one to the next that it contains or refers to. */
const MAX_CHAIN = 256;
const LOCAL_LINK = /^#([\w.:-]+)$/;
const LENGTH = /^\s*(\d*\.?\d+)(?:px|pt|pc|mm|cm|in)?\s*$/;
/** What drawing programs add for themselves: leaving it out needs no note. */
const EDITOR_DATA = /^(?:metadata|RDF|namedview|.*:.*)$/;

interface Element {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: (Element | string)[];
}

/** @throws {LogoProblem} */
export function cleanSvg(file: Uint8Array): CleanLogo {
  const { root, removed } = parse(decode(file));
  const { width, height } = setSize(root);
  assertDrawable(root);
  const notes = [];
  if (removed.size > 0) notes.push(`left out of the SVG: ${[...removed].join(', ')}`);
  if (hasElement(root, 'text')) {
    notes.push(
      'its text is drawn in the fonts of each reader: convert it to paths to keep its look',
    );
  }
  return { bytes: Buffer.from(`${render(root)}\n`), width, height, notes };
}

function decode(file: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw new LogoProblem('an SVG that is not in UTF-8');
  }
}

/** The allowed elements, and the names of what was left out. */
function parse(text: string): { root: Element; removed: ReadonlySet<string> } {
  const parser = new SaxesParser({ xmlns: true });
  const removed = new Set<string>();
  const open: Element[] = [];
  let root: Element | null = null;
  /** Depth within an element that is left out; 0 outside. */
  let skipped = 0;
  parser.on('error', ({ message }) => {
    throw new LogoProblem(`an SVG that is not well-formed XML: line ${message}`);
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) {
      throw new LogoProblem('an SVG that declares entities: save it as "plain" or "optimized" SVG');
    }
  });
  parser.on('opentag', (tag) => {
    if (root === null && (tag.local !== 'svg' || tag.uri !== SVG)) {
      throw new LogoProblem(`XML that starts with <${tag.name}> instead of <svg xmlns="${SVG}">`);
    }
    if (open.length + skipped >= MAX_DEPTH) {
      throw new LogoProblem(`an SVG that is nested more than ${MAX_DEPTH} levels deep`);
    }
    if (skipped > 0 || tag.uri !== SVG || !ELEMENTS.has(tag.local)) {
      if (skipped === 0 && !EDITOR_DATA.test(tag.name)) removed.add(`<${tag.local}>`);
      skipped += 1;
      return;
    }
    const attributes = cleanAttributes(tag, removed);
    const element: Element = { name: tag.local, attributes, children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const onText = (piece: string) => {
    const parent = open.at(-1);
    if (skipped === 0 && parent && TEXTS.has(parent.name)) parent.children.push(piece);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    if (skipped > 0) skipped -= 1;
    else cleanStyle(open.pop() as Element, removed);
  });
  parser.write(text).close();
  return { root: root as unknown as Element, removed };
}

function cleanAttributes(tag: SaxesTagNS, removed: Set<string>): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const { name, uri, prefix, local, value } of Object.values(tag.attributes)) {
    if (prefix === 'xmlns' || name === 'xmlns') continue;
    if (local === 'href' && (uri === '' || uri === XLINK)) {
      if (LOCAL_LINK.test(value.trim())) attributes.set('href', value.trim());
      else removed.add(`${name} of <${tag.local}>`);
    } else if (uri === XML && local === 'space') {
      attributes.set('xml:space', value);
    } else if (uri === '' && ATTRIBUTES.has(local) && isSafeValue(value)) {
      attributes.set(local, value);
    } else if (uri === '' && !/^data-|^aria-|^role$|^focusable$/.test(local)) {
      removed.add(`${name} of <${tag.local}>`);
    }
  }
  return attributes;
}

/** Replaces the text of a style element. */
function cleanStyle({ name, children }: Element, removed: Set<string>): void {
  if (name !== 'style') return;
  const text = children.filter((child) => typeof child === 'string').join('');
  const clean = cleanStyleSheet(text);
  if (clean === null) removed.add('a style sheet');
  children.splice(0, children.length, clean ?? '');
}

/** The ratio of the sides. Adds a viewBox, without which the picture could not be scaled. */
function setSize({ attributes }: Element): { width: number; height: number } {
  const lengthOf = (name: string) => {
    const length = Number(LENGTH.exec(attributes.get(name) ?? '')?.[1] ?? 0);
    if (length === 0) attributes.delete(name);
    return length;
  };
  const [width, height] = [lengthOf('width'), lengthOf('height')];
  const box = (attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth = 0, boxHeight = 0] = box;
  if (box.length === 4 && box.every(Number.isFinite) && boxWidth > 0 && boxHeight > 0) {
    return { width: boxWidth, height: boxHeight };
  }
  if (width === 0 || height === 0) {
    throw new LogoProblem('an SVG with neither a viewBox nor a width and height');
  }
  attributes.set('viewBox', `0 0 ${width} ${height}`);
  return { width, height };
}

/**
 * Counts what a renderer draws: an element that is referred to ten times is drawn ten times, and so on within it.
 *
 * @throws {LogoProblem} if it is too much, or endless.
 */
function assertDrawable(root: Element): void {
  const byId = new Map<string, Element>();
  const counts = new Map<Element, number>();
  const collect = (element: Element) => {
    const id = element.attributes.get('id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    elementsOf(element).forEach(collect);
  };
  collect(root);
  const count = (element: Element, chain = 1): number => {
    if (chain > MAX_CHAIN) {
      throw new LogoProblem(
        'an SVG whose elements refer to each other in a chain that is too long',
      );
    }
    const known = counts.get(element);
    if (known !== undefined) return known;
    // What refers to itself is drawn without end.
    counts.set(element, Infinity);
    const targets = referencesOf(element).flatMap((id) => byId.get(id) ?? []);
    const drawn = [...elementsOf(element), ...targets].reduce(
      (sum, each) => sum + count(each, chain + 1),
      1,
    );
    counts.set(element, drawn);
    return drawn;
  };
  const drawn = count(root);
  if (drawn === Infinity) throw new LogoProblem('an SVG in which an element refers to itself');
  if (drawn > MAX_DRAWN) {
    throw new LogoProblem(
      `an SVG of ${drawn.toLocaleString('en')} elements, where ${MAX_DRAWN.toLocaleString('en')} are the most`,
    );
  }
}

function elementsOf({ children }: Element): Element[] {
  return children.filter((child) => typeof child !== 'string');
}

/** The ids that the attributes of an element refer to. */
function referencesOf({ attributes }: Element): string[] {
  return [...attributes].flatMap(([name, value]) =>
    name === 'href' ? [value.slice(1)] : localUrls(value),
  );
}

function hasElement(element: Element, name: string): boolean {
  return element.name === name || elementsOf(element).some((child) => hasElement(child, name));
}

function render({ name, attributes, children }: Element, isRoot = true): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escapeXml(value)}"`).join('');
  const start = `<${name}${isRoot ? ` xmlns="${SVG}"` : ''}${written}`;
  if (children.length === 0) return `${start}/>`;
  const content = children.map((child) =>
    typeof child === 'string' ? escapeXml(child) : render(child, false),
  );
  return `${start}>${content.join('')}</${name}>`;
}
