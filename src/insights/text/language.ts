// Recognises the language of a text. The share of words that only English has decides first, then that of all words of
// English texts; franc, which counts letters, names the other languages.

import { franc } from 'franc-min';
import { CLUSTERS } from '../claims/features.ts';
import { FEW, languageOfFewWords, languageOfWords, readerOf } from '../languages/languages.ts';
import { LEXICON } from '../sentiment/lexicon.ts';
import { once } from '../once.ts';
import english from './english.json' with { type: 'json' };
import type { Token } from './text.ts';

/** The least share of English words in an English text. */
const ENGLISH = 0.15;
/** From this share of words that English texts have, franc, which is unreliable for short texts, is not asked. */
const KNOWN_WORDS = 0.6;
/** The least share of common words of another language that is read, in a text and in a short one. */
const OTHER = 0.25;
const OTHER_SHORT = 0.5;
/** A text with less words is short. */
const SHORT = 20;
/** How much of the text is examined, in UTF-16 units and in words. */
const SAMPLE = 2_000;
const LONGEST_WORD = 60;
const SAMPLE_WORDS = 300;

const ENGLISH_WORDS: ReadonlySet<string> = new Set(english.own.split(' '));
const SHARED_WORDS: ReadonlySet<string> = new Set(english.shared.split(' '));

/** How much each word counts as English. */
const shareOfWords = once(() => {
  const shares = new Map<string, number>();
  for (const word of ENGLISH_WORDS) shares.set(word, 1);
  for (const word of SHARED_WORDS.union(LEXICON.words))
    shares.set(word, (shares.get(word) ?? 0) + 0.5);
  return shares;
});

/** ISO 639-3 codes of the languages that franc-min is asked for. */
const KNOWN =
  `eng spa fra deu ita por nld pol swe rus ukr ces ron hun ell tur arb pes heb hin ben cmn
   jpn kor vie ind tha tgl srp bul tam tel urd`.split(/\s+/);
/** Scripts that identify a language. Kana come before Han, because Japanese uses both. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['th', /\p{Script=Thai}/u],
];

/**
 * The ISO 639-1 code of a text's language; "und" for an unknown language other than English; null if there
 * are too few words to decide. Texts without a language are analysed as English.
 */
export function languageOf(text: string, tokens: readonly Token[]): string | null {
  const words = tokens.slice(0, SAMPLE_WORDS).filter(({ kind }) => kind === 'word');
  if (words.length === 0) return null;
  const first = languageOfAll(text, words);
  const isOther = first !== null && first !== 'en' && !readerOf(first);
  const isPlain = first === 'en' && words.length < FEW && !/[^\P{L}a-z]/iu.test(text);
  if (words.length >= SHORT || isOther || isPlain) return first;
  const written = words.map(({ start, end }) =>
    text.slice(start, Math.min(end, start + LONGEST_WORD)),
  );
  return languageOfFewWords(written, OTHER_SHORT, ENGLISH_WORDS) ?? first;
}

function languageOfAll(text: string, words: readonly Token[]): string | null {
  const shareOf = (isMeant: (token: Token) => boolean) =>
    words.filter(isMeant).length / words.length;
  const shares = shareOfWords();
  let count = 0;
  for (const { folded } of words) count += shares.get(folded) ?? 0;
  const share = count / words.length;
  const other = languageOfWords(words, Math.max(OTHER, share));
  if (other !== null && words.length >= FEW) return other;
  if (share >= ENGLISH) return 'en';
  const isLatin = shareOf(({ folded }) => /^\p{Script=Latin}/u.test(folded)) > 0.5;
  if (isLatin && words.length < FEW) return null;
  const script = SCRIPTS.find(([, letters]) => shareOf(({ folded }) => letters.test(folded)) > 0.3);
  if (script) return script[0];
  const clusters = CLUSTERS();
  if (isLatin && shareOf(({ folded }) => clusters.has(folded)) >= KNOWN_WORDS) return 'en';
  const found = franc(text.slice(0, SAMPLE), { only: KNOWN });
  // The short codes are those of ISO 639-1; Intl has a longer one for Tagalog.
  return found === 'tgl' ? 'tl' : (Intl.getCanonicalLocales(found)[0] as string);
}
