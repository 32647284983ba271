// Splits a text into tokens: words, numbers and emoji (see text.ts).

import { fold } from '../../model/fold.ts';
import { type Capital, GAP, type Token } from './text.ts';

const LETTER_OR_DIGIT = /^[\p{L}\p{N}\p{M}]$/u;
const EMOJI = /^(?:\p{Extended_Pictographic}|\p{Emoji_Presentation})$/u;
/** Characters that continue an emoji: skin tones, joiners, variation selectors, enclosing marks. */
const EMOJI_CONTINUATION = /^(?:\p{Emoji_Modifier}|\u200d|\ufe0f|\ufe0e|\u20e3)$/u;
const EMOTICON = /[:;=]['\u2019]?-?(?:\)+|\(+|[DPpO/|\\\][*](?![\p{L}\p{N}]))|<3(?!\d)/uy;
/** A tag or a character reference. The bounds keep the search for the end linear. */
const MARKUP = /<\/?[a-zA-Z][^<>]{0,200}>|&(?:#\d{1,6}|[a-zA-Z]{2,8});/y;
const NUMBER = /^\p{N}+$/u;

/** The most UTF-16 units of a word that are folded. */
const LONGEST = 200;

export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let gap = 0;
  while (at < text.length) {
    const end = wordEnd(text, at);
    if (end > at) {
      tokens.push(wordToken(text, at, end, gap));
      gap = 0;
      at = end;
      continue;
    }
    const special = specialAt(text, at);
    if (special.isEmoji) {
      const folded = baseEmoji(text.slice(at, special.end));
      tokens.push({
        kind: 'emoji',
        start: at,
        end: special.end,
        folded,
        bare: folded,
        capital: 'none',
        gap,
      });
      gap = 0;
    } else {
      gap |= special.gap;
    }
    at = special.end;
  }
  return tokens;
}

/** Where the word that begins at `start` ends; `start` if no word begins there. */
function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isAsciiWord(code)) {
      at += 1;
    } else if (code > 127) {
      const apostrophe = code === 0x2019 || code === 0x2bc || code === 0xb4;
      if (apostrophe) {
        if (at === start || !continuesAfterApostrophe(text, at + 1)) return at;
        at += 1;
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(at) as number);
      if (!LETTER_OR_DIGIT.test(character)) return at;
      at += character.length;
    } else if (
      (code === 39 || code === 96) &&
      at > start &&
      continuesAfterApostrophe(text, at + 1)
    ) {
      at += 1;
    } else if (
      (code === 46 || code === 44) &&
      at > start &&
      isDigit(text, at - 1) &&
      isDigit(text, at + 1)
    ) {
      // A decimal point or a thousands separator.
      at += 1;
    } else {
      return at;
    }
  }
  return at;
}

function isAsciiWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** Half of a surrogate pair does not count: compounds of such letters are rare. */
function isWordCharacter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isAsciiWord(code) || (code > 127 && LETTER_OR_DIGIT.test(text.charAt(at)));
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function continuesAfterApostrophe(text: string, at: number): boolean {
  return at < text.length && /^\p{L}/u.test(text.slice(at, at + 2));
}

function wordToken(text: string, start: number, end: number, gap: number): Token {
  const word = text.slice(start, end);
  const folded = isPlainWord(word) ? word : fold(word.slice(0, LONGEST));
  const bare = folded.endsWith("'s") ? folded.slice(0, -2) : folded;
  const first = word.charCodeAt(0);
  const isNumber = first < 128 ? first < 58 && !/[a-z]/i.test(word) : NUMBER.test(word);
  return {
    kind: isNumber ? 'number' : 'word',
    start,
    end,
    folded,
    bare,
    capital: folded === word && !isNumber && first < 128 ? 'lower' : capitalOf(word),
    gap,
  };
}

/** Small ASCII letters, of which most words consist, fold to themselves. */
function isPlainWord(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if ((code < 97 || code > 122) && code !== 39) return false;
  }
  return true;
}

function capitalOf(word: string): Capital {
  // Only the letters before an apostrophe count, and of a long word the first ones.
  const letters = word.slice(0, 40).replace(/['\u2019`\u02bc\u00b4].*$|[^\p{L}]/gsu, '');
  const [first = ''] = letters;
  const rest = letters.slice(first.length);
  const isCapital = (part: string) => part !== part.toLowerCase() && part === part.toUpperCase();
  if (first === '' || first.toLowerCase() === first.toUpperCase()) return 'none';
  if (rest === '') return isCapital(first) ? 'title' : 'lower';
  if (rest === rest.toLowerCase()) return isCapital(first) ? 'title' : 'lower';
  return isCapital(first) && isCapital(rest) ? 'upper' : 'mixed';
}

/** The emoji, punctuation or white space at an offset where no word begins. */
function specialAt(text: string, at: number) {
  const code = text.charCodeAt(at);
  if (code === 32) return { end: at + 1, isEmoji: false, gap: 0 };
  if (code === 58 || code === 59 || code === 61 || code === 60) {
    EMOTICON.lastIndex = at;
    const emoticon = EMOTICON.exec(text);
    if (emoticon) return { end: at + emoticon[0].length, isEmoji: true, gap: 0 };
  }
  if (code === 60 || code === 38) {
    MARKUP.lastIndex = at;
    const markup = MARKUP.exec(text);
    if (markup) return { end: at + markup[0].length, isEmoji: false, gap: GAP.other };
  }
  if (code > 127) {
    const character = String.fromCodePoint(text.codePointAt(at) as number);
    if (EMOJI.test(character))
      return { end: emojiEnd(text, at + character.length), isEmoji: true, gap: 0 };
    return { end: at + character.length, isEmoji: false, gap: gapOf(character) };
  }
  return { end: at + 1, isEmoji: false, gap: punctuationGap(text, at) };
}

/** An emoji without skin tone and the like; an emoticon unchanged. */
function baseEmoji(emoji: string): string {
  return emoji.charCodeAt(0) < 128 ? emoji : String.fromCodePoint(emoji.codePointAt(0) as number);
}

/** The end of an emoji with its modifiers and joined emoji, of bounded length. */
function emojiEnd(text: string, from: number): number {
  let end = from;
  for (let parts = 0; parts < 12 && end < text.length; parts += 1) {
    const character = String.fromCodePoint(text.codePointAt(end) as number);
    const isJoined = text.charCodeAt(end - 1) === 0x200d && EMOJI.test(character);
    if (!isJoined && !EMOJI_CONTINUATION.test(character)) break;
    end += character.length;
  }
  return end;
}

function punctuationGap(text: string, at: number): number {
  const character = text.charAt(at);
  if (character === '-') {
    const glued = at > 0 && isWordCharacter(text, at - 1) && isWordCharacter(text, at + 1);
    return glued ? GAP.hyphen : GAP.dash;
  }
  if (character === '.') return text.charAt(at + 1) === '.' ? GAP.ellipsis | GAP.stop : GAP.stop;
  return gapOf(character);
}

function gapOf(character: string): number {
  if (/\s/u.test(character)) return /[\n\r\u2028\u2029]/.test(character) ? GAP.line : 0;
  return GAPS[character] ?? GAP.other;
}

const GAPS: Readonly<Record<string, number>> = Object.fromEntries(
  (
    [
      [',\u3001', GAP.comma],
      ['!\uff01', GAP.exclamation],
      ['?\uff1f', GAP.question],
      ['\u3002', GAP.stop],
      [':;', GAP.colon],
      ['\u2014\u2013', GAP.dash],
      ['\u2026', GAP.ellipsis],
      ['()[]', GAP.bracket],
      ['"\'\u201c\u201d\u2018\u2019', GAP.quote],
      ['$\u00a3\u20ac', GAP.currency],
      ['/', GAP.slash],
      ['&', GAP.ampersand],
    ] as const
  ).flatMap(([signs, gap]) => Array.from(signs, (sign) => [sign, gap])),
);
