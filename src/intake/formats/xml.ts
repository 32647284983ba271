// XML as JSON: an element is a member of the one around it, elements that repeat are a list, and objects stay in their
// lines. The parser knows no entities but those of XML, and loads nothing.

import { createReadStream } from 'node:fs';
import { InputError } from '../../errors.ts';
import { loadHtmlParser } from '../text/html-text.ts';
import { type OnRead, unreadable } from '../text/text.ts';
import { MAX_DEPTH } from './json.ts';

/** Bytes of a file, which is in memory while it is read. */
const LONGEST = 64 * 1024 * 1024;

interface Element {
  readonly name: string;
  readonly line: number;
  text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

/** Whether a text is XML that is no web page. The feed of the App Store has a reader that says where its JSON is. */
export function isXml(start: string): boolean {
  const isMarked = /^[\ufeff\ufffd]*\s*<(?:\?xml|rss|feed)\b/i.test(start);
  return isMarked && !/<html\b|itunes\.apple\.com/i.test(start);
}

/** As `openSource` takes it. */
export const XML = { read: readXml, cellLineEnd: undefined } as const;

async function* readXml(path: string, name: string, onRead: OnRead): AsyncGenerator<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  const file = createReadStream(path).on('error', () => undefined);
  try {
    for await (const chunk of file as AsyncIterable<Buffer>) {
      read.push(chunk);
      onRead(chunk.length);
      if ((length += chunk.length) > LONGEST)
        throw new InputError(`${name}: expected at most 64 MiB of XML, got more; export less`);
    }
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(name, error);
  }
  let line = 1;
  const json = JSON.stringify(valueOf(parse(name, decode(name, Buffer.concat(read)))));
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

/** @throws {InputError} if it is cut off, or nested too deep. */
function parse(name: string, xml: string): Element {
  const { Parser } = loadHtmlParser();
  const top: Element = { name: '', line: 1, text: '', attributes: {}, children: [] };
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
        const element = { name: keyOf(tag), line, text: '', attributes, children: [] };
        open.at(-1)?.children.push(element);
        open.push(element);
      },
      ontext: (text) => void ((open.at(-1) ?? top).text += text),
      onclosetag(_, isImplied) {
        isClosed &&= !isImplied;
        open.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const [root] = top.children;
  if (root && isClosed) return root;
  throw new InputError(`${name}: expected complete XML, got a part of it; export it again`);
}

/** `content` of `content:encoded` in RSS, else the name without its prefix. */
function keyOf(tag: string): string {
  const [prefix = tag, local = prefix] = tag.split(':');
  return (local === 'encoded' ? prefix : local).replaceAll('.', '_');
}

/** A text, the entries of an element that is a list, or the members of another with its line as U+0000. */
function valueOf({ name, attributes, children, line, text }: Element): unknown {
  const first = children[0]?.name;
  if (first === undefined) return text.trim();
  const isOne = children.every((child) => child.name === first);
  if (isOne && (children.length > 1 || name.toLowerCase().startsWith(first.toLowerCase())))
    return children.map(valueOf);
  const named = new Map<string, unknown[]>();
  const add = (key: string, value: unknown) => {
    if (!named.get(key)?.push(value)) named.set(key, [value]);
  };
  for (const [key, value] of Object.entries(attributes)) add(keyOf(key), value);
  for (const child of children) {
    add(child.name, valueOf(child));
    // What a text says of itself, such as its language, is beside it.
    const own = child.children.length > 0 ? [] : Object.entries(child.attributes);
    for (const [key, value] of own) add(`${child.name}_${keyOf(key)}`, value);
  }
  const members = [...named].map(([key, all]) => [key, all.length > 1 ? all : all[0]] as const);
  return Object.fromEntries([['\0', line], ...members]);
}
