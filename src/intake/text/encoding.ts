// The character encodings of files, recognised by content.

import encodings from './encodings.json' with { type: 'json' };

/** As messages and reports name them. */
export const ENCODING_NAMES = encodings.names;
export type Encoding = keyof typeof ENCODING_NAMES;
export const ENCODINGS = Object.keys(ENCODING_NAMES) as [Encoding, ...Encoding[]];

/** UTF-16, by its byte order mark. */
export function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  const mark = start.length < 2 ? 0 : start.readUInt16BE(0);
  if (mark === 0xfffe) return 'utf-16le';
  return mark === 0xfeff ? 'utf-16be' : null;
}

/** Bytes that Windows-1252 does not define. */
const UNDEFINED: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
const WHITE_SPACE: readonly number[] = [9, 10, 12, 13];
/** At most, the bytes of a hundred of Western text that are not ASCII. */
const MOST_HIGH_PERCENT = 30;
/** At least, the letters of Windows-1252 for one pair of them that is UTF-8 by chance. */
const CHANCE_OF_UTF8 = 10;

/** What typical texts of other scripts have, and how much of what is not ASCII it is at least. */
const SCRIPTS = encodings.scripts as readonly { encoding: Encoding; has: string; least: number }[];

/**
 * The encoding of bytes that are not UTF-8; null if none is likely, or if most of them are UTF-8, because then the file
 * is UTF-8 with damaged bytes.
 */
export function encodingOf(bytes: Buffer): Encoding | null {
  const count = (given: string, what: RegExp) => given.match(what)?.join('').length ?? 0;
  const asUtf8 = bytes.toString();
  const whole = count(asUtf8, /[^\0-\x7f\ufffd]/gu);
  const damaged = count(asUtf8, /\ufffd/g);
  if (whole * 2 > damaged) return null;
  const found = SCRIPTS.find(({ encoding, has, least }) => {
    const text = decodeAs(encoding, bytes) ?? '';
    return count(text, new RegExp(has, 'g')) > count(text, /[^\0-\x7f]/g) * least;
  });
  if (found) return found.encoding;
  const isNone = (byte: number) =>
    byte < 0x20 ? !WHITE_SPACE.includes(byte) : UNDEFINED.includes(byte);
  const high = count(bytes.toString('latin1'), /[\x80-\xff]/g);
  const isWestern =
    high * 100 <= bytes.length * MOST_HIGH_PERCENT && whole * CHANCE_OF_UTF8 <= damaged;
  return isWestern && !bytes.some(isNone) ? 'windows-1252' : null;
}

/** Null if a byte is none of the encoding. */
export function decodeAs(encoding: Encoding, bytes: Buffer): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether the only bytes that are not UTF-8 are the start of a character at the end: a file cut off. */
export function endsInsideCharacter(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
