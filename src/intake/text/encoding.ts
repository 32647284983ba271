// The character encodings of files: UTF-8, UTF-16 and Windows-1252, recognised by content.

import { isUtf8 } from 'node:buffer';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** As messages and reports name them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};

/** Bytes that are read to recognise UTF-16 without a byte order mark. */
const PROBED_BYTES = 4096;

/** UTF-16 by its byte order mark, or by the zero bytes that every second byte of Western text is. */
export function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (start.length >= 2) {
    const mark = start.readUInt16BE(0);
    if (mark === 0xfffe) return 'utf-16le';
    if (mark === 0xfeff) return 'utf-16be';
  }
  const probed = start.subarray(0, PROBED_BYTES);
  const units = Math.floor(probed.length / 2);
  if (units < 4) return null;
  const zeros = [0, 0];
  for (let at = 0; at < units * 2; at++) if (probed[at] === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > units / 2 && even === 0) return 'utf-16le';
  if (even > units / 2 && odd === 0) return 'utf-16be';
  return null;
}

/** Bytes that Windows-1252 does not define. */
const UNDEFINED: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** At most, the bytes of a hundred of Western text that are not ASCII. */
const MOST_HIGH_PERCENT = 30;
/** At least, the pairs of letters of Windows-1252 for one pair that is UTF-8 by chance. */
const CHANCE_OF_UTF8 = 10;

/**
 * Whether bytes that are not UTF-8 can be Windows-1252. They are not if most of them are UTF-8, because
 * then the file is UTF-8 with damaged bytes.
 */
export function canBeWindows1252(bytes: Buffer): boolean {
  let high = 0;
  let pairs = 0;
  let others = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte < 0x20 ? !isWhiteSpace(byte) : UNDEFINED.includes(byte)) return false;
    if (byte < 0x80) continue;
    high += 1;
    const length = sequenceLength(byte);
    if (length === 1 || !isUtf8(bytes.subarray(at, at + length))) others += 1;
    else {
      pairs += 1;
      high += length - 1;
      at += length - 1;
    }
  }
  return high * 100 <= bytes.length * MOST_HIGH_PERCENT && pairs * CHANCE_OF_UTF8 <= others;
}

/** Tab, line feed, form feed or carriage return. */
function isWhiteSpace(byte: number): boolean {
  return byte === 9 || byte === 10 || byte === 12 || byte === 13;
}

/** Bytes of a UTF-8 sequence, by its first byte. */
function sequenceLength(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 1;
}

/** Whether the only bytes that are not UTF-8 are the start of a character at the end: a file cut off. */
export function endsInsideCharacter(bytes: Buffer): boolean {
  for (let missing = 1; missing < 4 && missing <= bytes.length; missing++) {
    const at = bytes.length - missing;
    if (sequenceLength(bytes[at] as number) > missing) return isUtf8(bytes.subarray(0, at));
  }
  return false;
}
