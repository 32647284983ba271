// The number that a telephone dials for a text such as "+49 (0)221 / 123456 (reception)".

/** The shortest numbers that customers call, such as 13 100, and those of which no word is a part. */
const [LEAST_DIGITS, WHOLE_DIGITS] = [5, 7] as const;
/** The letters on the keys 2 to 9 (E.161). */
const KEYS = ['ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

/** The first number of a text, with its extension, in the form of a `tel:` URI (RFC 3966); null if it has none. */
export function dialled(text: string): string | null {
  const first = text
    .normalize('NFKC')
    // The zero in "+49 (0)221" is dialled at home only.
    .replace(/((?:\+|^\s*00)[\d\s]{1,6})\(0\)/, '$1')
    .replaceAll(/\([^()]*\p{L}[^()]*\)/gu, ' ')
    .replace(/^[^\d+*(]+/, '')
    .split(/\s(?:or|and|oder|und|ou|et|of|en|o|y|e)\s|[,|]|;(?!ext=)/i, 1)
    .join();
  const [whole = '', extension] = first.split(/\s*(?:;ext=|ext(?:ension)?\.?|x)\s*(?=\d+\s*$)/i);
  // Behind a whole number a slash begins the next one: "0221/123456", but "555-0142 / 555-0143".
  const slash = whole.indexOf('/', whole.search(/\d/) + 1);
  const isWhole =
    digitsIn(whole.slice(0, slash)) >= WHOLE_DIGITS + (/^(?:\+|00)/.test(whole) ? 2 : 0);
  const number = slash > 0 && isWhole ? whole.slice(0, slash) : whole;
  const [before = ''] = number.split(/\p{L}/u, 1);
  const keyOf = (letter: string) => String(KEYS.findIndex((keys) => keys.includes(letter)) + 2);
  const keyed = digitsIn(before) < WHOLE_DIGITS ? number.replaceAll(/[A-Z]/g, keyOf) : before;
  const dial = keyed.replaceAll(/[^\d+*#]/g, '');
  if (/\p{L}/u.test(keyed) || !/^\+?[\d*#]+$/.test(dial) || digitsIn(dial) < LEAST_DIGITS)
    return null;
  return extension === undefined ? dial : `${dial};ext=${extension.trim()}`;
}

function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, '').length;
}
