// What the words of a search mean: the reviews that say all of them, that say some, and that are about what they
// name. Words are found in any inflection, by synonyms, joined or split, and corrected where no review has them.

import { editsBetween } from '../model/closeness.ts';
import type { WordClause, WordQuery } from '../model/word-query.ts';
import type { Sought } from './highlights.ts';
import type { MentionIndex } from './mentions.ts';
import type { Near } from './nearness.ts';
import { NamedRuns } from './named-runs.ts';
import { NAMED, readNames, type Subject } from './names.ts';
import type { PossiblePhrase } from './phrases.ts';
import { type Posting, postingOf } from './positions.ts';
import type { Term } from './ranking.ts';
import type { SetMemory } from './set-memory.ts';
import { Spelling } from './spelling.ts';
import { stopWordsOf } from './stop-words.ts';
import { OPINIONS } from './subject-words.ts';
import { isWord, type OtherWords, readOtherWords } from './synonyms.ts';
import type { Selected, WordIndex } from './word-index.ts';

/** The positions of the reviews that say what they paid for a service, ascending. */
export type PricedOf = (service: string) => Uint32Array;

/** Words that name a subject. */
export interface NamedSubject extends Subject {
  readonly words: string;
}

/** A word that no review has, and the one that it was taken for. */
export interface Corrected {
  readonly word: string;
  readonly to: string;
}

/** What the loose words of a search select: those neither in quotes nor excluded. */
export interface Loose {
  /** The reviews that say all words. */
  readonly all: Posting;
  /** The reviews that say some word. */
  readonly some: Posting;
  /** Those, and the reviews that are about what the words name. */
  readonly any: Posting;
  /** The reviews that come before others: with a sum for what was asked or with the complaint, with a rare word as typed, with the only word. */
  readonly first: readonly Posting[];
  /** The words, to see how near they are. */
  readonly near: readonly Near[];
  /** Whether they ask what something costs. */
  readonly isPriced: boolean;
}

/** What a word means: itself in any inflection, other words for it, and what it names. */
export interface Sense {
  /** Before it was corrected. */
  readonly typed: string;
  readonly word: string;
  readonly keys: readonly string[];
}

export interface Meaning {
  /** Null without loose words. */
  readonly loose: Loose | null;
  /** Matches are in all of these, and have the phrases. */
  readonly required: readonly Selected[];
  /** Matches are not in this, and do not have these words in a row. */
  readonly excluded: Posting;
  readonly excludedPhrases: readonly PossiblePhrase[];
  readonly terms: readonly Term[];
  readonly subjects: readonly NamedSubject[];
  readonly corrected: readonly Corrected[];
}

/** Some clauses in a row, and what they mean together. */
interface Run<T> {
  readonly from: number;
  readonly to: number;
  readonly value: T;
}

/** Other words for a run: words or phrases. */
type Terms = readonly (readonly string[])[];

/** Words that are joined by signs, such as "24/7", are required in a row if there are more of them. */
const MAX_LOOSE = 2;
/** Words that are in more than a quarter of the texts make no review related, unless there are no others. */
const COMMON = 4;
/** Of longer searches only the rarest words decide which reviews are related, and how they are ranked. */
const MAX_RANKED = 8;
/** More runs of a search have no other words: phrases among them take time. */
const MAX_OTHERS = 8;
/** More words of a search are not corrected: each is compared with all words of the reviews. */
const MAX_CORRECTED = 8;
/** The fewest letters of each of two words in one, and of the parts of a compound. */
const MIN_HALF = 2;
const MIN_PART = 4;
/** Languages that write a compound as one word. */
const COMPOUNDING: ReadonlySet<string> = new Set(['da', 'de', 'nl', 'no', 'sv']);
/** A search of one word lifts the reviews that say it if they fit on a page; of several words very rare ones. */
const RARE = 10;
const VERY_RARE = 3;
/** What other words for a word, and what it names, count. */
const ALIKE = 0.3;
const ABOUT = 0.4;
/** Aspects that words for prices name. */
const MONEY = /^(?:pricing|prices?|value|fees|billing)$/;
/** Words that ask for a sum without naming an aspect. */
const HOW_MUCH =
  /\b(?:how much|was kostet|wie ?viel|combien|cuanto|quanto|hoeveel|festpreis|stundenlohn|stundensatz)\b/;
/** "ae" for "ä", where it cannot be typed. */
const UMLAUT = /([aou])e/g;

export class Meanings {
  readonly #words: WordIndex;
  readonly #mentions: MentionIndex | null;
  readonly #sets: SetMemory;
  readonly #names: NamedRuns<Subject>;
  readonly #others: OtherWords;
  readonly #spelling: Spelling;
  readonly #pricedOf: PricedOf;

  /**
   * `synonyms` are groups of words that mean the same, in JSON. Without `mentions` words name nothing: what reviews mention is
   * not what the replies are about.
   */
  constructor(
    words: WordIndex,
    mentions: MentionIndex | null,
    synonyms: string,
    sets: SetMemory,
    labels: Readonly<Record<string, string>> = {},
    pricedOf: PricedOf = () => new Uint32Array(0),
  ) {
    this.#pricedOf = pricedOf;
    const keyOf = (word: string) => words.stems.mainStemOf(word);
    this.#words = words;
    this.#mentions = mentions;
    this.#sets = sets;
    this.#names = mentions === null ? new NamedRuns(keyOf) : readNames(mentions, keyOf, labels);
    this.#others = readOtherWords(synonyms, words.stems);
    this.#spelling = new Spelling(words.dictionary, (number) => words.countOf(number));
  }

  /** `isStrict`: only the words themselves, in any inflection, and all of them. */
  resolve({ required, excluded }: WordQuery, isStrict: boolean): Meaning {
    const { hard: quoted, loose } = divide(required, isStrict);
    const hard = quoted.map((clause) => this.#select(clause));
    const out = excluded.map((clause) => this.#select(clause));
    const read = this.#read(loose);
    const parts = read.kept.map((at) => this.#partOf(read, at));
    return {
      loose: parts.length === 0 ? null : this.#unite(parts, read),
      // Words that are only excluded select among the reviews with a text.
      required: hard.length + parts.length === 0 ? [this.#anyText()] : hard,
      excluded: this.#words.uniteAll(out.flatMap(({ posting, phrase }) => (phrase ? [] : posting))),
      excludedPhrases: out.flatMap(({ posting, phrase }) =>
        phrase ? { codes: phrase, posting } : [],
      ),
      terms: [...hard.map(({ term }) => term), ...rarestOf(parts).flatMap(({ terms }) => terms)],
      subjects: read.subjects.map(({ value }) => value),
      corrected: read.corrected,
    };
  }

  /** What a highlight of these words looks for. */
  sought({ required }: WordQuery, isStrict: boolean): Omit<Sought, 'needle'> {
    const { hard, loose } = divide(required, isStrict);
    const read = this.#read(loose);
    const clauses = [...read.kept.map((at) => read.clauses[at] as WordClause), ...hard];
    const inflected = clauses.filter(({ isExact }) => !isExact);
    const others: Terms = read.others.flatMap(({ value }) => value);
    const single = [
      ...inflected.map(({ words }) => words),
      ...others.filter(({ length }) => length === 1),
    ];
    const { dictionary } = this.#words;
    return {
      words: new Set(
        single
          .flat()
          .flatMap((word) => this.#words.formsOf(word))
          .map((number) => dictionary.at(number)),
      ),
      prefixes: inflected.filter(({ isPrefix }) => isPrefix).flatMap(({ words }) => words),
      phrases: [
        ...clauses.filter(({ isExact }) => isExact).map(({ words }) => words),
        ...others.filter(({ length }) => length > 1),
      ],
    };
  }

  /** What each telling word of a question means: two that share a sense mean the same. */
  senses({ required }: WordQuery): Sense[] {
    const read = this.#read(required);
    const keyOf = (words: readonly string[]) =>
      words.map((word) => this.#words.stems.mainStemOf(word)).join(' ');
    return read.kept.map((at) => {
      const { words } = read.clauses[at] as WordClause;
      const isHere = ({ from, to }: Run<unknown>) => from <= at && at < to;
      const others = read.others.filter(isHere).flatMap(({ value }) => value.map(keyOf));
      const subjects = read.subjects.filter(isHere).map(({ value }) => value);
      return {
        typed: (read.given[at] as WordClause).words.join(' '),
        word: words.join(' '),
        keys: [keyOf(words), ...others, ...subjects.map(({ kind, id }) => `${kind}:${id}`)],
      };
    });
  }

  /** Whether some clauses have a word that says what they are for. */
  isTelling(clauses: readonly WordClause[]): boolean {
    const isStop = stopWordsOf(clauses, this.#words.stems.languages);
    return clauses.some((clause) => !isStop(clause));
  }

  /** Whether reviews have a clause: its words, or longer ones if it may be continued. */
  isKnown({ words, isExact, isPrefix }: WordClause): boolean {
    return words.every((word) => {
      if (isExact) return this.#words.dictionary.find(word) !== null;
      return (
        this.#words.formsOf(word).length > 0 ||
        (isPrefix && this.#words.numbersOf(word, 'start').length > 0)
      );
    });
  }

  /** The known words that an unknown one may stand for, the likeliest first. */
  closest(word: string): string[] {
    return this.#spelling.closest(word);
  }

  #select({ words, isExact, isPrefix }: WordClause): Selected {
    const index = this.#words;
    if (isExact) return index.selectExact(words);
    const longer = isPrefix ? words.flatMap((word) => index.longerThan(word)) : [];
    return index.selectAny(
      words.flatMap((word) => index.formsOf(word)),
      longer,
    );
  }

  #anyText(): Selected {
    return { ...this.#words.selectAny([]), posting: this.#words.withText() };
  }

  /** Corrects loose clauses, finds what runs of them name, and keeps the words that select. */
  #read(given: readonly WordClause[]): Read {
    const { languages } = this.#words.stems;
    const isUnread = this.#uncovered(given);
    const isStopGiven = stopWordsOf(given, languages);
    const isTelling = given.some((clause) => !isStopGiven(clause));
    const corrected: Corrected[] = [];
    const clauses = given.map((clause, at) => {
      const isLeft = isTelling && isStopGiven(clause);
      const isTried = corrected.length < MAX_CORRECTED && !isLeft && isUnread(at);
      const to = isTried ? this.#correct(clause, isStopGiven) : null;
      if (to === null) return clause;
      corrected.push({ word: clause.words.join(' '), to });
      return { ...clause, words: [to], isPrefix: false };
    });
    const isStop = stopWordsOf(clauses, languages);
    const all = clauses.map((_, at) => at);
    const telling = all.filter((at) => !isStop(clauses[at] as WordClause));
    return {
      given,
      clauses,
      kept: telling.length > 0 ? telling : all,
      subjects: this.#subjectsIn(clauses),
      others: this.#othersFor(clauses),
      corrected,
    };
  }

  /** Whether a clause has no known word and is no part of a name. */
  #uncovered(clauses: readonly WordClause[]): (at: number) => boolean {
    const runs = [...this.#subjectsIn(clauses), ...this.#othersFor(clauses)];
    return (at) =>
      !this.isKnown(clauses[at] as WordClause) &&
      !runs.some(({ from, to, value }) => {
        const isFound =
          !Array.isArray(value) || value.some((term) => this.#words.inRow(term).count > 0);
        return from <= at && at < to && isFound;
      });
  }

  #correct(clause: WordClause, isStop: (clause: WordClause) => boolean): string | null {
    const [word = ''] = clause.words;
    if (clause.isExact || isWord(word)) return null;
    const plain = word.replaceAll(UMLAUT, '$1');
    if (plain !== word && this.#words.formsOf(plain).length > 0) return plain;
    const close = this.closest(word);
    const isStopWord = (one: string) => isStop({ ...clause, words: [one] });
    // "sombody" is a stop word with a letter too few, not "nobody" with another one.
    const [first = ''] = close.filter((one) => editsBetween(word, one, 1) === 1);
    return isStopWord(first) ? first : (close.find((one) => !isStopWord(one)) ?? null);
  }

  #subjectsIn(clauses: readonly WordClause[]): Run<NamedSubject>[] {
    const all = clauses.flatMap(({ words }) => words);
    const [opinion, other] = new Set(all.flatMap((word) => OPINIONS.get(word) ?? []));
    const isOne = opinion !== undefined && other === undefined;
    return runsIn(clauses, this.#names).flatMap(({ from, to, values }) => {
      const own = clauses.slice(from, to).flatMap((clause) => clause.words);
      return values.map((subject) => {
        // "Rude staff" means complaints about the staff.
        const said = isOne && subject.kind === 'aspect' ? { sentiment: opinion } : {};
        return { from, to, value: { words: own.join(' '), ...said, ...subject } };
      });
    });
  }

  /** Other words for runs of clauses: synonyms, what is narrower if few reviews say them, and the same words joined or split. */
  #othersFor(clauses: readonly WordClause[]): Run<Terms>[] {
    const synonyms = runsIn(clauses, this.#others.synonyms).map(({ from, to, values }) => ({
      from,
      to,
      value: values.flat(),
    }));
    const respelled = clauses.flatMap(({ words, isExact }, at): Run<Terms>[] => {
      const next = clauses[at + 1];
      const whole = words.join('');
      const joined = next && !isExact && !next.isExact ? whole + next.words.join('') : '';
      const isJoined = this.#words.dictionary.find(joined) !== null;
      return [
        { from: at, to: at + 1, value: isExact ? [[whole]] : this.#splitsOf(whole) },
        { from: at, to: at + 2, value: isJoined ? [[joined]] : [] },
      ].filter(({ value }) => value.length > 0);
    });
    const narrower = runsIn(clauses, this.#others.narrower).flatMap(({ from, to, values }) => {
      const own = clauses.slice(from, to).flatMap(({ words }) => words);
      const said = [own, ...this.#others.synonyms.of(own).flat()].map((term) => this.#saying(term));
      return this.#words.uniteAll(said).count > RARE ? [] : [{ from, to, value: values.flat() }];
    });
    return [...synonyms, ...narrower, ...respelled].slice(0, MAX_OTHERS);
  }

  /** A word as two in a row. */
  #splitsOf(word: string): string[][] {
    return halvesOf(word).filter((halves) =>
      halves.every((half) => this.#words.dictionary.find(half) !== null),
    );
  }

  /** The forms of the parts of a compound that no review has: they are about the same, and do not say it. */
  #partsOf(word: string): number[] {
    const { stems } = this.#words;
    if (!stems.languages.some((one) => COMPOUNDING.has(one))) return [];
    const formsOf = (one: string) => (one.length < MIN_PART ? [] : this.#words.formsOf(one));
    if (formsOf(word).length > 0) return [];
    return halvesOf(word)
      .map((halves) => halves.map(formsOf))
      .filter((forms) => forms.every(({ length }) => length > 0))
      .flat(2);
  }

  #partOf({ given, clauses, subjects, others }: Read, at: number): Part {
    const { words, isExact, isPrefix } = clauses[at] as WordClause;
    const index = this.#words;
    const isHere = ({ from, to }: Run<unknown>) => from <= at && at < to;
    const forms = isExact ? [] : words.flatMap((word) => index.formsOf(word));
    const longer = isPrefix ? words.flatMap((word) => index.longerThan(word)) : [];
    const whole = words.join('');
    const intended = isExact ? [] : [...this.#intendedBy(whole), ...this.#partsOf(whole)];
    const known = new Set(forms);
    const isNew = (number: number) => !known.has(number);
    const own = [index.having(longer), isExact ? index.inRow(words) : index.nothing()];
    const alike = others
      .filter(isHere)
      .flatMap(({ value }) => value.map((term) => this.#saying(term)));
    const about = index.uniteAll(subjects.filter(isHere).map(({ value }) => this.#about(value)));
    const said = index.uniteAll([index.having(forms), ...own, ...alike]);
    const numbers = [...forms, ...intended.filter(isNew)];
    const maybe = index.uniteAll([said, index.having(intended)]);
    const isTyped = !isExact && clauses[at] === given[at];
    const exact = isTyped ? index.dictionary.find(whole) : null;
    return {
      numbers: [...numbers, ...longer],
      said,
      maybe,
      about,
      exact: exact === null ? index.nothing() : index.having([exact]),
      terms: [
        index.termOf(numbers, own, maybe.count),
        ...this.#weakTerms(alike, maybe.count, ALIKE),
        ...this.#weakTerms([about], about.count, ABOUT),
      ],
    };
  }

  /** What counts less than the word itself; `count` tells how rare it is. */
  #weakTerms(postings: readonly Posting[], count: number, factor: number): Term[] {
    const all = this.#words.uniteAll(postings);
    if (all.count === 0) return [];
    const term = this.#words.termOf([], [], count);
    return [{ ...term, weight: term.weight * factor, words: [all] }];
  }

  /** The forms of the word that was probably meant instead of one that is in few reviews. */
  #intendedBy(word: string): number[] {
    const intended = this.#spelling.intended(word);
    return intended === null ? [] : this.#words.formsOf(intended);
  }

  /** The reviews that have a word in any inflection, or a phrase. */
  #saying(term: readonly string[]): Posting {
    const [word = ''] = term;
    const index = this.#words;
    return term.length === 1 ? index.having(index.formsOf(word)) : index.inRow(term);
  }

  /** The reviews that mention a subject. */
  #about({ kind, id, sentiment }: Subject): Posting {
    const positions = this.#mentions?.positionsOfId(NAMED[kind], id, sentiment);
    return positions === undefined ? this.#words.nothing() : postingOf(positions, this.#sets);
  }

  /** Who asks what a service costs means a review of it with a sum; who names a complaint means the reviews that have it. */
  #askedIn({ kept, subjects }: Read, isPriced: boolean): Posting {
    const named = subjects.map(({ value }) => value);
    const services = named.filter(({ kind }) => kind === 'service');
    const complaints = kept.length === 1 ? named.filter(({ kind }) => kind === 'problem') : [];
    const asked = isPriced ? services : [];
    return this.#words.uniteAll([
      ...asked.map(({ id }) => postingOf(this.#pricedOf(id), this.#sets)),
      ...complaints.map((one) => this.#about(one)),
    ]);
  }

  #unite(parts: readonly Part[], read: Read): Loose {
    const index = this.#words;
    const isMoney = ({ value: { kind, id } }: Run<NamedSubject>) =>
      kind === 'aspect' && MONEY.test(id);
    const isPriced =
      read.subjects.some(isMoney) ||
      HOW_MUCH.test(read.clauses.flatMap(({ words }) => words).join(' '));
    const asked = this.#askedIn(read, isPriced);
    const said = parts.map((part) => part.said);
    const isSaid = said.every(({ count }) => count > 0);
    const all = index.uniteAll([asked, isSaid ? index.sharedBy(said) : index.nothing()]);
    const rarest = rarestOf(parts);
    const telling = rarest.filter(({ maybe }) => maybe.count * COMMON <= index.texts);
    const isEnough = telling.length === 0 && all.count > 0;
    const deciding = isEnough ? [] : telling.length > 0 ? telling : rarest;
    const limit = parts.length === 1 ? RARE : VERY_RARE;
    const rare = index.uniteAll(parts.flatMap(({ exact }) => (exact.count <= limit ? exact : [])));
    const some = index.uniteAll([all, rare, ...deciding.map(({ maybe }) => maybe)]);
    return {
      all,
      some,
      any: index.uniteAll([some, ...rarest.map(({ about }) => about)]),
      first: [asked, rare, ...(parts.length === 1 ? said : [])],
      near: rarest.map(({ numbers, terms }) => ({ numbers, weight: terms[0]?.weight ?? 0 })),
      isPriced: isPriced && parts.length > 1,
    };
  }
}

/** The parts that are in the fewest reviews; relevance depends on no more of them. */
function rarestOf(parts: readonly Part[]): readonly Part[] {
  return parts
    .toSorted((a, b) => a.maybe.count - b.maybe.count)
    .filter(({ maybe, about }) => maybe.count + about.count > 0)
    .slice(0, MAX_RANKED);
}

/** Loose clauses as they are understood. */
interface Read {
  /** As they were typed. */
  readonly given: readonly WordClause[];
  readonly clauses: readonly WordClause[];
  /** Indexes of the clauses that select. */
  readonly kept: readonly number[];
  readonly subjects: readonly Run<NamedSubject>[];
  readonly others: readonly Run<Terms>[];
  readonly corrected: readonly Corrected[];
}

/** What one word of a search selects. */
interface Part {
  /** The words that count as it. */
  readonly numbers: readonly number[];
  readonly said: Posting;
  /** Those, and the reviews that have the word which was probably meant. */
  readonly maybe: Posting;
  /** The reviews that mention what it names, alone or with its neighbours. */
  readonly about: Posting;
  /** The reviews that have it as it was typed. */
  readonly exact: Posting;
  readonly terms: readonly Term[];
}

/** The clauses that every review must have as they are, and the loose ones. */
function divide(
  clauses: readonly WordClause[],
  isStrict: boolean,
): { readonly hard: readonly WordClause[]; readonly loose: readonly WordClause[] } {
  const isHard = ({ words, isQuoted }: WordClause) =>
    isStrict || isQuoted || words.length > MAX_LOOSE;
  return { hard: clauses.filter(isHard), loose: clauses.filter((clause) => !isHard(clause)) };
}

/** The longest named runs of clauses, from left to right. */
function runsIn<T>(
  clauses: readonly WordClause[],
  names: NamedRuns<T>,
): { readonly from: number; readonly to: number; readonly values: readonly T[] }[] {
  const runs = [];
  for (let from = 0; from < clauses.length;) {
    const { length, values } = names.longestAt(clauses, from);
    const to = from + Math.max(1, length);
    if (length > 0) runs.push({ from, to, values });
    from = to;
  }
  return runs;
}

function halvesOf(word: string): string[][] {
  const ends = Array.from({ length: Math.max(0, word.length - 2 * MIN_HALF + 1) });
  return ends.map((_, at) => [word.slice(0, at + MIN_HALF), word.slice(at + MIN_HALF)]);
}
