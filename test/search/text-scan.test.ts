import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { packSections, unpackSections } from '../../src/model/bytes.ts';
import { SharedMemory } from '../../src/search/shared-memory.ts';
import { SetMemory } from '../../src/search/set-memory.ts';
import { TextScan } from '../../src/search/text-scan.ts';

/** Texts, every other one of them in the records, the rest in bytes of their own. */
function scanOf(texts: readonly Buffer[], ignoresCase = false): TextScan {
  const inRecords = texts.filter((_, position) => position % 2 === 0);
  const own = texts.filter((_, position) => position % 2 === 1);
  const split = Buffer.concat(inRecords).length;
  const [next, ends] = [[0, split], new Uint32Array(texts.length)];
  texts.forEach(({ length }, position) => {
    ends[position] = (next[position % 2] as number) + length;
    next[position % 2] = ends[position];
  });
  const starts = ends.map((end, position) => end - (texts[position] as Buffer).length);
  const memory = new SharedMemory();
  memory.append(Buffer.concat(inRecords));
  const at = memory.align();
  memory.append(packSections({ bytes: Buffer.concat(own), starts, ends }));
  const placed = unpackSections(memory.view([at, memory.length]));
  return new TextScan(new SetMemory(memory.memory, texts.length), {
    bytes: placed.get('bytes') as Uint8Array,
    starts: placed.get('starts') as Uint32Array,
    ends: placed.get('ends') as Uint32Array,
    split,
    ignoresCase,
  });
}

interface Cut {
  readonly of: number;
  readonly from: number;
  readonly length: number;
}

/** A part of one of the texts. */
function cutFrom(texts: readonly Buffer[], { of, from, length }: Cut): Buffer {
  const text = texts[of % texts.length]!;
  const start = from % (text.length + 1);
  return text.subarray(start, start + length);
}

const all = (texts: readonly unknown[]) => Uint32Array.from(texts.keys());
const includes = (texts: readonly Buffer[], needle: Buffer) =>
  texts.flatMap((text, position) => (text.includes(needle) ? [position] : []));

describe('a scan of texts', () => {
  // Few different bytes, so that much almost fits; lengths around what is looked at at once.
  const anyBytes = (maxLength: number) =>
    fc
      .array(fc.constantFrom(0x61, 0x62, 0x00, 0xc3), { minLength: 0, maxLength })
      .map((bytes) => Buffer.from(bytes));

  test('finds the strings of every text', () => {
    const cut = fc.record({
      of: fc.nat(),
      from: fc.nat(),
      length: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(
        fc.array(anyBytes(70), { minLength: 1, maxLength: 12 }),
        // Several for each memory: the system takes longer to map one than a scan takes.
        fc.array(fc.oneof(anyBytes(6), cut), { minLength: 8, maxLength: 8 }),
        (texts, wanted) => {
          const scan = scanOf(texts);
          for (const one of wanted) {
            const needle = Buffer.isBuffer(one) ? one : cutFrom(texts, one);
            if (needle.length === 0) continue;
            const found = scan.keepContaining(all(texts), needle);
            expect([...found]).toEqual(includes(texts, needle));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('reads only the given texts', () => {
    const texts = ['leak', 'a leak', 'none', 'leaks'].map((text) => Buffer.from(text));
    const scan = scanOf(texts);
    expect([...scan.keepContaining(Uint32Array.of(1, 2), Buffer.from('leak'))]).toEqual([1]);
    expect([...scan.keepContaining(new Uint32Array(0), Buffer.from('leak'))]).toEqual([]);
  });

  test('finds no string that spans two texts', () => {
    const texts = ['red', 'blue'].map((text) => Buffer.from(text));
    for (const needle of ['redblue', 'db', 'dblu']) {
      expect([...scanOf(texts).keepContaining(all(texts), Buffer.from(needle))]).toEqual([]);
    }
  });

  test('accepts strings of any length, including the length of all texts together', () => {
    const long = Buffer.alloc(300_000, 'on time and ');
    const texts = [Buffer.from('on time'), long, long.subarray(1)];
    const scan = scanOf(texts);
    expect([...scan.keepContaining(all(texts), long)]).toEqual([1]);
    expect([...scan.keepContaining(all(texts), Buffer.concat([long, long]))]).toEqual([]);
    expect([...scan.keepContaining(all(texts), Buffer.from('on time'))]).toEqual([0, 1, 2]);
  });

  test('ignores the case of ASCII letters alone, where asked to', () => {
    const texts = ['The BOILER', 'a boiler', '@[`{ \u00c4', 'boi\x0cer'].map((text) =>
      Buffer.from(text),
    );
    const find = (needle: string, ignoresCase: boolean) => [
      ...scanOf(texts, ignoresCase).keepContaining(all(texts), Buffer.from(needle)),
    ];
    expect(find('boiler', true)).toEqual([0, 1]);
    expect(find('boiler', false)).toEqual([1]);
    expect(find('`', true)).toEqual([2]);
    expect(find('{', true)).toEqual([2]);
    expect(find('[', true)).toEqual([2]);
    expect(find('\u00e4', true)).toEqual([]);
  });

  test.each(['scan', 'sets'])('runs the binary of %s.wat', async (name) => {
    const read = (ending: string) =>
      readFileSync(new URL(`../../src/search/${name}.${ending}`, import.meta.url));
    const toolkit = await wabt();
    const features = { threads: true, simd: true };
    const parsed = toolkit.parseWat(`${name}.wat`, read('wat').toString(), features);
    // Written by `npm run wasm`.
    expect(Buffer.from(parsed.toBinary({}).buffer)).toEqual(read('wasm'));
  });
});
