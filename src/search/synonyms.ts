// Words that mean the same in a search: ours by language and vertical, and those of the business.

import type { Business } from '../model/business.ts';
import { fold } from '../model/fold.ts';
import { GENERAL, lineageOf } from '../model/verticals.ts';
import wordClusters from '../model/word-clusters.json' with { type: 'json' };
import { splitWords } from '../model/words.ts';
import { NamedRuns } from './named-runs.ts';
import narrower from './narrower.json' with { type: 'json' };
import type { StemIndex } from './stems.ts';
import data from './synonyms.json' with { type: 'json' };
import translations from './translations.json' with { type: 'json' };

/** Words in a row. */
type Term = readonly string[];

/** Groups of folded words or short phrases that mean the same, by language and vertical. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, readonly (readonly string[])[]>>>> =
  data;
/** The groups for a business with reviews in some languages, and its own. */
export function synonymGroups(
  { vertical, synonyms = [] }: Pick<Business, 'vertical' | 'synonyms'>,
  languages: readonly string[],
): (readonly string[])[] {
  const names = new Set([GENERAL, ...lineageOf(vertical)]);
  const ours = languages.flatMap((language) =>
    [...names].flatMap((name) => GROUPS[language]?.[name] ?? []),
  );
  return [...synonyms, ...ours];
}

/** Words of questions in other languages, each with what it is in English. */
export const TRANSLATIONS: readonly { readonly foreign: Term; readonly english: Term }[] =
  Object.values(translations).flatMap((words) =>
    entriesOf(words).flatMap(({ key: english, terms }) =>
      terms.map((foreign) => ({ foreign, english })),
    ),
  );

/** What a word of a search is found by, and not the other way round: "pets" by dogs. By language. */
const NARROWER = Object.entries(narrower).map(([language, words]) => ({
  language,
  entries: entriesOf(words),
}));

/** Each term with those that are listed for it. */
function entriesOf(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([key, list]) => ({
    key: key.split(' ') as Term,
    terms: list.split(', ').map((term): Term => term.split(' ')),
  }));
}

/** Some words in English, as far as they are of another language. */
export function translated(words: readonly string[]): string[] {
  return TRANSLATIONS.flatMap(({ foreign: [word = '', ...others], english }) =>
    others.length === 0 && words.includes(word) ? english : [],
  );
}

/** Words that are spelled right: those of all groups, and the frequent ones of English. */
const WORDS: ReadonlySet<string> = new Set([
  ...TRANSLATIONS.flatMap(({ foreign }) => foreign),
  ...NARROWER.flatMap(({ entries }) => entries.flatMap(({ key }) => key)),
  ...Object.values(GROUPS)
    .flatMap((verticals) => Object.values(verticals).flat(2))
    .filter((term) => !term.includes(' ')),
  ...wordClusters.clusters.flatMap((words) => words.split(' ')),
]);

/** Whether a folded word is certainly spelled right, although no review may have it. */
export function isWord(word: string): boolean {
  return WORDS.has(word);
}

/** The other terms of each group, by a term. */
export type Synonyms = NamedRuns<readonly Term[]>;

export interface OtherWords {
  readonly synonyms: Synonyms;
  /** What is narrower than a term. */
  readonly narrower: Synonyms;
}

/** Those of indexes in memory, which often have the same groups: of many sites, and of what is served and what comes next. */
const SHARED = new Map<string, WeakRef<OtherWords>>();

/** Reads groups in JSON; where reviews are in English, a term is also found by its translations. */
export function readOtherWords(json: string, stems: StemIndex): OtherWords {
  const key = JSON.stringify([stems.languages, json]);
  const known = SHARED.get(key)?.deref();
  if (known) return known;
  for (const [other, words] of SHARED) if (!words.deref()) SHARED.delete(other);
  const synonyms = synonymsOf(JSON.parse(json) as string[][], stems);
  const read = { synonyms, narrower: narrowerOf(stems) };
  SHARED.set(key, new WeakRef(read));
  return read;
}

function narrowerOf(stems: StemIndex): Synonyms {
  const runs: Synonyms = new NamedRuns((word) => stems.mainStemOf(word));
  for (const { language, entries } of NARROWER)
    if (stems.languages.includes(language))
      for (const { key, terms } of entries) runs.add(key, terms);
  return runs;
}

function synonymsOf(groups: readonly (readonly string[])[], stems: StemIndex): Synonyms {
  const keyOf = (word: string) => stems.mainStemOf(word);
  const runs = new NamedRuns<readonly Term[]>(keyOf);
  for (const group of groups) {
    const terms = group.map((term) => splitWords(fold(term)).map(({ word }) => word));
    const keys = terms.map((term) => term.map(keyOf).join(' '));
    terms.forEach((term, at) => {
      // Two inflected forms of a word are in one group, but name it once.
      if (keys.indexOf(keys[at] as string) === at)
        runs.add(
          term,
          terms.filter((_, other) => keys[other] !== keys[at]),
        );
    });
  }
  for (const { foreign, english } of stems.languages.includes('en') ? TRANSLATIONS : []) {
    runs.add(foreign, [english, ...runs.of(english).flat()]);
  }
  return runs;
}
