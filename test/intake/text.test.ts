import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSource, RECORD_LIMIT } from '../../src/intake/text.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'public-reviews-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Reads a file with these bytes to its end: what comes out, or the message of its refusal. */
async function read(content: string | Uint8Array): Promise<{ chunks: Buffer[]; bytes: number }> {
  const path = join(folder, 'file');
  await writeFile(path, content);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of openSource(path, (count) => (bytes += count)).chunks)
    chunks.push(chunk);
  return { chunks, bytes };
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

  test.each([
    ['little', [0xff, 0xfe, 0x61, 0x00]],
    ['big', [0xfe, 0xff, 0x00, 0x61]],
  ])('in UTF-16, %s endian, is refused as that', async (_, bytes) => {
    expect(await refusalOf(Uint8Array.from(bytes))).toBe(
      'InputError /file:1: expected text in UTF-8, got UTF-16',
    );
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
        `InputError /file:${line}: expected text in UTF-8, got other bytes`,
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
    expect(await refusalOf('')).toBe('InputError /file: expected reviews, got an empty file');
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
