import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type JsonValue, saltedDigest, newSalt } from '../../src/log/canonical.ts';

describe('canonical JSON', () => {
  test('is that of the example of RFC 8785, section 3.2.3', () => {
    const value = JSON.parse(
      String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],` +
        String.raw`"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
    ) as JsonValue;
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  test('sorts keys by UTF-16 code units, as section 3.2.3 does', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const value = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toEqual(
      ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'].toSorted((a, b) =>
        // Keys that are integers come first in every object.
        a === '1' ? -1 : b === '1' ? 1 : 0,
      ),
    );
    expect(canonicalJson({ b: 1, a: { d: [], c: null } })).toBe('{"a":{"c":null,"d":[]},"b":1}');
  });

  test('is the same whatever the order of the keys, and reads back', () => {
    const json = fc.jsonValue() as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), json), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(canonicalJson(JSON.parse(canonicalJson(value)) as JsonValue)).toBe(
          canonicalJson(value),
        );
      }),
    );
  });

  test('refuses what is no JSON', () => {
    expect(canonicalJson('a\ud800')).toBe('"a\ufffd"');
    expect(canonicalJson({ '\udc00': 1 })).toBe('{"\ufffd":1}');
    expect(() => canonicalJson([Number.NaN])).toThrow(TypeError);
  });
});

test('a digest depends on the salt and on the record', () => {
  // Computed with sha256sum of 16 zero bytes and {"rating":5}.
  const salt = Buffer.alloc(16).toString('base64');
  expect(saltedDigest(salt, { rating: 5 })).toBe('viiWDSxFK4+YCQHGL0ypbaxU6z2TMmvTcqMCHiXWA6Y=');
  expect(saltedDigest(salt, { rating: 4 })).not.toBe(saltedDigest(salt, { rating: 5 }));
  expect(saltedDigest(newSalt(), { rating: 5 })).not.toBe(saltedDigest(salt, { rating: 5 }));
  expect(Buffer.from(newSalt(), 'base64')).toHaveLength(16);
  const salts = Array.from({ length: 1_000 }, newSalt);
  expect(new Set(salts).size).toBe(1_000);
});
