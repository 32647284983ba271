// The columns of the start of a file, with what their headings and their values can be.

import { show } from '../../errors.ts';
import { fold, plainName } from '../../model/fold.ts';
import { isRepeated, isTotal, numbered } from '../formats/rows.ts';
import { MEMBERS, UNPUBLISHED } from '../formats/json.ts';
import { itemsOf, type Sample } from '../formats/sample.ts';
import {
  isObject,
  type JsonObject,
  memberAt,
  nestedIn,
  repaired,
  scalarText,
  type Surrounded,
  unwrapped,
  withoutAddress,
} from '../readers/values.ts';
import { EXCEL_FORMAT, excelDate } from './date-format.ts';
import { dateFormatsOf } from './date-guess.ts';
import { columnNames } from './mapping.ts';
import headings from './headings.json' with { type: 'json' };
import { writtenRating } from './ratings.ts';

const KINDS = 12;
const MOST_NUMBERS = 0.6;
const DEPTH = 4;
const WRITTEN = /written|given|authored|provided/i;
/** A sentence that counts votes is no word of a customer. */
const VOTES =
  /^(?:\d+|one|eine?r?|una?|une|een|uma?)\b.{0,40}(?:helpful|useful|hilfreich|utiles?|útil|nuttig|hulpzaam)[.!]?$/iu;
/** Objects, and telephone numbers. */
const OTHERS = /^[[{]|^\P{L}+$|^\D{0,12}\d(?:[ ()/.-]{0,2}\d){6,}\D{0,12}$/u;
const YES_OR_NO = new Set(headings.yesOrNo);
const WORDS: ReadonlyMap<string, number> = new Map(
  Object.entries(headings.ratingWords).flatMap(([stars, words]) =>
    words.map((word): [string, number] => [word, Number(stars)]),
  ),
);

/** The stars of an answer such as "Not at all satisfied", by the beginnings of its words; null if it is none. */
function starsInWords(value: string): number | null {
  const { wordStems: stems } = headings;
  const text = ` ${fold(value)
    .replaceAll(/[^\p{L}\p{N}\p{S}]+/gu, ' ')
    .trim()} `;
  const has = (some: readonly string[]) => some.some((stem) => text.includes(stem));
  // A sentence is no answer of a scale, whatever words it has; Chinese and Japanese write no spaces.
  if (text.length > 50 || countWords(value) > 7 || /[。、\n]/.test(value)) return null;
  if (text.length > 14 && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(value)) return null;
  if (has(stems[3])) return 3;
  const [level = 0] = ([1, 5, 2, 4] as const).filter((each) => has(stems[each]));
  const isVery = has(stems.very);
  const stars = has(stems.not) ? [0, 3, 4, 0, isVery ? 1 : 2, 3][level] : level;
  return (isVery ? { 2: 1, 4: 5 }[stars ?? 0] : null) ?? (stars || null);
}

/** A column of a CSV file, or a path in JSON, with its values that are not empty. */
export class SampledColumn {
  readonly name: string;
  /** By row; empty where it has none. */
  readonly cells: readonly string[];
  readonly values: readonly string[];
  readonly distinct: readonly string[];
  /** The heading without case, accents, spaces and signs; of a path its last key too. */
  readonly plain: readonly string[];
  readonly words: ReadonlySet<string>;
  #dates: readonly string[] | null = null;

  constructor(name: string, cells: readonly (string | undefined)[]) {
    this.name = name;
    this.cells = Array.from(cells, (cell = '') => (VOTES.test(cell) ? '' : String(repaired(cell))));
    this.values = this.cells.filter(Boolean);
    this.distinct = [...new Set(this.values)];
    const shown = name.replace(OF_READERS, '');
    const path = shown.replace(/\.\*$/, '').split(/[./](?=\w)/);
    const entry = entryName(shown);
    const party = partyOf(entry);
    const title = party === null ? entry : `${party} ${path.at(-1)}`;
    const key = title ?? path.at(-1) ?? name;
    this.plain = [...new Set([plainName(shown), plainName(key)])];
    const spaced = (title ?? shown).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
    this.words = new Set(
      fold(spaced)
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean),
    );
  }

  /** Whether it has what the entries of a list say that only the owner may read. */
  get isHidden(): boolean {
    const [, key = '', value = ''] = OF_READERS.exec(this.name) ?? [];
    return key !== '' && readerOf(value, key) === 'private';
  }

  has(words: readonly string[]): boolean {
    return words.some((word) => this.words.has(word));
  }

  /** The formats in which the values are dates; empty if they are none. */
  get dates(): readonly string[] {
    // "8 out of 10" is no 8 October 2010 in Portuguese.
    const isRated = (this.ratings?.of ?? 1000) <= 100;
    const others = this.values.filter((value) => excelDate(value) === null);
    const isSerial = others.length === 0 && this.has(headings.fields.date);
    const formats = () => (isSerial ? [EXCEL_FORMAT] : dateFormatsOf(others));
    return (this.#dates ??= isRated ? [] : formats());
  }

  share(test: (value: string) => boolean): number {
    return this.values.length === 0 ? 0 : this.values.filter(test).length / this.values.length;
  }

  get isUrls(): boolean {
    return this.share((value) => /^(?:https?:)?\/\/\S+$/i.test(value)) === 1;
  }

  /** Whether some values are an e-mail address, perhaps with a name, so that they are no words for the public. */
  get isEmails(): boolean {
    return this.share((value) => /^(?:\S+\s+){0,4}\S+@\S+\.\w\S*$/.test(value)) > 0.3;
  }

  get isYesOrNo(): boolean {
    return this.values.length > 0 && this.distinct.every((value) => YES_OR_NO.has(fold(value)));
  }

  /** Numbers of ratings, with the best of their scale if they name it; null if many values are none. */
  get ratings(): { readonly numbers: readonly number[]; readonly of: number | null } | null {
    const written = this.values.map(writtenRating);
    const known = written.filter((one) => one !== null);
    if (known.length === 0 || known.length < written.length * MOST_NUMBERS) return null;
    const of = Math.max(...known.map((one) => one.of ?? 0));
    return { numbers: known.map(({ number }) => numberOf(number)), of: of === 0 ? null : of };
  }

  /** Values that are words for stars; "good" and "bad" alone are the best and the worst. */
  get knownWords(): ReadonlyMap<string, number> {
    const listed = this.listedWords;
    if (listed !== null) return listed;
    const isGrade =
      this.has(['overall', 'grade', 'rating']) &&
      this.distinct.every((one) => /^[A-F][+-]?$/.test(one));
    const stars = this.distinct.flatMap((value): [string, number][] => {
      const known = WORDS.get(
        fold(value)
          .replaceAll(/[^\p{L}\d ]/gu, '')
          .trim(),
      );
      // Marks of schools, such as those of Angi.
      if (isGrade && /^[A-F][+-]?$/.test(value))
        return [[value, Math.max(1, 5 - 'ABCDEF'.indexOf(value.charAt(0)))]];
      return known === undefined ? [] : [[value, known]];
    });
    // Of two good words the better one is four.
    const isScale = (levels: ReadonlyMap<string, number>) =>
      levels.size === this.distinct.length &&
      [4, 3].every((of) => [...levels.values()].includes(of));
    const levels = headings.wordScales.map((scale) => this.#levels(scale)).find(isScale);
    if (levels) return levels;
    const written = this.distinct.flatMap((value): [string, number][] => {
      const found = starsInWords(value);
      return found === null ? [] : [[value, found]];
    });
    // Two answers may be of any question; three that have all their levels are of how good it was.
    const isGlyphs = this.distinct.every((value) => !/[\p{L}\p{N}]/u.test(value));
    const isLevels = isGlyphs || new Set(written.map(([, found]) => found)).size > 2;
    const isAll = written.length >= this.distinct.length * 0.8;
    if (isLevels && isAll && written.length > stars.length)
      stars.splice(0, stars.length, ...written);
    const isGoodOrBad = stars.every(([value]) => /^(?:good|bad|👍|👎)$/u.test(fold(value)));
    return new Map(isGoodOrBad ? stars.map(([value, n]) => [value, n > 3 ? 5 : 1]) : stars);
  }

  /** Stars by a heading that lists the levels, such as "Verdict (Great / Fair / Poor)"; null if it lists none. */
  get listedWords(): ReadonlyMap<string, number> | null {
    const [, list = ''] = /\(([^()]+)\)\s*$/.exec(this.name) ?? [];
    const scale = list.split(/\s*[/|,;>]\s*/).map((level) => [fold(level)]);
    const [first, last] = [scale[0], scale.at(-1)].map(
      ([level = ''] = []) => starsInWords(level) ?? 3,
    );
    const levels = this.#levels((first ?? 3) < (last ?? 3) ? scale.toReversed() : scale);
    return scale.length > 2 && levels.size === this.distinct.length ? levels : null;
  }

  /** The stars of the values that are on a scale, whose best level is the first. */
  #levels(scale: readonly (readonly string[])[]): ReadonlyMap<string, number> {
    const found = this.distinct.flatMap((value): [string, number][] => {
      const at = scale.findIndex((level) => level.includes(fold(value)));
      return at < 0 ? [] : [[value, Math.round(5 - (4 * at) / (scale.length - 1))]];
    });
    return new Map(found);
  }

  get ratingWords(): ReadonlyMap<string, number> | null {
    const stars = this.knownWords;
    const rated = this.distinct.filter((value) => !headings.unrated.includes(plainName(value)));
    const isMost = stars.size * 2 >= rated.length && stars.size > 0;
    return isMost && this.distinct.length <= KINDS ? stars : null;
  }

  get isKinds(): boolean {
    const { values, distinct } = this;
    return (
      distinct.length <= KINDS &&
      values.length >= 2 * distinct.length &&
      distinct.every(({ length }) => length <= 40)
    );
  }

  /** How much the values are sentences: 0 if they are something else, 1 for several words each. */
  get prose(): number {
    if (this.values.length === 0 || this.isUrls || this.isEmails || this.isYesOrNo) return 0;
    if (this.dates.length > 0 || this.ratings !== null) return 0;
    if (this.share((value) => OTHERS.test(value)) > 0.5) return 0;
    const words =
      this.values.reduce((sum, value) => sum + countWords(value), 0) / this.values.length;
    const kinds = this.isKinds ? 0.2 : 1;
    return Math.min(1, Math.max(0, words - 1) / 6) * kinds;
  }
  get names(): number {
    if (this.isUrls || this.isYesOrNo || this.dates.length > 0 || this.ratings) return 0;
    return this.share(isName);
  }
}

export function isName(text: string): boolean {
  const value = withoutAddress(text) ?? '@';
  if (value.length > 40 || /[!?:;/\\@]|\.\s*$(?<!\b\p{L}\.)/u.test(value)) return false;
  const words = value.split(/\s+/);
  return (
    words.length <= 4 &&
    /\p{L}/u.test(value) &&
    words.every((word) => /^(?:[&+]|[\p{L}\d][\p{L}\p{M}\d.'’_*-]*,?)$/u.test(word)) &&
    (/^[\p{Lu}\p{Lo}]/u.test(value) || words.length === 1)
  );
}

/** Scripts without spaces have letters without case; two of them count as a word. */
function countWords(text: string): number {
  const spaced = text.split(/\s+/).filter(Boolean).length;
  return Math.max(
    spaced,
    (text.match(/[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/g)?.length ?? 0) / 2,
  );
}

/** "Fit" of `traits.[name=Fit].value`. */
export function entryName(path: string): string | null {
  return /\[[\w.]+=([^\]]+)\]\.\w+$/.exec(path)?.[1] ?? null;
}

export function numberOf(text: string): number {
  return Number(text.replace(',', '.'));
}

export interface SampledTable {
  readonly list: string | null;
  readonly columns: readonly SampledColumn[];
  readonly around: readonly SampledColumn[];
  readonly isHeadless: boolean;
  readonly rowCount: number;
  readonly notes: readonly string[];
}

export function sampledTable(sample: Sample): SampledTable {
  const { shape, header, records, lists } = sample;
  if (shape === 'csv') {
    const isHeadless = isRow(header, records);
    const names = isHeadless ? numbered(header) : columnNames(header);
    const told = records.filter((record) => !isTotal(record) && !isRepeated(record, header));
    const rows = isHeadless ? [header, ...told] : told;
    const columns = names.map(
      (name, index) =>
        new SampledColumn(
          name,
          rows.map((record) => record[index]?.trim()),
        ),
    );
    const inside = new Map<string, string[]>();
    for (const [at, record] of isHeadless ? [] : rows.entries())
      collect(nestedIn(names, record), '', inside, at);
    const nested = [...inside].filter(([path]) => !path.includes('.0.'));
    const isNested = (name: string) =>
      nested.some(([path]) => (path.split('.')[0] ?? '') === name.replace(/[./]\d\d?[./]\w+$/, ''));
    return {
      list: null,
      columns: [
        // Of columns with one name, the first counts.
        ...columns.filter(({ name }, index) => names.indexOf(name) === index && !isNested(name)),
        ...nested.map(([name, values]) => new SampledColumn(name, values)),
      ],
      around: [],
      isHeadless,
      rowCount: rows.length,
      notes: [],
    };
  }
  const sized = [...new Set([...lists.keys(), ...unitedPaths(lists)])].map((path) => {
    const items = path.includes('*') ? itemsOf(sample, path) : (lists.get(path) ?? []);
    // Reviews are what has stars, words, a day and a name of its own; replies and scores have not, nor places around them.
    const own = columnsOf(items).filter(({ name }) => !/^\^|\.0\./.test(name));
    const rated = (one: SampledColumn) =>
      (one.ratings !== null && one.has(headings.fields.rating) && !one.has(headings.not.rating)) ||
      one.ratingWords !== null;
    const has = (test: (one: SampledColumn) => boolean) => Number(own.some(test));
    const told = has(({ prose }) => prose > 0.1) + has(({ dates }) => dates.length > 0);
    const score = 2 * has(rated) + told + has(({ names }) => names > 0.5);
    const isOther = UNPUBLISHED.test(path) || WRITTEN.test(path);
    return { path, items, score, isOther, size: JSON.stringify(items).length };
  });
  const { path = '' } =
    sized.toSorted(
      (one, other) =>
        Number(one.isOther) - Number(other.isOther) ||
        other.score - one.score ||
        other.size - one.size,
    )[0] ?? {};
  const isRead = (other: string) =>
    RegExp(`^${RegExp.escape(path).replaceAll('\\*', '[^.]+')}(?:\\.|$)`).test(other);
  const others = sized.filter(
    (one) =>
      (one.score > 2 && !isRead(one.path) && /review|rating|feedback|comment/i.test(one.path)) ||
      (path.includes('*') && one.path.split('.').some((key) => UNPUBLISHED.test(key))),
  );
  const items = itemsOf(sample, path);
  const columns = columnsOf(items);
  const hidden = new Set(
    columns.flatMap(({ name, isHidden }) => (isHidden ? show(name.split('.[')[0]) : [])),
  );
  return {
    list: shape === 'json' || path !== '' ? path : null,
    columns: columns.filter(({ name, isHidden }) => !name.startsWith('^') && !isHidden),
    around: columns.filter(({ name }) => name.startsWith('^')),
    isHeadless: false,
    rowCount: items.length,
    notes: [
      ...others.map(
        ({ path: other, items: { length } }) => `the list ${show(other)} is not read (${length})`,
      ),
      ...[...hidden].map((one) => `private entries of ${one} are not read`),
    ],
  };
}

/** The paths of lists that differ in one key, such as that of the place, with `*` for it. */
function unitedPaths(lists: Sample['lists']): string[] {
  const all = [...lists].map(([path, items]) => ({
    keys: path.replace(`.${MEMBERS}`, '').split('.'),
    isMembers: path.endsWith(MEMBERS),
    names: columnsOf(items).map(({ name }) => name),
  }));
  const united = (one: (typeof all)[number], other: (typeof all)[number]) => {
    const { keys, names } = one;
    const end = one.isMembers && other.isMembers ? `.${MEMBERS}` : '';
    const [at = 0, ...more] = keys.flatMap((key, index) =>
      key === other.keys[index] ? [] : index,
    );
    const shared = names.filter((name) => other.names.includes(name)).length;
    const isLike = shared > 2 && shared * 2 >= Math.max(names.length, other.names.length);
    const isOne = more.length === 0 && keys.length === other.keys.length && isLike;
    const isOther = (key: string) => UNPUBLISHED.test(key) || WRITTEN.test(key);
    const isPublic = ![...keys, ...other.keys].some(isOther);
    if (!isOne || !isPublic || keys[at] === other.keys[at]) return [];
    return [keys.with(at, '*').join('.') + end];
  };
  return all.flatMap((one) => all.flatMap((other) => united(one, other)));
}

function columnsOf(items: readonly JsonObject[]): SampledColumn[] {
  const values = new Map<string, string[]>();
  for (const [at, item] of items.entries()) {
    collect(item, '', values, at);
    collect(Object.fromEntries((item as Surrounded)['^'] ?? []), '^', values, at);
  }
  return [...values].map(([name, found]) => new SampledColumn(name, found));
}

/** Whether the first line has values as the lines below: dates or numbers, which are no headings. */
function isRow(header: readonly string[], records: readonly (readonly string[])[]): boolean {
  return header.some((cell, index) => {
    const below = records.flatMap((record) => record[index]?.trim() || []);
    const column = new SampledColumn('', below);
    const first = new SampledColumn('', [cell.trim()]);
    if (/^\P{N}?$/u.test(cell.trim()) || below.length === 0) return false;
    if (column.dates.length > 0) return first.dates.length > 0;
    return (column.ratings !== null && first.ratings !== null) || (column.isUrls && first.isUrls);
  });
}

function collect(value: JsonObject, prefix: string, values: Map<string, string[]>, row: number) {
  const depth = prefix.split('.').length;
  const add = (path: string, text: string) => {
    const known = values.get(path) ?? [];
    known[row] ??= text;
    values.set(path, known);
  };
  for (const [key, member] of Object.entries(value)) {
    // What a program says of itself.
    if (key.startsWith('__')) continue;
    const path = prefix + key;
    const text = scalarText(unwrapped(member));
    const entries = Array.isArray(member) ? member : [];
    if (text !== null) add(path, text);
    else if (isObject(member) && depth < DEPTH) collect(member, `${path}.`, values, row);
    else if (entries.length > 0 && entries.every(isText)) add(`${path}.*`, entries.join('\n\n'));
    else if (isObject(entries[0]) && depth < DEPTH) {
      // Of a conversation, what each party says, and who may read it.
      const told = (of: (given: unknown, at: string) => string | null, keys: RegExp) =>
        Object.keys(entries[0] as object).find(
          (each) =>
            keys.test(each) && entries.every((entry) => of(memberAt(entry, each), each) !== null),
        );
      const reader = told(readerOf, READERS);
      const party = reader ?? told((given) => partyOf(given), PARTY);
      for (const entry of party === undefined ? [] : entries.filter(isObject)) {
        const said = Object.entries(entry).filter(([each]) => each !== reader);
        const of = `[${party}=${scalarText(memberAt(entry, party ?? ''))}]`;
        collect({ [of]: Object.fromEntries(said) }, `${path}.`, values, row);
      }
      if (party !== undefined) continue;
      // Scores by the name of what they are for, or else the first reply of a list, such as `comments.0.text`.
      const scores = entries.map(scoreOfEntry);
      for (const score of scores) if (score !== null) collect(score, `${path}.`, values, row);
      if (scores.includes(null)) collect(entries[0], `${path}.0.`, values, row);
    }
  }
}

/** `.[private=0]` of `replies.[private=0].text`. */
const OF_READERS =
  /\.\[((?:is_?)?(?:private|public|internal|visibility|visible|published?))=([^\]]*)\](?=\.)/i;
const PARTY =
  /^(?:from|by|role|type|kind|sender|side|party|direction|origin|author|posted_?by|(?:author|user|sender)_?(?:type|role))$/i;
const READERS = /^(?:is_?)?(?:private|public|internal|visibility|visible|published?)$/i;
function partyOf(value: unknown, parties: Record<string, string[]> = headings.parties) {
  const name = plainName(scalarText(value) ?? '');
  return Object.entries(parties).find(([, names]) => names.includes(name))?.[0] ?? null;
}
/** Who may read an entry, by a member such as `private: 1` or `visibility: "PUBLIC"`. */
function readerOf(value: unknown, key: string): string | null {
  const word = /priv|intern/i.test(key) ? 'private' : 'public';
  const other = word === 'public' ? 'private' : 'public';
  const said = { true: word, yes: word, 1: word, false: other, no: other, 0: other };
  return partyOf((said as Record<string, string>)[fold(String(value))] ?? value, headings.readers);
}

function isNumber(value: unknown): boolean {
  return /^-?\d+(?:[.,]\d+)?$/.test(scalarText(value) ?? '');
}
function isText(entry: unknown): boolean {
  return typeof entry === 'string' && !/^https?:/.test(entry);
}

/**
 * `{ "[category=VALUE]": { rating: 5 } }` for `{ category: "VALUE", rating: 5 }`, where the name may be that of a member,
 * and the same of answers that have nothing else; null for others.
 */
function scoreOfEntry(entry: unknown): JsonObject | null {
  const members = isObject(entry) ? Object.entries(entry) : [];
  const inside = members.flatMap(([at, member]) =>
    isObject(member) && members.length <= 3
      ? Object.entries(member).map(([each, value]) => [`${at}.${each}`, value] as const)
      : [],
  );
  const [key = '', name] =
    [...members, ...inside].find(
      ([at, value]) =>
        /(?:^|\.)(?:\w*(?:category|aspect|criterion|dimension)|(?:\w+_)?name|title|label1?|type|question(?:group)?|\w+_text|(?:\w+_)?key|id)$/i.test(
          at,
        ) && typeof value === 'string',
    ) ?? [];
  const told = members.filter(([at]) => !/type$/i.test(at) || at === key);
  const score = members.find(
    ([at, value]) =>
      /^(?:rating|score|stars|answer|text|(?:\w+_)?value)$/i.test(at) &&
      (told.length === 2 && !key.includes('.') ? scalarText(value) !== null : isNumber(value)),
  );
  const isKey =
    typeof name === 'string' &&
    (key === 'id' ? /^\p{L}+$/u : /^(?=.*\p{L})[^.[\]=]{1,40}$/u).test(name);
  return isKey && score ? { [`[${key}=${name}]`]: { [score[0]]: score[1] } } : null;
}
