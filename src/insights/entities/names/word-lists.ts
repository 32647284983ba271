// The word lists for names as sets: given names, short forms, and cues around a name.

import commonWords from './common-words.json' with { type: 'json' };
import cues from './cues.json' with { type: 'json' };
import firstNames from './first-names.json' with { type: 'json' };
import nicknames from './nicknames.json' with { type: 'json' };
import namedProblems from '../problems/named.json' with { type: 'json' };
import wording from '../problems/wording.json' with { type: 'json' };
import { setOf } from '../../text/grammar.ts';
import homeServices from '../../verticals/home_services.json' with { type: 'json' };
import money from '../../verticals/shared/money.json' with { type: 'json' };
import people from '../../verticals/shared/people.json' with { type: 'json' };
import time from '../../verticals/shared/time.json' with { type: 'json' };
import work from '../../verticals/shared/work.json' with { type: 'json' };

const COMMON_WORDS = setOf(commonWords.words.join(' '));

/** The words and prefixes ("install*") of the cue lists, which are not names. */
const VOCABULARY = vocabularyOf([work, time, money, people, homeServices, namedProblems, wording]);

function vocabularyOf(files: readonly unknown[]): { words: Set<string>; beginnings: Set<string> } {
  const words = new Set<string>();
  const beginnings = new Set<string>();
  for (const [word] of JSON.stringify(files).matchAll(/[a-z]{3,}\*?/g)) {
    if (word.endsWith('*')) beginnings.add(word.slice(0, -1));
    else words.add(word);
  }
  return { words, beginnings };
}

/** The lists of cues.json, by key. */
export const CUES = Object.fromEntries(
  Object.entries(cues).map(([key, line]) => [key, setOf(line)]),
) as Readonly<Record<keyof typeof cues, ReadonlySet<string>>>;

const CUE_WORDS: ReadonlySet<string> = new Set(Object.values(CUES).flatMap((words) => [...words]));

/** Whether a folded word is a cue around names. */
export function isCueWord(word: string): boolean {
  return CUE_WORDS.has(word);
}

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

/** Whether a folded word, or its singular, is in the cue lists. */
export function isVocabulary(word: string): boolean {
  if (VOCABULARY.words.has(word) || VOCABULARY.words.has(word.replace(/e?s$/, ''))) return true;
  for (let length = 4; length <= word.length; length += 1) {
    if (VOCABULARY.beginnings.has(word.slice(0, length))) return true;
  }
  return false;
}

const FORMS: ReadonlyMap<string, ReadonlySet<string>> = formsOf(nicknames.groups);

function formsOf(groups: readonly string[]): Map<string, Set<string>> {
  const forms = new Map<string, Set<string>>();
  for (const group of groups) {
    const [full = '', ...short] = group.split(' ');
    for (const form of short) {
      forms.set(full, (forms.get(full) ?? new Set()).add(form));
      forms.set(form, (forms.get(form) ?? new Set()).add(full));
    }
  }
  return forms;
}

/**
 * Other forms of a given name: the short forms of a full name ("michael": mike), or the full names of a
 * short form ("mike": michael, miguel). Two short forms of one name are different: Bert is not Al.
 */
export function otherFormsOf(name: string): ReadonlySet<string> {
  return FORMS.get(name) ?? new Set();
}
