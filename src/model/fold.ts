// Folding makes equivalent spellings equal for search. Queries and texts are both folded, so folding must
// be idempotent, and must not depend on the position of a word in the text.

/** Combining marks of alphabets; vowel signs of other scripts stay. */
// oxlint-disable-next-line no-misleading-character-class -- matches the marks themselves
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const SINGLE_QUOTES = /[\u2018-\u201b\u2032\u2039\u203a\u02b9\u02bb-\u02bd\u00b4`]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033\u00ab\u00bb\u301d-\u301f]/g;
const DASHES = /[\u2010-\u2015\u2212\u2043\u02d7\u2e3a\u2e3b]/g;
const WHITE_SPACE = /\s+/g;
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const PLAIN = /^[\0-\x7f]*$/;
/** What `tidy` changes in ASCII text; most texts have none of it. */
const UNTIDY = /`|\s\s|[^\S ]/;
/** Marks after the 30th on one letter; no language has as many, and normalization is quadratic in them. */
const TOO_MANY_MARKS = /(?<=\p{M}{30})\p{M}/gu;

/**
 * Folds a text for comparison: Unicode NFKC, case, accents, typographic quotes and dashes, and runs
 * of white space. Case goes through upper case, so that ß equals SS and ς equals σ.
 */
export function fold(text: string): string {
  if (PLAIN.test(text)) {
    const lower = text.toLowerCase();
    return UNTIDY.test(lower) ? tidy(lower) : lower;
  }
  // Punctuation comes first: NFKC turns ´ into a space and an accent, and ″ into two primes.
  const unaccented = foldPunctuation(text)
    .replace(TOO_MANY_MARKS, '')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFKC');
  return tidy(unaccented.toLowerCase());
}

/** Equal for the spellings of an author that count as one: case, accents and white space do not matter. */
export function foldAuthor(author: string): string {
  return fold(author).trim();
}

function tidy(text: string): string {
  return foldPunctuation(text).replace(WHITE_SPACE, ' ');
}

function foldPunctuation(text: string): string {
  return text.replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, '-');
}

/** Without case, accents, spaces and signs. */
export function plainName(name: string): string {
  return fold(name).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The words of a heading or an answer, so that "tell *only us*" is read as "tell only us". */
export function wordsOf(text: string): string {
  const words = fold(text).replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return words.trim();
}

/** What begins, or is, a word of `wordsOf`. */
export function wordPattern(patterns: readonly string[], isWhole = false): RegExp {
  const end = isWhole ? '(?![\\p{L}\\p{N}])' : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns.join('|')})${end}`, 'u');
}
