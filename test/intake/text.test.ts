import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSource, RECORD_LIMIT } from '../../src/intake/text/text.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a file with these bytes to its end: what comes out, or the message of its refusal. */
async function read(
  content: string | Uint8Array,
): Promise<{ chunks: Buffer[]; bytes: number; found: string }> {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const source = openSource(path, (count) => (bytes += count));
  for await (const chunk of source.chunks) chunks.push(chunk);
  return { chunks, bytes, found: source.encoding() };
}

/** Latin letters and the euro sign in Windows-1252. */
function windows1252(text: string): Buffer {
  return Buffer.from(text.replaceAll('€', '\u0080'), 'latin1');
}

async function refusalOf(content: string | Uint8Array): Promise<string> {
  const message = await read(content).then(
    () => 'none',
    (error: Error) => `${error.name} ${error.message}`,
  );
  return message.replaceAll(join(folder, ''), '');
}

describe('a file', () => {
  test('is read unchanged, and its bytes are counted', async () => {
    const { chunks, bytes } = await read('a\nü\n');
    expect(Buffer.concat(chunks).toString()).toBe('a\nü\n');
    expect(bytes).toBe(5);
  });

  test('may have characters of several bytes at the ends of chunks', async () => {
    for (const shift of ['', 'x', 'xx', 'xxx']) {
      const text = `${shift}${'😀'.repeat(400_000)}\n${shift}${'é€'.repeat(10)}`;
      const { chunks } = await read(text);
      expect(chunks.map(String).join('')).toBe(text);
    }
  });

  test('is read in chunks that end where lines end, except in a line over the limit', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n} ä`).join('\n');
    const { chunks } = await read(lines);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks.slice(0, -1).every((chunk) => chunk.at(-1) === 0x0a)).toBe(true);
    const long = await read('x'.repeat(5 * RECORD_LIMIT));
    expect(Math.max(...long.chunks.map((chunk) => chunk.length))).toBeLessThan(2 * RECORD_LIMIT);
  });

  test('is read without a byte order mark at its start, and only there', async () => {
    const { chunks } = await read('\ufeffa\n\ufeffb');
    expect(Buffer.concat(chunks).toString()).toBe('a\n\ufeffb');
  });

  const WORDS = 'author,text\nZoë,"Très bon café, 5 €"\n';
  const UTF16 = Buffer.from(WORDS, 'utf16le');
  const mark = Buffer.from([0xff, 0xfe]);
  test.each([
    ['UTF-16 with a mark', 'utf-16le', Buffer.concat([mark, UTF16])],
    ['UTF-16, big endian, with a mark', 'utf-16be', Buffer.concat([mark, UTF16]).swap16()],
    ['Windows-1252', 'windows-1252', windows1252(WORDS)],
    ['UTF-8', 'utf-8', Buffer.from(WORDS)],
  ])('in %s is read, and its encoding is known', async (_, encoding, bytes) => {
    const { chunks, found } = await read(bytes);
    expect(Buffer.concat(chunks).toString()).toBe(WORDS);
    expect(found).toBe(encoding);
  });

  test.each([
    ['little', 'utf-16le', (bytes: Buffer) => bytes],
    ['big', 'utf-16be', (bytes: Buffer) => bytes.swap16()],
  ])(
    'in UTF-16, %s endian, is known by its mark alone if no byte is zero',
    async (_, encoding, order) => {
      const { chunks, found } = await read(
        order(Buffer.from('\ufeff修理は早くて丁寧でした', 'utf16le')),
      );
      expect(Buffer.concat(chunks).toString()).toBe('修理は早くて丁寧でした');
      expect(found).toBe(encoding);
    },
  );

  test('in Windows-1252 may begin with megabytes of ASCII', async () => {
    const text = `${'a line of ASCII\n'.repeat(60_000)}${WORDS}`;
    const { chunks, found } = await read(windows1252(text));
    expect(Buffer.concat(chunks).toString()).toBe(text);
    expect(found).toBe('windows-1252');
  });

  test.each([
    [
      'UTF-16 cut inside a character',
      Buffer.concat([mark, Buffer.from('a\n😀', 'utf16le')]).subarray(0, -2),
      ':2: expected text in UTF-16, got other bytes; export it again, or save it as UTF-8 in a text editor',
    ],
    [
      'JSON in Windows-1252, which the standard forbids',
      windows1252('[{"a":"é"}]'),
      ':1: expected text in UTF-8, got other bytes; export it again, or save it as UTF-8 in a text editor',
    ],
    [
      'a byte that Windows-1252 does not define',
      Buffer.from([0x61, 0x0a, 0xe9, 0x81]),
      ':2: expected text in UTF-8, got other bytes; export it again, or save it as UTF-8 in a text editor',
    ],
    [
      'UTF-8 cut inside its only character',
      Buffer.from('caf\u00e9').subarray(0, -1),
      ':1: expected text in UTF-8, got other bytes; export it again, or save it as UTF-8 in a text editor',
    ],
  ])('with %s is refused', async (_, bytes, message) => {
    expect(await refusalOf(bytes)).toBe(`InputError /file${message}`);
  });

  test.each([1, 2, 30_000, 59_999, 60_000])(
    'with bytes that are not UTF-8 in line %i is refused with that line',
    async (line) => {
      const lines = Array.from({ length: 60_000 }, (_, n) => `line ${n + 1} ä`);
      lines[line - 1] = 'café';
      const bytes = Buffer.from(lines.join('\n'));
      // é is c3 a9: without its second byte it is cut off.
      const broken = Buffer.concat([
        bytes.subarray(0, bytes.indexOf('é') + 1),
        bytes.subarray(bytes.indexOf('é') + 2),
      ]);
      expect(await refusalOf(broken)).toBe(
        `InputError /file:${line}: expected text in UTF-8, got other bytes; export it again, or save it as UTF-8 in a text editor`,
      );
    },
  );

  test('of megabytes of continuation bytes is refused early', async () => {
    const path = join(folder, 'file');
    await writeFile(path, new Uint8Array(20_000_000).fill(0x80));
    let bytes = 0;
    const { chunks } = openSource(path, (count) => (bytes += count));
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toThrow(
      /:1: expected text in UTF-8/,
    );
    expect(bytes).toBeLessThan(2 * RECORD_LIMIT);
  });

  test('that is empty, missing or a folder is refused', async () => {
    expect(await refusalOf('')).toBe(
      'InputError /file: expected reviews, got an empty file; export it again',
    );
    const reason = async (path: string) => {
      const chunks = openSource(path, () => undefined).chunks[Symbol.asyncIterator]();
      return chunks.next().then(String, (error: Error) => error.message);
    };
    expect(await reason('no/such/file')).toBe(
      'no/such/file: expected a file that can be read, got one that does not exist',
    );
    expect(await reason(folder)).toBe(
      `${folder}: expected a file that can be read, got one that is a folder`,
    );
  });
});
