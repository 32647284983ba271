// Texts that break, or could break, writers of JSON, XML, HTML, SQL, logs and terminals.

import fc from 'fast-check';
import { unicodeText } from './unicode-text.ts';

export const HOSTILE_TEXTS: readonly string[] = [
  'A ]]> B',
  '<![CDATA[ x ]]>',
  '</script><script>alert(1)</script>',
  '<!-- --> <!--',
  '--!><img src=x onerror=alert(1)>',
  '</title></style></textarea>',
  '"\'`<>&',
  '&amp;&#0;&#xFFFF;&nope;',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y "z">]>&y;',
  'C0 \u0000\u0001\u0008\u000b\u000c\u001b[31m\u001f',
  'C1 \u007f\u0080\u0085\u009f',
  'lone \ud800 and \udc00 and \udbff',
  'noncharacters \ufffe\uffff\ufdd0\u{1fffe}\u{10ffff}',
  'bidi \u202e\u2066abc\u2069\u200f שלום',
  '\ufeff\u200b\u00ad\u2028\u2029',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  'length',
  '${7*7} {{7*7}} <%= 7 %> #{7} $(id) %s %n %00',
  '🧑🏽‍🔧👨‍👩‍👧‍👦🏳️‍🌈❤️\u{1f1e9}\u{1f1ea}',
  `e${'\u0301'.repeat(300)}`,
  'line\r\nbreak\rand\ttab\n\n\n',
  "'; drop table reviews; --",
  '../../etc/passwd',
  'https://example.com/?a=b&c=<d>#]]>',
  '=cmd|calc!A0',
  'null',
  '\\u0000 \\x00 \\',
  '('.repeat(2_000),
  'very '.repeat(4_000),
  'W'.repeat(20_000),
  '١٢٣ ½ ﷽ ﬁ ẞ İ ı',
];

/** A random sequence of these texts and of random characters. */
export const anyHostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
      { weight: 1, arbitrary: unicodeText({ maxLength: 20 }) },
      {
        weight: 1,
        arbitrary: fc
          .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 })
          .map((units) => String.fromCharCode(...units)),
      },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '));
