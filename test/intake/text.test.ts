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

  test.each([
    [
      'shift_jis',
      '田中,5,露天風呂からの雪景色がとても良かったです',
      '936392862c352c984993569597984382a982e782cc90e18c69904682aa82c682c482e097c782a982c182bd82c582b7',
    ],
    [
      'euc-jp',
      '田中,5,朝食がおいしくて、部屋もきれいでした',
      'c5c4c3e62c352cc4abbfa9a4aca4aaa4a4a4b7a4afa4c6a1a2c9f4b2b0a4e2a4ada4eca4a4a4c7a4b7a4bf',
    ],
    [
      'euc-kr',
      '김민수,5,방이 깨끗하고 직원이 친절했습니다',
      'b1e8b9cebcf62c352cb9e6c0cc20b1fab2fdc7cfb0ed20c1f7bff8c0cc20c4a3c0fdc7dfbdc0b4cfb4d9',
    ],
    [
      'windows-1251',
      'Иван,5,Очень хорошее место, мы вернёмся',
      'c8e2e0ed2c352ccef7e5edfc20f5eef0eef8e5e520ece5f1f2ee2c20ecfb20e2e5f0edb8ecf1ff',
    ],
    [
      'gb18030',
      '王伟,5,房间很好，我们的孩子很喜欢这里的早餐',
      'cdf5ceb02c352cb7bfbce4badcbac3a3acced2c3c7b5c4baa2d7d3badccfb2bbb6d5e2c0efb5c4d4e7b2cd',
    ],
    [
      'big5',
      '王偉,5,房間很好，我們的孩子很喜歡這裡的早餐',
      'a4fdb0b62c352ca9d0b6a1abdca66ea141a7daadccaabaabc4a46cabdcb3dfc577b36fb8ccaabaa6adc05c',
    ],
    [
      'windows-1250',
      'Łukasz,2,Czekałem godzinę mimo umówionej wizyty',
      'a3756b61737a2c322c437a656b61b3656d20676f647a696eea206d696d6f20756df377696f6e656a2077697a797479',
    ],
    [
      'windows-1250',
      'Jiří,5,Výborná večeře, číšník uměl vtipy i víno',
      '4a69f8ed2c352c56fd626f726ee1207665e865f8652c20e8ed9a6eed6b20756dec6c20767469707920692076ed6e6f',
    ],
    [
      'windows-1253',
      'Ελένη,5,Το καλύτερο ψάρι στο νησί',
      'c5ebddede72c352cd4ef20eae1ebfdf4e5f1ef20f8dcf1e920f3f4ef20ede7f3df',
    ],
    [
      'windows-1254',
      'Ayşe,5,Işıl ışıl bir dükkân, çalışanlar güler yüzlü',
      '4179fe652c352c49fefd6c20fdfefd6c206269722064fc6b6be26e2c20e7616cfdfe616e6c61722067fc6c65722079fc7a6cfc',
    ],
    [
      'windows-1255',
      'רות,5,שירות מצוין ואוכל כמו של סבתא',
      'f8e5fa2c352cf9e9f8e5fa20eef6e5e9ef20e5e0e5ebec20ebeee520f9ec20f1e1fae0',
    ],
  ])('in %s is read', async (encoding, text, hex) => {
    const { chunks, found } = await read(Buffer.from(`${hex}0a${hex}`, 'hex'));
    expect(chunks.join('')).toBe(`${text}\n${text}`);
    expect(found).toBe(encoding);
  });

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
