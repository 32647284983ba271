// Matches names in reviews with the technicians of the catalogue: by name, alias, short form, family name
// after a title, or a spelling with one wrong letter.

import { editsBetween } from '../../../model/closeness.ts';
import type { Token } from '../../text/text.ts';
import { tokenise } from '../../text/tokens.ts';
import type { Person } from './candidates.ts';
import { CUES, type GivenName, givenNameOf, isCommonWord, otherFormsOf } from './word-lists.ts';

export interface Technician {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
}

/** "shared": several technicians have the name, so it identifies none. */
export type Match = { readonly id: string; readonly isExact: boolean } | 'shared' | null;

export interface Roster {
  readonly match: (person: Person, spelling: string) => Match;
  /** Like givenNameOf of word-lists.ts, but also with the names of the catalogue, and with a capital also
   * their misspellings. */
  readonly kindOf: (word: string, isCapital: boolean) => GivenName | null;
}

/** The least number of letters of a misspelt name; long family names may have two errors. */
const FUZZY_LENGTH = 4;
const LONG_FAMILY = 8;

type Index = Map<string, Set<string>>;

function put(index: Index, key: string, id: string): void {
  index.set(key, (index.get(key) ?? new Set()).add(id));
}

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

/** The names of the technicians, folded. */
interface NameIndexes {
  /** Ids by whole name or alias. */
  readonly spellings: Index;
  /** Ids by the first word of names that have a family name. */
  readonly givens: Index;
  /** Ids by the other forms of given names. */
  readonly forms: Index;
  readonly families: Index;
  /** Technicians with a family name, and the first words of their names and aliases. */
  readonly full: readonly FullName[];
}

interface FullName {
  readonly id: string;
  readonly given: ReadonlySet<string>;
  readonly family: string;
}

function indexNames(technicians: readonly Technician[]): NameIndexes {
  const spellings: Index = new Map();
  const givens: Index = new Map();
  const forms: Index = new Map();
  const families: Index = new Map();
  const full: FullName[] = [];
  for (const { id, name, aliases } of technicians) {
    const names = [name, ...aliases].map(wordsOf).filter((words) => words.length > 0);
    const given = new Set<string>();
    for (const words of names) {
      put(spellings, words.join(' '), id);
      given.add(words[0] as string);
      for (const form of otherFormsOf(words[0] as string)) put(forms, form, id);
    }
    const [first = []] = names;
    if (first.length > 1) {
      const family = first.at(-1) as string;
      put(givens, first[0] as string, id);
      put(families, family, id);
      full.push({ id, given, family });
    }
  }
  return { spellings, givens, forms, families, full };
}

export function buildRoster(technicians: readonly Technician[]): Roster {
  const { spellings, givens, forms, families, full } = indexNames(technicians);
  const words = new Set(
    [...spellings.keys(), ...givens.keys()]
      .map((spelling) => spelling.split(' ')[0] as string)
      .filter((word) => word.length > 1 && !/^(?:the|big|little|lil|old|young)$/.test(word)),
  );
  const targets = Map.groupBy(
    [...new Set([...spellings.keys(), ...givens.keys()])].filter(
      (word) => !word.includes(' ') && word.length >= FUZZY_LENGTH,
    ),
    (word) => word[0],
  );

  const single = (index: Index, key: string, isExact: boolean): Match => {
    const ids = index.get(key);
    if (!ids) return null;
    const [id] = ids;
    return ids.size > 1 || id === undefined ? 'shared' : { id, isExact };
  };
  const misspelt = (word: string): Match => {
    if (word.length < FUZZY_LENGTH || givenNameOf(word) !== null || isCommonWord(word)) return null;
    const ids = new Set(
      (targets.get(word[0]) ?? [])
        .filter((target) => isMisspelling(word, target))
        .flatMap((target) => [...(spellings.get(target) ?? givens.get(target) ?? [])]),
    );
    const [id] = ids;
    if (id === undefined) return null;
    return ids.size > 1 ? 'shared' : { id, isExact: false };
  };
  const byGiven = (given: string): Match =>
    single(spellings, given, true) ??
    single(givens, given, true) ??
    single(forms, given, true) ??
    misspelt(given);

  const byBoth = (given: string, family: string): Match => {
    const isGiven = (one: FullName) => {
      if (one.given.has(given) || forms.get(given)?.has(one.id)) return true;
      return [...one.given].some((name) => name.length > 3 && isMisspelling(given, name));
    };
    const ids = full
      .filter((one) => isFamily(family, one.family) && isGiven(one))
      .map(({ id }) => id);
    const [id] = new Set(ids);
    if (id !== undefined) return new Set(ids).size > 1 ? 'shared' : { id, isExact: true };
    // A technician without a family name in the catalogue may have this one.
    const match = single(spellings, given, true);
    if (match === null || match === 'shared') return match === null ? null : 'shared';
    return full.some((one) => one.id === match.id) ? null : match;
  };

  return {
    match: ({ given, family }, spelling) => {
      const whole = single(spellings, wordsOf(spelling).join(' '), true);
      if (whole !== null) return whole;
      // "Dr. Stone", but also "Dr. Imani".
      if (given === null) return single(families, family ?? '', true) ?? byGiven(family ?? '');
      return family === null ? byGiven(given) : byBoth(given, family);
    },
    kindOf: (word, isCapital) => {
      const kind = givenNameOf(word);
      if (kind !== null) return kind;
      if (words.has(word)) return isCommonWord(word) ? 'word' : 'name';
      return !isCapital || misspelt(word) === null ? null : 'word';
    },
  };
}

/** Whether a word means a family name: an initial, or a misspelling of a long one. */
function isFamily(word: string, family: string): boolean {
  if (word.length === 1) return family.startsWith(word);
  if (word === family) return true;
  if (family.length < FUZZY_LENGTH || word[0] !== family[0]) return false;
  return editsBetween(word, family, family.length >= LONG_FAMILY ? 2 : 1) < Infinity;
}

function isMisspelling(word: string, name: string): boolean {
  return word[0] === name[0] && editsBetween(word, name, 1) === 1;
}
