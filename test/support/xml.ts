// A strict XML parser that returns a tree, to check the rules of feeds.

import { SaxesParser } from 'saxes';

export interface XmlElement {
  /** With the namespace in braces. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** The text content. */
  text: string;
}

/** @throws if a document is not well-formed XML 1.0 with namespaces */
export function parseXml(document: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const element: XmlElement = {
      name: `{${uri}}${local}`,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { value }]) => [name, value]),
      ),
      children: [],
      text: '',
    };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => {
    for (const element of open) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => void open.pop());
  parser.write(document).close();
  return root.children[0]!;
}
