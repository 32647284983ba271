// The word lists for names as sets: given names, short forms, ordinary words, and classes of the words around a name.

import { CLUSTERS } from '../../claims/features.ts';
import { setOf } from '../../text/grammar.ts';
import commonWords from './common-words.json' with { type: 'json' };
import cues from './cues.json' with { type: 'json' };
import firstNames from './first-names.json' with { type: 'json' };
import nicknames from './nicknames.json' with { type: 'json' };
import relations from './relations.json' with { type: 'json' };

const COMMON_WORDS = setOf(commonWords.words.join(' '));

const setsOf = <T extends Readonly<Record<string, string>>>(lists: T) =>
  Object.fromEntries(Object.entries(lists).map(([key, line]) => [key, setOf(line)])) as Readonly<
    Record<keyof T, ReadonlySet<string>>
  >;
/** The lists of cues.json, by key. */
export const CUES = setsOf(cues);
/** The lists of relations.json, by key. */
export const RELATIONS = setsOf(relations);

/** "name": almost always a name. "word": also a word, a place or a brand. */
export type GivenName = 'name' | 'word';

const GIVEN_NAMES: ReadonlyMap<string, GivenName> = new Map([
  ...[...setOf(firstNames.names.join(' '))].map((name) => [name, 'name'] as const),
  ...[...setOf(firstNames.words.join(' '))].map((name) => [name, 'word'] as const),
]);

/** The kind of given name that a folded word is; null for any other word. */
export function givenNameOf(word: string): GivenName | null {
  return GIVEN_NAMES.get(word) ?? null;
}

/** Whether a folded word is almost never a name, even with a capital. */
export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word);
}

/** Whether a folded word is one of the language, so that a capital alone makes it no name. */
export function isOrdinaryWord(word: string): boolean {
  const isKnown = (one: string) => COMMON_WORDS.has(one) || CLUSTERS().has(one);
  return isKnown(word) || /.ly$/.test(word) || isKnown(word.replace(/e?s$/, ''));
}

/** Sets by folded words. */
export type Index = Map<string, Set<string>>;

export function put(index: Index, key: string, value: string): void {
  index.set(key, (index.get(key) ?? new Set()).add(value));
}

const FORMS: Index = new Map();
for (const [full = '', ...short] of nicknames.groups.map((group) => group.split(' ')))
  for (const form of short) {
    put(FORMS, full, form);
    put(FORMS, form, full);
  }

/**
 * Other forms of a given name: the short forms of a full name ("michael": mike), or the full names of a
 * short form ("mike": michael, miguel). Two short forms of one name are different: Bert is not Al.
 */
export function otherFormsOf(name: string): ReadonlySet<string> {
  return FORMS.get(name) ?? new Set();
}

const SOUNDS = nicknames.sounds.map(
  ([letters, sound]) => [new RegExp(letters!, 'g'), sound!] as const,
);

/** What spellings that sound alike have in common: "hana" of Hanna and Hannah. */
export function soundOf(word: string): string {
  return SOUNDS.reduce((sound, [letters, other]) => sound.replace(letters, other), word);
}
