import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { MAX_DEPTH } from '../../src/intake/formats/json.ts';
import { ANY_DATE, parseRecord, type Row } from '../../src/intake/record.ts';
import { type Format, readOwn } from '../../src/intake/formats/rows.ts';
import { asyncGrowth, LINEAR } from '../support/growth.ts';

/** Bytes in chunks as from text.ts: they end where lines end; a long line is several chunks. */
async function* chunksOf(content: Iterable<string>): AsyncGenerator<Buffer> {
  for (const text of content) yield await Promise.resolve(Buffer.from(text));
}

interface Outcome {
  readonly rows: Row[];
  readonly business?: string;
  readonly refusal?: string;
}

async function read(format: Format, content: string | Iterable<string>): Promise<Outcome> {
  const rows: Row[] = [];
  let business: string | undefined;
  const source = {
    name: 'file',
    chunks: chunksOf(typeof content === 'string' ? [content] : content),
  };
  const onBusiness = ({ name }: { name: string }) => {
    business = name;
  };
  try {
    for await (const row of readOwn(source, format, { delimiter: ',', onBusiness })) rows.push(row);
  } catch (error) {
    const { name, message } = error as Error;
    return { rows, refusal: `${name} ${message}` };
  }
  return business === undefined ? { rows } : { rows, business };
}

/** A line of 40 MB, one chunk after another. */
function* long(before: string, filler: string, after: string): Generator<string> {
  yield before;
  const part = filler.repeat(Math.floor(1_100_000 / Buffer.byteLength(filler)));
  for (let megabyte = 0; megabyte < 40; megabyte++) yield part;
  yield after;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are still referred to. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const TOO_LONG = 'expected a review of at most 1 MiB, got a longer one; shorten it in the file';
const CUT_OFF = 'expected complete JSON, got text that is cut off; export it again';
const NO_LIST =
  'expected a list of reviews, or an object with such a list as "reviews", got none: it is the wrong file: export the reviews from where customers write them (those of Google at takeout.google.com; docs/import.md has others), and import that; without an export, write them into a table with the columns Name, Stars, Date and Text, save it as CSV or Excel, and import that';

describe('JSON', () => {
  test('may be a list of reviews', async () => {
    expect(await read('json', '[{"author":"A"},\n{"author":"B"}]')).toEqual({
      rows: [
        { line: 1, record: { author: 'A' } },
        { line: 2, record: { author: 'B' } },
      ],
    });
  });

  test('may be an object with reviews and the business, in any order and with other members', async () => {
    const business = { name: 'Harbor', address: { city: 'Bath' } };
    const reviews = [{ author: 'A', owner_reply: { text: 'x', reviews: [1] } }];
    const expected = { rows: [{ line: 1, record: reviews[0] }], business: 'Harbor' };
    expect(await read('json', JSON.stringify({ version: 1, business, reviews }))).toEqual(expected);
    expect(await read('json', JSON.stringify({ reviews, more: [reviews], business }))).toEqual(
      expected,
    );
    expect(await read('json', JSON.stringify({ a: 'reviews', reviews }))).toEqual({
      rows: expected.rows,
    });
  });

  test.each(['[]', '{"reviews":[]}', ' \n[ ]\n '])('may have no reviews: %j', async (text) => {
    expect(await read('json', text)).toEqual({ rows: [] });
  });

  test('may have null as its business', async () => {
    expect(await read('json', '{"business":null,"reviews":[{"a":1}]}')).toEqual({
      rows: [{ line: 1, record: { a: 1 } }],
    });
  });

  test('refuses rows that are not objects', async () => {
    const rows = ['1', '"a"', 'null', '[[2]]'].map((got, index) => ({
      line: index + 1,
      refusal: `expected a review as an object, got ${got}`,
    }));
    expect(await read('json', '[1,\n"a",\nnull,\n[[2]]]')).toEqual({ rows });
    expect(await read('json', '{"reviews":[1,\n"a",\nnull,\n[[2]]]}')).toEqual({ rows });
  });

  test.each(['\n', '\r\n'])('counts the lines of indented rows, with %j', async (lineEnd) => {
    const file = {
      business: { name: 'Härbor', hours: [{ days: ['Mo'], opens: '08:00', closes: '17:00' }] },
      reviews: [{ text: 'é€😀', reply: { lines: [1, { x: 2 }] } }, { text: '\n' }, 5, { text: '' }],
    };
    const text = JSON.stringify(file, null, 2).replaceAll('\n', lineEnd);
    const { rows } = await read('json', text);
    expect(rows.map(({ line }) => line)).toEqual([15, 26, 29, 30]);
    // As in a large file, where a chunk holds only some of the lines.
    const inLines = await read('json', text.split(/(?<=\n)/));
    expect(inLines.rows).toEqual(rows);
  });

  test('may begin with a line end in a chunk of its own', async () => {
    expect(await read('json', ['\n', '[{"author":"A"}]'])).toEqual({
      rows: [{ line: 2, record: { author: 'A' } }],
    });
  });

  test.each([
    ['cut off inside a row', '{"reviews":[{"a":1},\n{"b":2', `:2: ${CUT_OFF}`],
    ['cut off inside a string', '{"reviews":[{"a":1},\n{"b":"x', `:2: ${CUT_OFF}`],
    ['cut off behind a row', '{"reviews":[{"a":1}\n]', `:2: ${CUT_OFF}`],
    [
      'not JSON',
      '[{"a":1},\n{a:2}]',
      ':2: expected JSON: a value or a key in double quotes at byte 2 of the line, got "a"',
    ],
    [
      'not JSON far below the last value',
      '[{"a":1}\n\n\n  x]',
      ':4: expected JSON: a value or a key in double quotes at byte 3 of the line, got "x"',
    ],
    [
      'followed by more',
      '[]\n[]',
      ':2: expected JSON: nothing more at byte 1 of the line, got "["',
    ],
    [
      'without a comma',
      '[{"a":1}\n{"a":2}]',
      ':2: expected JSON: "," or the end of the list or object at byte 1 of the line, got "{"',
    ],
    ['without a colon', '[{"a",1}]', ':1: expected JSON: ":" at byte 6 of the line, got ","'],
    [
      'with a comma too many',
      '[{"a":1,}]',
      ':1: expected JSON: a key in double quotes at byte 9 of the line, got "}"',
    ],
    ['without a value', '[{"a":}]', ':1: expected JSON: a value at byte 7 of the line, got "}"'],
    ['with half a word', '[{"a":tru}]', ':1: expected JSON: true at byte 10 of the line, got "}"'],
    [
      'with half a number',
      '[{"a":1.}]',
      ':1: expected JSON: a digit at byte 9 of the line, got "}"',
    ],
    [
      'with a line end in a string',
      '[{"a":"x\n"}]',
      ':1: expected JSON: a character of a string or a valid escape at byte 9 of the line, got "\n"',
    ],
    ['without reviews', '{"revews":[{"a":1}]}', `:1: ${NO_LIST}`],
    ['with an object of reviews', '{"reviews":{"a":{"b":1}}}', `:1: ${NO_LIST}`],
    ['with a number of reviews', '{"reviews":5}', `:1: ${NO_LIST}`],
    ['with null for reviews', '{"reviews":null}', `:1: ${NO_LIST}`],
    ['a text', '"reviews"', `:1: ${NO_LIST}`],
    ['null', 'null', `:1: ${NO_LIST}`],
    ['a number', '5', `:1: ${NO_LIST}`],
    [
      'with an invalid business',
      '{"business":{"nam":"X"},"reviews":[]}',
      ': business.name: expected text, got nothing\nfile: business: expected "name", got the unknown key "nam"',
    ],
  ])('that is %s is refused with its line', async (_, text, message) => {
    expect((await read('json', text)).refusal).toBe(`InputError file${message}`);
  });

  test.each([
    ['text', '{"reviews":[{"a":1},\n{"a":"', 'xx', '"}]}'],
    ['text of other scripts', '{"reviews":[{"a":1},\n{"a":"', 'é', '"}]}'],
    ['list', '{"reviews":[{"a":1},\n{"a":[', '1,', '1]}]}'],
    ['member that is not read', '{"reviews":[{"a":1}],\n"a":"', 'xx', '"}'],
  ])('with a %s of 40 MB is refused with its line, long before its end', async (_, ...parts) => {
    let chunks = 0;
    function* counted(): Generator<string> {
      for (const chunk of long(...parts)) {
        chunks += 1;
        yield chunk;
      }
    }
    const { rows, refusal } = await read('json', counted());
    expect(rows).toEqual([{ line: 1, record: { a: 1 } }]);
    expect(refusal).toBe(`InputError file:2: ${TOO_LONG}`);
    expect(chunks).toBeLessThan(5);
  });

  describe('nested too deep', () => {
    const TOO_DEEP = `expected JSON that is nested at most ${MAX_DEPTH} levels deep, got a deeper one`;
    const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

    test('is refused with its line, and read up to the limit', async () => {
      const deepest = await read('json', `[{"a":1},\n${objects(MAX_DEPTH - 1)}]`);
      expect(deepest.refusal).toBe(undefined);
      expect(deepest.rows).toHaveLength(2);
      for (const row of [objects(MAX_DEPTH), lists(MAX_DEPTH)]) {
        expect((await read('json', `[{"a":1},\n${row}]`)).refusal).toBe(
          `InputError file:2: ${TOO_DEEP}`,
        );
      }
    });

    test.each<[string, Format, (depth: number) => string]>([
      ['lists', 'json', (depth) => `[${lists(depth)}]`],
      ['objects', 'json', (depth) => `[${objects(depth)}]`],
      ['a business', 'json', (depth) => `{"business":${objects(depth)},"reviews":[]}`],
      ['a member that is not read', 'json', (depth) => `{"a":${lists(depth)},"reviews":[]}`],
      ['lists in NDJSON', 'ndjson', lists],
      ['objects in NDJSON', 'ndjson', (depth) => `{"author":${objects(depth)}}`],
    ])('%s take time that grows with the size, not its square', async (_, format, nested) => {
      const ratio = await asyncGrowth(20_000, nested, async (content) => {
        for (const row of (await read(format, content)).rows) {
          const { record } = row as { record: unknown };
          parseRecord(record, { source: null, verifiedBy: null, dates: ANY_DATE }, '');
        }
      });
      expect(ratio).toBeLessThan(LINEAR);
    });
  });

  test('is not too long with many small values that are not read', async () => {
    const others = ['{"a":{"b":{}},"others":[', ...Array(8).fill('1,'.repeat(100_000)), '1],'];
    expect(await read('json', [...others, '"reviews":[{"a":1}]}'])).toEqual({
      rows: [{ line: 1, record: { a: 1 } }],
    });
  });

  test('may have a million line ends between two values', async () => {
    const { rows } = await read('json', `[${'\n'.repeat(1_000_000)}{"a":1}]`);
    expect(rows).toEqual([{ line: 1_000_001, record: { a: 1 } }]);
  });

  test('of either shape is read in constant memory', async () => {
    for (const [start, end] of [
      ['[{}', ']'],
      ['{"reviews":[{}', ']}'],
    ] as const) {
      const row = `,${JSON.stringify({ text: 'x'.repeat(1000) })}`;
      function* file(): Generator<string> {
        yield start;
        for (let chunk = 0; chunk < 400; chunk++) yield row.repeat(250);
        yield end;
      }
      const options = { delimiter: ',', onBusiness: () => undefined };
      let [count, most] = [0, 0];
      const before = heapInUse();
      for await (const _ of readOwn({ name: 'file', chunks: chunksOf(file()) }, 'json', options)) {
        count += 1;
        if (count % 20_000 === 0) most = Math.max(most, heapInUse() - before);
      }
      expect(count).toBe(100_001);
      // All rows together are 100 MB.
      expect(most).toBeLessThan(20e6);
    }
  });
});

describe('NDJSON', () => {
  test('has one review on each line; blank lines and Windows line ends are accepted', async () => {
    expect(await read('ndjson', '{"a":1}\r\n\r\n  \n{"a":2}\n{"a":3}')).toEqual({
      rows: [
        { line: 1, record: { a: 1 } },
        { line: 4, record: { a: 2 } },
        { line: 5, record: { a: 3 } },
      ],
    });
  });

  test('counts lines over chunks', async () => {
    const { rows } = await read('ndjson', ['{"a":1}\n\n', '{"a":2}\n', '{"a":3}']);
    expect(rows.map(({ line }) => line)).toEqual([1, 3, 4]);
  });

  test.each([
    ['a truncated last line', '{"a":1}\n{"a":"x', 2, '"{\\"a\\":\\"x"'],
    ['words', '{"a":1}\n\nhello\n{"a":2}', 3, '"hello"'],
    ['two reviews in a line', '{"a":1}{"a":2}', 1, '"{\\"a\\":1}{\\"a\\":2}"'],
  ])('with %s is refused with that line', async (_, text, line, got) => {
    const refusal = `expected one review as a line of JSON, got ${got}; correct it, or export the file again`;
    const { rows } = await read('ndjson', text);
    expect(rows.filter((row) => 'refusal' in row)).toEqual([{ line, refusal }]);
  });

  test('with only blank lines is refused', async () => {
    expect((await read('ndjson', '\n \n')).refusal).toBe(
      'InputError file:1: expected reviews, got only blank lines; export them again',
    );
  });

  test.each(['xx', 'é', '😀'])(
    'with a line of 40 MB of %s is refused with that line',
    async (filler) => {
      const { rows, refusal } = await read('ndjson', long('{"a":1}\n', filler, '"}\n'));
      expect(rows).toEqual([{ line: 1, record: { a: 1 } }]);
      expect(refusal).toBe(`InputError file:2: ${TOO_LONG}`);
    },
  );
});

describe('CSV', () => {
  const HEADER = 'author,rating,date,text';
  const NEXT = 'give each value its column, and quotes if the delimiter is in it';
  /** Of each row its line, and its author and text or its refusal. */
  const outline = async (text: string) =>
    (await read('csv', text)).rows.map((row) => {
      if (!('record' in row)) return [row.line, 'refusal' in row ? row.refusal : row.leftOut];
      const { author, text: words } = row.record as { author: string; text: string | null };
      return [row.line, author, words];
    });

  test('is read to records with the keys of JSON files', async () => {
    expect(await read('csv', `${HEADER}\nA,5,2024-01-02, hi \n`)).toEqual({
      rows: [
        {
          line: 2,
          record: {
            id: null,
            source_id: null,
            author: 'A',
            author_avatar_url: null,
            rating: 5,
            date: '2024-01-02',
            title: null,
            text: 'hi',
            source: null,
            source_url: null,
            owner_reply: null,
            verified: null,
            verified_by: null,
            verified_level: null,
            verified_at: null,
            location: null,
            attributes: {},
            ratings: {},
          },
        },
      ],
    });
  });

  const LINES = [
    HEADER,
    'A,5,2024-01-01,"one, ""two"""',
    'B,4,2024-01-02,"first',
    '',
    'third"',
    '',
    'C,3,2024-01-03,x',
    'D,3',
    'E,3,2024-01-03,x,y',
  ];
  test.each([
    ['line feeds', LINES.join('\n')],
    ['Windows line ends', LINES.join('\r\n')],
    ['Windows line ends in its header only', LINES.join('\n').replace('\n', '\r\n')],
    ['Windows line ends but in its header', LINES.join('\r\n').replace('\r\n', '\n')],
    ['a line end at its end', `${LINES.join('\n')}\n`],
  ])('with %s has rows with the line where they begin', async (_, text) => {
    expect(await outline(text)).toEqual([
      [2, 'A', 'one, "two"'],
      [3, 'B', 'first\n\nthird'],
      [7, 'C', 'x'],
      [8, `expected 4 values, got 2; ${NEXT}`],
      [9, `expected 4 values, got 5; ${NEXT}`],
    ]);
  });

  test('with only a header has no rows', async () => {
    expect(await read('csv', `${HEADER}\n`)).toEqual({ rows: [] });
  });

  test('may have its columns in any order, and other columns', async () => {
    expect(await outline('x,text, date ,rating,author\n1,hi,2024-01-01,5,A')).toEqual([
      [2, 'A', 'hi'],
    ]);
  });

  test.each([
    [
      'without columns that are needed',
      'author,text\nA,hi\n',
      ':1: expected the columns "rating", "date", got "author", "text"; "npx public-reviews import FILE --map" proposes how to read it',
    ],
    [
      'without a column that is needed',
      'author,rating\nA,5\n',
      ':1: expected the column "date", got "author", "rating"; "npx public-reviews import FILE --map" proposes how to read it',
    ],
    [
      'with nothing but line ends',
      '\n\n',
      ':1: expected a line with the names of the columns, got none; export the file again',
    ],
    [
      'with a quote that never ends',
      `${HEADER}\nA,5,2024-01-01,x\nB,5,2024-01-01,"x\n`,
      ':3: expected CSV: a closing quote for the one that is opened in this row; correct this row in a text editor, or export the file again',
    ],
    [
      'with a value that continues behind its quotes',
      `${HEADER}\nA,5,2024-01-01,"x" y\n`,
      ':2: expected CSV: a delimiter or a line end after a closing quote; a quote inside quotes is written twice; correct this row in a text editor, or export the file again',
    ],
  ])('%s is refused with its line', async (_, text, message) => {
    expect((await read('csv', text)).refusal).toBe(`InputError file${message}`);
  });

  test('has plain quotes inside of values without quotes', async () => {
    const { rows } = await read(
      'csv',
      `${HEADER}\nA,5,2024-01-01,a "big" pie\nB,4,2024-01-02,"x"\n`,
    );
    expect(rows).toMatchObject([{ record: { text: 'a "big" pie' } }, { record: { text: 'x' } }]);
  });

  test.each(['', '"'])(
    'with a value of 40 MB behind %j is refused with its line',
    async (quote) => {
      const text = long(`${HEADER}\nA,5,2024-01-01,x\nB,5,2024-01-01,${quote}`, 'é', `${quote}\n`);
      const { refusal } = await read('csv', text);
      expect(refusal).toBe(`InputError file:3: ${TOO_LONG}`);
    },
  );
});
