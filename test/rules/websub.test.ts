// Every requirement of the WebSub Recommendation for hubs and publishers has a test that names its row,
// or it is said below why not.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Rows for publisher, subscription, response, validation, verification, leases, distribution,
 * signatures, security, and our own rules. */
const ROWS = `
  P1 P2 P3 P4 P5 P6 P7 P8 P9
  S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15
  R1 R2 R3 R4 R5 R6 R7 R8
  V1 V2 V3 V4
  I1 I2 I3 I4 I5 I6 I7 I8 I9 I10
  L1 L2 L3 L4 L5
  C1 C2 C3 C4 C5 C6 C7 C8 C9 C10 C11 C12
  A1 A2 A3
  X1 X2 X3 X4 X5
  K1 K2 K3 K4 K5 K6 K7`
  .trim()
  .split(/\s+/);

/** Rows at the start of test titles, as in `S14: ...` and `I1 I2: ...`. */
function rowsInTests(): string[] {
  return globSync('test/**/*.test.ts', { cwd: ROOT }).flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const names = text.matchAll(/['"`]((?:[PSRVILCAXK]\d+(?:, | and | )?)+): /g);
    return [...names].flatMap(([, rows]) => rows!.match(/[A-Z]\d+/g) ?? []);
  });
}

/** Rows without a test, and why. */
const REASONS = {
  P9: 'Topics do not move. When the origin changes, its operator redirects the old one; subscriptions go on until their lease ends, with the new URLs in the Link header.',
  R7: 'There is one hub, so no request is redirected to another.',
  V1: 'There is nothing to validate beyond the request itself, and no publisher to ask.',
  L5: 'It is about the leases of other hubs; ours are above.',
};

test('every row has a test, or a reason', () => {
  const named = new Set([...rowsInTests(), ...Object.keys(REASONS)]);
  expect(ROWS.filter((row) => !named.has(row))).toEqual([]);
});

test('no test and no reason names an unknown row', () => {
  const named = [...rowsInTests(), ...Object.keys(REASONS)];
  expect(named.filter((row) => !ROWS.includes(row))).toEqual([]);
});

test('no row has both a test and a reason', () => {
  const tested = new Set(rowsInTests());
  expect(Object.keys(REASONS).filter((row) => tested.has(row))).toEqual([]);
});
