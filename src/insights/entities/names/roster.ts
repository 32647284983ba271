// Matches names in reviews with the technicians of the catalogue: by name, alias, short form, a family name that only
// one has, a spelling that sounds alike, or one with a wrong letter.

import { editsBetween } from '../../../model/closeness.ts';
import type { Token } from '../../text/text.ts';
import { tokenise } from '../../text/tokens.ts';
import type { Person } from './candidates.ts';
import {
  CUES,
  type GivenName,
  givenNameOf,
  type Index,
  isCommonWord,
  isOrdinaryWord,
  otherFormsOf,
  put,
  RELATIONS,
  soundOf,
} from './word-lists.ts';

export interface Technician {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
}

/** How a word names somebody: as the catalogue does, by another form of the given name, by its sound or a family name
 * alone, or, least surely, by a slip or a word that means something else. */
type By = 'name' | 'form' | 'sound' | 'slip';
/** "shared": several technicians have the name, so it identifies none. */
export type Match = { readonly id: string; readonly by: By } | 'shared' | null;

export interface Roster {
  /** @param title the word before a name behind a title, folded */
  readonly match: (person: Pick<Person, 'given' | 'family' | 'name'>, title?: string) => Match;
  /** Like givenNameOf of word-lists.ts, but also with the names of the catalogue, and with a capital also
   * their misspellings. */
  readonly kindOf: (word: string, isCapital: boolean) => GivenName | null;
}

/** The least number of letters of a misspelt name, and of one that may have two errors. */
const FUZZY_LENGTH = 4;
const LONG = 8;

/** The words of a name, folded, without titles, roles and degrees: "Dr. Aoife Moran BDS (owner)" is Aoife Moran. */
export function wordsOf(name: string): string[] {
  // Bounded, since names in reviews come here too.
  const plain = name.replaceAll(/[([][^)\]]{0,80}[)\]]/g, ' ');
  const before = tokenise(plain.split(/[,;]|\s[-–—]\s/, 1)[0] ?? '');
  // "Walsh, Liam" has one word before its comma.
  const tokens = before.length > 1 ? before : tokenise(plain);
  const isRank = (bare = '') => CUES.titles.has(bare) || CUES.roles.has(bare);
  while (tokens.length > 1 && isRank(tokens[0]?.bare)) tokens.shift();
  const isDegree = ({ bare, capital } = tokens[0] as Token) =>
    bare.length > 1 && capital === 'upper';
  while (tokens.length > 1 && !isDegree() && isDegree(tokens.at(-1))) tokens.pop();
  return tokens.map(({ bare }) => bare);
}

/** A technician with a family name; `given` has the first words of the name and aliases. */
interface FullName {
  readonly id: string;
  readonly given: ReadonlySet<string>;
  readonly family: string;
}

/** Ids by folded names: whole ones, first words before a family name, their other forms, and family names. */
function indexNames(technicians: readonly Technician[]) {
  const spellings: Index = new Map();
  const [givens, forms, families]: [Index, Index, Index] = [new Map(), new Map(), new Map()];
  const full: FullName[] = [];
  for (const { id, name, aliases } of technicians) {
    const names = [name, ...aliases].map(wordsOf).filter((words) => words.length > 0);
    for (const words of names) {
      put(spellings, words.join(' '), id);
      for (const form of otherFormsOf(words[0]!)) put(forms, form, id);
    }
    const [first = []] = names;
    if (first.length < 2) continue;
    put(givens, first[0]!, id);
    put(families, first.at(-1)!, id);
    full.push({ id, given: new Set(names.map(([word]) => word!)), family: first.at(-1)! });
  }
  return { spellings, givens, forms, families, full };
}

/** Ids by the words of indexes that name somebody alone, each as `keyOf` has it. */
function wordsIn(indexes: readonly Index[], keyOf: (word: string) => string): Index {
  const words: Index = new Map();
  for (const [word, ids] of indexes.flatMap((index) => [...index]))
    for (const id of word.includes(' ') ? [] : ids) put(words, keyOf(word), id);
  return words;
}

export function buildRoster(technicians: readonly Technician[]): Roster {
  const { spellings, givens, forms, families, full } = indexNames(technicians);
  const firsts = spellings.keys().map((spelling) => spelling.split(' ')[0]!);
  const isWord = (word: string) => /^(?:.|the|big|little|lil|old|young)$/u.test(word);
  const words = new Set(firsts.filter((word) => !isWord(word)));
  const sounds = wordsIn([spellings, givens, forms, families], soundOf);
  const givenSounds = wordsIn([spellings, givens], soundOf);
  const alone = wordsIn([spellings, givens, families], (word) => word);

  const single = (index: Index, key: string, by: By = 'name'): Match =>
    onlyOf(index.get(key) ?? [], by);
  const misspelt = (word: string): Match => {
    if (word.length < FUZZY_LENGTH || isCommonWord(word)) return null;
    const isGiven = givenNameOf(word) !== null;
    const isUnknown = !isGiven && !isOrdinaryWord(word);
    const by = isGiven || isUnknown ? 'sound' : 'slip';
    const same = single(isGiven ? givenSounds : sounds, soundOf(word), by);
    if (same !== null || !isUnknown) return same;
    const near = [...alone].filter(([target]) => isSlip(word, target));
    return onlyOf(
      near.flatMap(([, ids]) => [...ids]),
      'slip',
    );
  };
  const byGiven = (given: string): Match =>
    single(spellings, given) ??
    single(givens, given) ??
    single(forms, given, 'form') ??
    misspelt(given);

  const byBoth = (given: string, family: string): Match => {
    const isGiven = ({ id, given: own }: FullName) =>
      forms.get(given)?.has(id) === true || [...own].some((name) => isSpelling(given, name));
    const named = full.filter((one) => isFamily(family, one.family) && isGiven(one));
    const whole = onlyOf(new Set(named.map(({ id }) => id)), 'name');
    if (whole !== null) return whole;
    // A technician without a family name in the catalogue may have this one.
    const match = single(spellings, given);
    const isFull = full.some(({ id }) => match !== null && match !== 'shared' && id === match.id);
    return isFull ? null : match;
  };

  return {
    match: ({ given, family, name }, title = '') => {
      const whole = single(spellings, wordsOf(name).join(' '));
      if (whole !== null) return whole;
      if (given !== null) return family === null ? byGiven(given) : byBoth(given, family);
      // "Dr. Stone", but also "Dr. Imani".
      const match = single(families, family ?? '') ?? byGiven(family ?? '');
      const named = full.find(({ id }) => match !== null && match !== 'shared' && id === match.id);
      return isOtherSex(title, named) ? null : match;
    },
    kindOf: (word, isCapital) => {
      const kind = givenNameOf(word);
      if (kind !== null) return kind;
      if (words.has(word)) return isCommonWord(word) ? 'word' : 'name';
      return !isCapital || misspelt(word) === null ? null : 'word';
    },
  };
}

function onlyOf(all: Iterable<string>, by: By): Match {
  const [id, ...others] = new Set(all);
  if (id === undefined) return null;
  return others.length > 0 ? 'shared' : { id, by };
}

/** Whether a title is of the other sex than a given name. */
function isOtherSex(title: string, one: FullName | undefined): boolean {
  const [given = ''] = one?.given ?? [];
  const { male, female } = RELATIONS;
  return male.has(title) ? female.has(given) : female.has(title) && male.has(given);
}

/** Whether a word means a family name: an initial, or a spelling of it. */
function isFamily(word: string, family: string): boolean {
  return word.length === 1 ? family.startsWith(word) : isSpelling(word, family);
}

function isSpelling(word: string, name: string): boolean {
  if (word === name || isSlip(word, name)) return true;
  return word.length >= FUZZY_LENGTH && soundOf(word) === soundOf(name);
}

function isSlip(word: string, name: string): boolean {
  if (name.length < FUZZY_LENGTH || word[0] !== name[0]) return false;
  return editsBetween(word, name, name.length < LONG ? 1 : 2) < Infinity;
}
