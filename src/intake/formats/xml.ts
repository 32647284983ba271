// XML as JSON: an element is a member of the one around it, elements that repeat are a list, and objects stay in their
// lines. The parser knows no entities but those of XML, and loads nothing.

import { InputError } from '../../errors.ts';
import { loadHtmlParser } from '../text/html-text.ts';
import { type OnRead, rawChunks, wholeOf } from '../text/text.ts';
import { MAX_DEPTH } from './json.ts';

interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parts: (Element | string)[];
}

/** Whether a text is XML that is no web page. */
export function isXml(start: string, name: string): boolean {
  const isNamed = /\.xml$/i.test(name) && /^\ufeff?\s*</.test(start);
  const isMarked = isNamed || /^[\ufeff\ufffd]*\s*<(?:\?xml|rss|feed)\b/i.test(start);
  return isMarked && !/<html\b/i.test(start);
}

/** As `openSource` takes it. */
export const XML = { read: readXml, cellLineEnd: undefined } as const;

async function* readXml(path: string, name: string, onRead: OnRead): AsyncGenerator<Buffer> {
  const bytes = await wholeOf(name, rawChunks(path, name, onRead));
  let line = 1;
  const json = JSON.stringify(valueOf(...parse(name, decode(name, bytes))));
  const placed = json.replaceAll(/\{"\\u0000":(\d+),?/g, (_, wanted) => {
    const missing = Math.max(0, Number(wanted) - line);
    line += missing;
    return `${'\n'.repeat(missing)}{`;
  });
  yield Buffer.from(placed);
}

function decode(name: string, bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 200);
  const [, declared = 'utf-8'] = /^[^>]*\bencoding\s*=\s*["']([\w.-]+)/.exec(start) ?? [];
  const marked = { '\xff\xfe': 'utf-16le', '\xfe\xff': 'utf-16be' }[start.slice(0, 2)];
  try {
    return new TextDecoder(marked ?? declared, { fatal: true }).decode(bytes);
  } catch (cause) {
    const what = `expected XML in ${marked ?? declared}, got other bytes; export it again`;
    throw new InputError(`${name}: ${what}`, { cause });
  }
}

/**
 * The outermost element, and the elements that are lists, as "item/comment": those that repeat anywhere.
 *
 * @throws {InputError} if it is cut off, or nested too deep.
 */
function parse(name: string, xml: string): [root: Element, lists: ReadonlySet<string>] {
  const { Parser } = loadHtmlParser();
  const top: Element = { name: '', line: 1, attributes: {}, parts: [] };
  const lists = new Set<string>();
  const open = [top];
  let [line, counted, isClosed] = [1, 0, true];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        for (; counted < parser.startIndex; counted++) if (xml[counted] === '\n') line += 1;
        if (open.length >= MAX_DEPTH) {
          const what = `expected XML that is nested at most ${MAX_DEPTH} levels deep`;
          throw new InputError(`${name}:${line}: ${what}`);
        }
        const element = { name: keyOf(tag), line, attributes, parts: [] };
        const around = open.at(-1) ?? top;
        const last = around.parts.findLast((part) => typeof part !== 'string');
        if (last?.name === element.name || ROWS.test(element.name))
          lists.add(`${around.name}/${element.name}`);
        around.parts.push(element);
        open.push(element);
      },
      ontext: (text) => void (open.at(-1) ?? top).parts.push(text),
      onclosetag(_, isImplied) {
        // `<br/>` closes itself.
        isClosed &&= !isImplied || xml[parser.endIndex - 1] === '/';
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const [root] = elementsOf(top);
  if (root && isClosed) return [root, lists];
  throw new InputError(`${name}: expected complete XML, got a part of it; export it again`);
}

/** `content` of `content:encoded` in RSS, else the name without its prefix. */
function keyOf(tag: string): string {
  const [prefix = tag, local = prefix] = tag.split(':');
  return (local === 'encoded' ? prefix : local).replaceAll('.', '_');
}

const ROWS = /^(?:item|entry|row|record|review|comment|feedback|testimonial|\w+meta)$/i;

const INLINE = /^(?:br|p|div|li|ul|ol|b|i|em|strong|span|a|u|small|h[1-6]|blockquote)$/i;

function elementsOf({ parts }: Element): Element[] {
  return parts.filter((part) => typeof part !== 'string');
}

function textIn({ parts }: Element): string {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    return INLINE.test(part.name)
      ? `${/^(?:br|p|div|li)$/i.test(part.name) ? '\n' : ''}${textIn(part)}`
      : '';
  });
  return texts.join('').trim();
}

/** A text, the entries of an element that is a list, or the members of another with its line as U+0000. */
function valueOf(element: Element, lists: ReadonlySet<string>, isRow = false): unknown {
  const { name, attributes, line } = element;
  const children = elementsOf(element).filter((child) => !INLINE.test(child.name));
  const text = textIn(element);
  // `<review author="Ann" stars="5">Lovely</review>`
  if (children.length === 0 && !(isRow && Object.keys(attributes).length > 1)) return text;
  const first = children[0]?.name ?? '';
  const isList = (key: string) => lists.has(`${name}/${key}`);
  const isOne =
    Object.keys(attributes).every((key) => key.startsWith('xmlns')) &&
    first !== '' &&
    children.every((child) => child.name === first);
  if (isOne && (children.length > 1 || name.toLowerCase().startsWith(first.toLowerCase())))
    return children.map((child) => valueOf(child, lists, isList(first)));
  const named = new Map<string, unknown[]>();
  const add = (key: string, value: unknown) => {
    if (!named.get(key)?.push(value)) named.set(key, [value]);
  };
  for (const [key, value] of Object.entries(attributes)) add(keyOf(key), value);
  if (text !== '') add('text', text);
  for (const child of children) {
    const value = valueOf(child, lists, isList(child.name));
    add(child.name, value);
    // What a text says of itself, such as its language, is beside it.
    const own = typeof value === 'string' ? Object.entries(child.attributes) : [];
    for (const [key, each] of own) add(`${child.name}_${keyOf(key)}`, each);
  }
  const members = [...named].map(([key, all]) => {
    const isMany = all.length > 1 || (isList(key) && typeof all[0] === 'object');
    return [key, isMany ? all : all[0]] as const;
  });
  return Object.fromEntries([['\0', line], ...members]);
}
