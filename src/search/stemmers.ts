// The stemmer of each language.

type Stemmer = (word: string) => string;

/** ISO 639-1 codes, and the modules of their stemmers. */
const MODULES = `
  ar:arabic bg:bulgarian da:danish de:german el:greek en:english es:spanish fi:finnish
  fr:french hi:indian hu:hungarian id:indonesian it:italian nl:dutch no:norwegian
  pt:portuguese ro:romanian ru:russian sr:serbian sv:swedish ta:tamil tr:turkish
  uk:ukrainian
`;

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map(
  await Promise.all(
    MODULES.trim()
      .split(/\s+/)
      .map(async (module) => {
        const [code = '', name] = module.split(':');
        const { stemmer } = (await import(`@orama/stemmers/${name}`)) as { stemmer: Stemmer };
        return [code, stemmer] as const;
      }),
  ),
);

/** English adverbs and adjectives that mean something else than the word they are made from. */
const OWN_STEMS: ReadonlySet<string> = new Set(
  'lately hardly nearly shortly barely fairly friendly'.split(' '),
);
/** Longer words are not inflected forms. */
const MAX_LETTERS = 40;
const LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;

export function hasStemmer(language: string): boolean {
  return STEMMERS.has(language);
}

/** The stem of a folded word; null if it has none, as numbers have. */
export function stemOf(language: string, word: string): string | null {
  if (word.length > MAX_LETTERS || !LETTERS.test(word)) return null;
  if (language === 'en' && OWN_STEMS.has(word)) return word;
  return STEMMERS.get(language)?.(word) ?? null;
}
