// Session ids: content, expiry, and that they cannot be forged.

import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ENDED, type Session, SESSION_REVISIONS, Sessions } from '../../src/mcp/sessions.ts';

const KEY = 'a key of 32 characters or more, for tests';
const DAY = 86_400;
const START = 1_700_000_000;

function sessionsAt(nowSeconds: number, key = KEY): Sessions {
  return new Sessions(key, () => nowSeconds, randomBytes);
}

describe('a session id', () => {
  test.each(SESSION_REVISIONS)('of revision %s is accepted by every replica', (revision) => {
    const id = sessionsAt(START).issue(revision);
    expect(sessionsAt(START + DAY).parse(id)).toEqual({
      id,
      revision,
      expiresAtSeconds: START + 30 * DAY,
    });
  });

  test('is visible ASCII and unique', () => {
    const ids = Array.from({ length: 1000 }, () => sessionsAt(START).issue('2025-06-18'));
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{43}$/);
  });

  test('expires after thirty days', () => {
    const id = sessionsAt(START).issue('2025-11-25');
    expect(sessionsAt(START + 30 * DAY).parse(id)).not.toBeNull();
    expect(sessionsAt(START + 30 * DAY + 1).parse(id)).toBeNull();
  });

  test('is rejected under another key', () => {
    const id = sessionsAt(START).issue('2025-11-25');
    expect(sessionsAt(START, `${KEY}!`).parse(id)).toBeNull();
  });

  test('is rejected with any bit flipped', () => {
    const sessions = sessionsAt(START);
    const bytes = Buffer.from(sessions.issue('2025-06-18'), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect([bit, sessions.parse(flipped.toString('base64url'))]).toEqual([bit, null]);
    }
  });

  test('has one spelling: others with the same bytes are rejected', () => {
    const sessions = sessionsAt(START);
    const id = sessions.issue('2025-06-18');
    const bytes = Buffer.from(id, 'base64url');
    const spellings = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      .split('')
      .map((last) => id.slice(0, -1) + last)
      .filter((spelling) => Buffer.from(spelling, 'base64url').equals(bytes));
    expect(spellings.length).toBe(4);
    expect(spellings.filter((spelling) => sessions.parse(spelling))).toEqual([id]);
  });

  test('of an unknown layout or revision is rejected although it is signed', () => {
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
      expect(sessionsAt(START).parse(id)).toBeNull();
    }
  });

  test('is not accepted in arbitrary text', () => {
    const sessions = sessionsAt(START);
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        expect(sessions.parse(text)).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('an ended session', () => {
  const begin = (sessions: Sessions) => sessions.parse(sessions.issue('2025-11-25')) as Session;

  test('is rejected here, and accepted by another process', () => {
    const [here, there] = [sessionsAt(START), sessionsAt(START)];
    const [ended, other] = [begin(here), begin(here)];
    here.end(ended);
    expect([here.parse(ended.id), there.parse(ended.id)]).toEqual([null, ended]);
    expect(here.parse(other.id)).toEqual(other);
  });

  test('is forgotten beyond the limit, the oldest first', () => {
    const sessions = sessionsAt(START);
    const [oldest, second] = [begin(sessions), begin(sessions)];
    sessions.end(oldest);
    sessions.end(second);
    for (let ended = 2; ended <= MAX_ENDED; ended++) sessions.end({ ...oldest, id: `${ended}` });
    expect([sessions.parse(oldest.id), sessions.parse(second.id)]).toEqual([oldest, null]);
  });
});
