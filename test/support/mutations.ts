// Damaged copies of files, for fuzzers of readers.

/** Texts on which parsers have failed before. */
const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  ';',
  ':',
  '<',
  '>',
  '<!--',
  ']]>',
  '<![CDATA[',
  '</script>',
  '&#0;',
  '&amp',
  'null',
  '1e999',
  '-0',
  '\\ud800',
  '\u0000',
  '\ufeff',
  '\r',
  '\n\n',
  '""',
  "'",
  '<p itemscope itemprop=review>',
  '\t',
  '__proto__',
];

/** A copy of a file with some damage. */
export function mutate(bytes: Buffer, random: () => number): Buffer {
  let result = bytes;
  const count = 1 + Math.floor(random() * 4);
  for (let turn = 0; turn < count; turn++) result = damage(result, random);
  return result;
}

function damage(bytes: Buffer, random: () => number): Buffer {
  const at = Math.floor(random() * (bytes.length + 1));
  const length = Math.floor(random() * 40);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (Math.floor(random() * 7)) {
    case 0:
      return before;
    case 1:
      return Buffer.concat([before, after.subarray(length)]);
    case 2:
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 3: {
      const token = TOKENS[Math.floor(random() * TOKENS.length)] as string;
      return Buffer.concat([before, Buffer.from(token), after]);
    }
    case 4: {
      const copy = Buffer.from(bytes);
      if (at < copy.length) copy[at] = Math.floor(random() * 256);
      return copy;
    }
    case 5: {
      const other = Math.floor(random() * (bytes.length + 1));
      return Buffer.concat([before, bytes.subarray(other, other + length), after]);
    }
    default: {
      const token = TOKENS[Math.floor(random() * TOKENS.length)] as string;
      return Buffer.concat([before, Buffer.from(token.repeat(1 + length * 20)), after]);
    }
  }
}
