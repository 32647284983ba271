// ZIP files and workbooks for tests, also such as no honest program writes.

import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** The type and permissions of Unix; a link has 0o120777. */
  readonly mode?: number;
  /** The size that the entry claims to have. */
  readonly claimed?: number;
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644, claimed } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed ?? bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 3]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), made, common, tail, title]));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}

/** A cell: a text, a number, or a number that is shown as a date. */
export type Cell = string | number | { readonly date: number } | null;

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** A workbook as Excel writes it, with shared texts; every second text is in its cell instead. */
/** `second`: the XML of the second sheet, which is called "Older". */
export function workbook(
  rows: readonly (readonly Cell[])[],
  { sheet = '', second = '<worksheet/>' } = {},
): Buffer {
  const shared: string[] = [];
  const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const cell = (value: Cell, at: string, index: number): string => {
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
    if (typeof value === 'object') return `<c r="${at}" s="1"><v>${value.date}</v></c>`;
    const text = escape(value);
    if (index % 2 === 1) return `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;
    shared.push(
      `<si><r><t>${text.slice(0, 3)}</t></r><r><t>${text.slice(3)}</t></r><rPh><t>x</t></rPh></si>`,
    );
    return `<c r="${at}" t="s"><v>${shared.length - 1}</v></c>`;
  };
  const lines = rows.map((cells, row) => {
    const inner = cells.map((value, column) =>
      cell(value, `${String.fromCharCode(65 + column)}${row + 1}`, column),
    );
    return inner.join('') === '' ? '' : `<row r="${row + 1}">${inner.join('')}</row>`;
  });
  const body = sheet || `${HEAD}<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`;
  return zip([
    {
      name: 'xl/workbook.xml',
      content: `${HEAD}<workbook><workbookPr/><sheets><sheet name="Older" r:id="r2"/></sheets></workbook>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${HEAD}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    },
    { name: 'xl/sharedStrings.xml', content: `${HEAD}<sst>${shared.join('')}</sst>` },
    { name: 'xl/worksheets/sheet1.xml', content: body },
    { name: 'xl/worksheets/sheet2.xml', content: second },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${HEAD}<Relationships><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>`,
    },
  ]);
}
