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

/** The letters that languages have beyond ASCII, or the most frequent ones, and how much of what is not ASCII they are at least. */
const SCRIPTS = encodings.scripts as readonly {
  encoding: Encoding;
  letters: string;
  least: number;
}[];
/** Signs that texts of any language have. */
const SIGNS = /[\u2010-\u2030€£°§©®«»·×\u00a0、。！？「」★☆]/g;

/**
 * The encoding of bytes that are not UTF-8; null if none is likely, or if most of them are UTF-8, because then the file
 * is UTF-8 with damaged bytes.
 */
export function encodingOf(bytes: Buffer): Encoding | null {
  const count = (given: string, what: RegExp) => given.match(what)?.length ?? 0;
  const asUtf8 = bytes.toString();
  const whole = count(asUtf8, /[^\0-\x7f\ufffd]/gu);
  const damaged = count(asUtf8, /\ufffd/g);
  if (whole * 2 > damaged) return null;
  const scored = SCRIPTS.map(({ encoding, letters, least }) => {
    const text = (decodeAs(encoding, bytes) ?? '').replaceAll(SIGNS, '');
    const others = count(text, /[^\0-\x7f]/g);
    // Other scripts than Latin have them side by side.
    const isLatin = /\p{sc=Latin}/u.test(letters);
    const one = `[${letters}]`;
    const beside = `${one}(?=[^\\0-\\x7f])|(?<=[^\\0-\\x7f])${one}`;
    const known = count(text, RegExp(isLatin ? one : beside, 'g'));
    // Signs alone are those of Windows-1252, which has no control characters.
    const score = others === 0 ? 2 * Number(text !== '') : known / (others * least);
    return { encoding, score: /(?![\t\n\f\r])\p{Cc}/u.test(text) ? 0 : score };
  });
  const [found] = scored.toSorted((one, other) => other.score - one.score);
  return found && found.score >= 1 ? found.encoding : null;
}

/** Null if a byte is none of the encoding; `stream`: a character may be cut off at the end. */
export function decodeAs(encoding: Encoding, bytes: Buffer, stream = false): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream });
  } catch {
    return null;
  }
}

/** Whether the only bytes that are not UTF-8 are the start of a character at the end: a file cut off. */
export function endsInsideCharacter(bytes: Buffer): boolean {
  return decodeAs('utf-8', bytes, true) !== null;
}
