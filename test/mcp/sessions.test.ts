// Session ids: what they say, and that nobody else can make or bend one.

import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SESSION_REVISIONS, Sessions } from '../../src/mcp/sessions.ts';

const KEY = 'a key of 32 characters or more, for tests';
const DAY = 86_400;
const START = 1_700_000_000;

function sessionsAt(now: number, key = KEY): Sessions {
  return new Sessions(key, () => now, randomBytes);
}

describe('a session id', () => {
  test.each(SESSION_REVISIONS)('says on every replica that it is of %s', (revision) => {
    const id = sessionsAt(START).issue(revision);
    expect(sessionsAt(START + DAY).read(id)).toEqual({
      id,
      revision,
      expiresAtSeconds: START + 30 * DAY,
    });
  });

  test('is visible ASCII, and another each time', () => {
    const ids = Array.from({ length: 1000 }, () => sessionsAt(START).issue('2025-06-18'));
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{43}$/);
  });

  test('is good for thirty days to the second', () => {
    const id = sessionsAt(START).issue('2025-11-25');
    expect(sessionsAt(START + 30 * DAY).read(id)).not.toBeNull();
    expect(sessionsAt(START + 30 * DAY + 1).read(id)).toBeNull();
  });

  test('is nothing where another key signs', () => {
    const id = sessionsAt(START).issue('2025-11-25');
    expect(sessionsAt(START, `${KEY}!`).read(id)).toBeNull();
  });

  test('is nothing with any bit changed', () => {
    const sessions = sessionsAt(START);
    const bytes = Buffer.from(sessions.issue('2025-06-18'), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const bent = Buffer.from(bytes);
      bent[bit >> 3]! ^= 1 << (bit & 7);
      expect([bit, sessions.read(bent.toString('base64url'))]).toEqual([bit, null]);
    }
  });

  test('has one spelling: bits to spare in its last character change nothing and are refused', () => {
    const sessions = sessionsAt(START);
    const id = sessions.issue('2025-06-18');
    const bytes = Buffer.from(id, 'base64url');
    const spellings = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      .split('')
      .map((last) => id.slice(0, -1) + last)
      .filter((spelling) => Buffer.from(spelling, 'base64url').equals(bytes));
    expect(spellings.length).toBe(4);
    expect(spellings.filter((spelling) => sessions.read(spelling))).toEqual([id]);
  });

  test('of a layout or revision that is not known is nothing, signed or not', () => {
    for (const [layout, revision] of [
      [2, 0],
      [1, 3],
      [1, 255],
    ] as const) {
      const signed = Buffer.alloc(16);
      signed[0] = layout;
      signed[1] = revision;
      signed.writeUInt32BE(START, 2);
      const hmac = createHmac('sha256', KEY).update('mcp-session.v1\0').update(signed);
      const id = Buffer.concat([signed, hmac.digest().subarray(0, 16)]).toString('base64url');
      expect(sessionsAt(START).read(id)).toBeNull();
    }
  });

  test('is not found in whatever else a header may hold', () => {
    const sessions = sessionsAt(START);
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(sessions.read(text)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});
