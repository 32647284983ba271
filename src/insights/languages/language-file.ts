// Reads the file of a language (de.json, es.json, fr.json). A file has
//
//   letters          spellings that are replaced before all else: ä by ae
//   expansions       words, or beginnings up to an apostrophe, that stand for others: l' for le
//   compoundHeads    last parts of compounds: "Kundenservice" is a service
//   prefixes         beginnings that only strengthen a word: "superfreundlich"
//   notNames         words that are no names, with a capital either; wordNames are names with one inside a sentence, or before
//                    one of personWords ("Claire est")
//   common           frequent words that tell the language, none of them English
//   negators         words of negation, unless one of notNegating follows ("nicht nur"); reach says how
//                    many words ahead (before an opinion) and back (after it: "überzeugt hat es nicht")
//   negations        more words of one negation, right before an opinion: "alles andere als freundlich"
//   forward          negators that negate nothing before them; with a word of such, emphatic ones praise ("nie so gut")
//   contrasts        words that begin a contrast; driftingContrasts may also stand inside ("der Preis aber")
//   openers          words that begin a clause with a capital or after a hyphen: "gut-das hilft nicht"
//   wishes           words of a wish, whose praise does not count: "das Personal sollte freundlich sein"
//   inflections      classes of endings: with {"e": ["", "e", "en"]}, "nett/e" is nett, nette, netten
//   alternatives     lists of words by names, for patterns: "({dish}) war gut"
//   others           other companies: what is said of them does not count
//   opinions         words and expressions by their value, -1 to 1
//   aspects          cues by the aspects of the general vertical and of others (verticals/verticals.ts has the kinds; a weak
//                    cue counts if an opinion is near)
//   topics           words of the verticals' topics, by their ids
//
// Patterns are those of text/pattern-language.ts; all words are spelled as usual and normalised here.

import { z } from 'zod';
import { fold } from '../../model/fold.ts';

/** The lists of words of a file, each one string. */
const LISTS = [
  'compoundHeads',
  'prefixes',
  'notNames',
  'wordNames',
  'personWords',
  'titles',
  'common',
  'negators',
  'notNegating',
  'forward',
  'emphatic',
  'such',
  'contrasts',
  'driftingContrasts',
  'concessions',
  'conditions',
  'conjunctions',
  'openers',
  'wishes',
] as const;
type List = (typeof LISTS)[number];

const patterns = z.array(z.string().min(1)).default([]);
const CUE_KINDS = ['masks', 'positive', 'negative', 'weak'] as const;
const endings = z.record(z.string(), z.array(z.string()));

const languageFile = z.strictObject({
  about: z.string(),
  code: z.string().length(2),
  letters: z.record(z.string(), z.string()),
  expansions: z.record(z.string(), z.string()),
  ...(Object.fromEntries(LISTS.map((list) => [list, z.string()])) as Record<List, z.ZodString>),
  reach: z.strictObject({ before: z.number(), after: z.number() }),
  inflections: endings,
  alternatives: z.record(z.string(), z.string()).default({}),
  negations: patterns,
  others: patterns,
  opinions: z.record(z.string(), patterns),
  aspects: z.record(
    z.string(),
    z.strictObject({ weak: patterns, positive: patterns, negative: patterns, masks: patterns }),
  ),
  topics: z.record(z.string(), patterns),
});

/** A cue of an aspect of the general vertical, as a pattern. */
export interface AspectPattern {
  readonly aspect: string;
  readonly kind: (typeof CUE_KINDS)[number];
  readonly pattern: string;
}

/** A file with all words in the spelling of its keys. */
export interface LanguageFile {
  readonly code: string;
  /** The spelling that words are compared in. */
  readonly spell: (word: string) => string;
  readonly expansions: ReadonlyMap<string, readonly string[]>;
  readonly lists: Readonly<Record<Exclude<List, 'common'>, ReadonlySet<string>>>;
  readonly reach: { readonly before: number; readonly after: number };
  /** Each as its words. */
  readonly negations: readonly (readonly string[])[];
  readonly others: readonly string[];
  readonly opinions: readonly (readonly [pattern: string, value: number])[];
  readonly cues: readonly AspectPattern[];
  readonly topics: readonly (readonly [pattern: string, topic: string])[];
}

/** @throws {ZodError} if the file does not fit the schema */
export function parseLanguage(json: unknown): LanguageFile {
  const file = languageFile.parse(json);
  const spell = spellerOf(file.letters);
  const patternOf = (pattern: string) => spell(withForms(pattern, file));
  return {
    code: file.code,
    spell,
    expansions: new Map(
      Object.entries(file.expansions).map(([from, to]) => [spell(from), spell(to).split(' ')]),
    ),
    lists: Object.fromEntries(
      LISTS.map((list) => [list, new Set(file[list].split(' ').map(spell))]),
    ) as unknown as Record<List, Set<string>>,
    reach: file.reach,
    negations: file.negations.map((words) => words.split(' ').map(spell)),
    others: file.others.map(patternOf),
    opinions: Object.entries(file.opinions).flatMap(([value, list]) =>
      list.map((pattern) => [patternOf(pattern), Number(value)] as const),
    ),
    cues: Object.entries(file.aspects).flatMap(([aspect, kinds]) =>
      CUE_KINDS.flatMap((kind) =>
        kinds[kind].map((pattern) => ({ aspect, kind, pattern: patternOf(pattern) })),
      ),
    ),
    topics: Object.entries(file.topics).flatMap(([topic, list]) =>
      list.map((pattern) => [patternOf(pattern), topic] as const),
    ),
  };
}

/** Folds (model/fold.ts), but keeps the letters apart that the language does: schön is not schon. */
function spellerOf(letters: Readonly<Record<string, string>>): (word: string) => string {
  const special = Object.entries(letters);
  return (word) => {
    let spelled = word.normalize('NFC').toLowerCase();
    for (const [letter, spelling] of special) spelled = spelled.replaceAll(letter, spelling);
    return fold(spelled);
  };
}

/** Replaces "nett/e" by all forms of its class, and "{dish}" by the words of that name. */
function withForms(
  pattern: string,
  { inflections, alternatives }: Pick<z.infer<typeof languageFile>, 'inflections' | 'alternatives'>,
): string {
  const known = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error(`${pattern} has an unknown name`);
    return value;
  };
  return pattern
    .replace(/\{(\w+)\}/g, (_, name: string) => known(alternatives[name]))
    .replace(/(\p{L}+)\/(\p{L}+)/gu, (_, stem: string, name: string) => {
      const ends = known(inflections[name]);
      return `(${ends.map((end) => stem + end).join('|')})`;
    });
}
