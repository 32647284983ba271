// The character encodings of files: UTF-8, UTF-16 and Windows-1252, recognised by content.

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** As messages and reports name them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'windows-1252': 'Windows-1252',
};

/** UTF-16, by its byte order mark. */
export function utf16Of(start: Buffer): 'utf-16le' | 'utf-16be' | null {
  const mark = start.length < 2 ? 0 : start.readUInt16BE(0);
  if (mark === 0xfffe) return 'utf-16le';
  return mark === 0xfeff ? 'utf-16be' : null;
}

/** Bytes that Windows-1252 does not define. */
const UNDEFINED: readonly number[] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** Tab, line feed, form feed and carriage return. */
const WHITE_SPACE: readonly number[] = [9, 10, 12, 13];
/** At most, the bytes of a hundred of Western text that are not ASCII. */
const MOST_HIGH_PERCENT = 30;
/** At least, the letters of Windows-1252 for one pair of them that is UTF-8 by chance. */
const CHANCE_OF_UTF8 = 10;

/**
 * Whether bytes that are not UTF-8 can be Windows-1252. They are not if most of them are UTF-8, because
 * then the file is UTF-8 with damaged bytes.
 */
export function canBeWindows1252(bytes: Buffer): boolean {
  const isNone = (byte: number) =>
    byte < 0x20 ? !WHITE_SPACE.includes(byte) : UNDEFINED.includes(byte);
  if (bytes.some(isNone)) return false;
  const count = (given: string, what: RegExp) => given.match(what)?.length ?? 0;
  const asUtf8 = bytes.toString();
  const damaged = count(asUtf8, /\ufffd/g);
  const whole = count(asUtf8, /[^\0-\x7f\ufffd]/gu);
  const high = count(bytes.toString('latin1'), /[\x80-\xff]/g);
  const isWestern = high * 100 <= bytes.length * MOST_HIGH_PERCENT;
  return isWestern && whole * CHANCE_OF_UTF8 <= damaged;
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
