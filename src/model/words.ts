// Splits folded text into words. Texts and searches are split by the same rule.

/** Scripts without spaces between words: each of their characters counts as a word. */
const UNSPACED =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]';
const WORD = new RegExp(
  `${UNSPACED}\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]+|\\p{Extended_Pictographic}`,
  'gv',
);
const UNSPACED_CHARACTER = new RegExp(UNSPACED, 'v');

/** A word, and where it is in the text in UTF-16 units. */
export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a folded text: runs of letters, digits and marks; pictograms are words too. */
export function splitWords(folded: string): Word[] {
  return Array.from(folded.matchAll(WORD), ({ 0: word, index }) => ({
    word,
    start: index,
    end: index + word.length,
  }));
}

/** Whether a string has characters of a script without spaces between words. */
export function isUnspaced(folded: string): boolean {
  return UNSPACED_CHARACTER.test(folded);
}

/** Whether an ASCII byte of a folded text belongs to a word. */
export function isWordByte(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39);
}
