// Rows by a mapping: the values of a CSV record or of a JSON object, as the mapping names them, to a record
// with the keys of our own format.

import { InputError, show } from '../../errors.ts';
import { commandName } from '../../model/command-name.ts';
import { fold, wordPattern, wordsOf } from '../../model/fold.ts';
import { PLAIN_COLUMNS, type PlainColumn, REVIEW_COLUMNS } from '../../model/review-columns.ts';
import { isDate } from '../../model/date.ts';
import headings from './headings.json' with { type: 'json' };
import { compileDateFormat, type DateFormat, plainDate } from './date-format.ts';
import { dateOfTimestamp } from '../instant.ts';
import {
  columnNames,
  columnsAt,
  type Field,
  FIELDS,
  type Mapping,
  otherPlaces,
  type Place,
  REQUIRED,
  ROW_RULES,
  type RowRule,
} from './mapping.ts';
import { writtenRating } from './ratings.ts';
import type { Outcome } from '../record.ts';
import {
  ItemReading,
  type JsonObject,
  memberAt,
  nestedIn,
  readAttributes,
  readRatings,
  repaired,
  type Scale,
  scalarText,
  starsOf,
  testIn,
  NO_STARS,
  unrated,
  unwrapped,
  withoutAddress,
} from '../readers/values.ts';
import { withoutEntities, withoutTags } from '../text/html-text.ts';

/** The value of a column, or at a path; null or undefined if there is none. */
type ValueAt = (name: string) => unknown;

/** Opens a CSV file by its header. @throws {InputError} naming the columns that are missing. */
export function openMapped(mapping: Mapping) {
  return (file: string, header: readonly string[]) => {
    const names = columnNames(header);
    const missing = missingColumns(mapping, names);
    if (missing.length > 0) {
      throw new InputError(
        `${file}:1: expected the ${missing.length === 1 ? 'column' : 'columns'} ` +
          `${missing.map(show).join(', ')}, got ${names.map(show).join(', ')}; ` +
          `"${commandName()} import FILE --map" proposes how to read it`,
      );
    }
    // Of columns with one name, the first counts.
    const indexes = new Map(names.map((name, index) => [name, index] as const).toReversed());
    const mapper = new Mapper(mapping, names.includes('verified'));
    return (values: readonly string[]) => {
      let nested: JsonObject | null = null;
      return mapper.read((column) => {
        const index = indexes.get(column);
        if (index !== undefined) return values[index];
        return memberAt((nested ??= nestedIn(names, values)), column);
      });
    };
  };
}

/** Without a mapping of columns, they have the names of the fields, and most may be absent. */
function missingColumns(mapping: Mapping, names: readonly string[]): readonly string[] {
  const { columns, constants } = mapping;
  // A path into the JSON of a cell, or into columns such as "scores/0/name".
  const isFound = (place: string) =>
    names.includes(place) ||
    names.some(
      (name) => place.startsWith(`${name}.`) || name.startsWith(`${place.split('.')[0]}/`),
    );
  const missing = FIELDS.flatMap((field) => {
    const isRequired =
      REQUIRED.includes(field) &&
      (constants as Partial<Record<Field, string>>)[field] === undefined;
    const isNeeded = isRequired || columns?.[field] !== undefined;
    const places = columnsAt(columns ? columns[field] : field);
    if (places.length === 0) return isNeeded ? [field] : [];
    return isNeeded ? places.filter((place) => !isFound(place)) : [];
  });
  return [...missing, ...otherPlaces(mapping).filter((column) => !isFound(column))];
}

/** Returns what reads objects of a JSON file by the paths of a mapping. */
export function itemMapper(mapping: Mapping): (item: JsonObject) => Outcome {
  const mapper = new Mapper(mapping, true);
  return (item) =>
    mapper.read((path) => unwrapped(Object.hasOwn(item, path) ? item[path] : memberAt(item, path)));
}

type RowValues = readonly [column: string, values: ReadonlySet<string>];

function foldedValues(rows: Mapping[RowRule]): RowValues[] {
  const folded = (values: readonly unknown[]) =>
    new Set(values.map((value) => fold(String(value))));
  return Object.entries(rows).map(([column, values]) => [column, folded(values)]);
}

function isOne([column, values]: RowValues, at: ValueAt): boolean {
  return values.has(fold(scalarText(at(column)) ?? ''));
}

/** A mapping with its parsed date format. */
class Mapper {
  readonly #mapping: Mapping;
  readonly #dates: DateFormat;
  readonly #ratings: ReadonlyMap<string, number>;
  readonly #verified: ReadonlySet<string>;
  readonly #levels: ReadonlySet<string>;
  readonly #rows: ReadonlyMap<RowRule, readonly RowValues[]>;
  readonly #firsts: ReadonlySet<string>;
  readonly #saysVerified: boolean;
  readonly #sources: Record<string, string> = Object.create(null);

  /** `hasVerified`: whether a file that is read by our own names has the column `verified`. */
  constructor(mapping: Mapping, hasVerified: boolean) {
    const { columns, date_format: format, rating_values: ratings } = mapping;
    this.#mapping = mapping;
    const dates = [format].flat().map(compileDateFormat);
    this.#dates = { parse: (text, day) => firstOf(dates, (one) => one?.parse(text, day) ?? null) };
    this.#ratings = new Map(Object.entries(ratings).map(([text, stars]) => [fold(text), stars]));
    this.#verified = new Set(mapping.verified_values.map(fold));
    this.#levels = new Set(mapping.verified_levels.map(fold));
    this.#saysVerified = columns ? columns.verified !== undefined : hasVerified;
    this.#rows = new Map(ROW_RULES.map((rule) => [rule, foldedValues(mapping[rule])]));
    const places = Object.values(columns ?? {}).flatMap((place) => columnsAt(place));
    const lists = (mark: string) =>
      places.flatMap((place) => (place.includes(mark) ? [place.split(mark)[0] ?? ''] : []));
    const whole = lists('.*.');
    this.#firsts = new Set(lists('.0.').filter((list) => !whole.includes(list)));
  }

  read(valueAt: ValueAt): Outcome {
    // Our own format is exact.
    const isOwn = this.#mapping.columns === undefined;
    const at: ValueAt = (name) => (isOwn ? valueAt(name) : repaired(valueAt(name)));
    const [other, hidden, disagreed] = (['only', 'hidden', 'agreed'] as const).map((rule) => {
      const found = this.#rows.get(rule)?.find((row) => isOne(row, at) === (rule === 'hidden'));
      return found && `${found[0]} is ${show(at(found[0]) ?? '')}`;
    });
    const leftOut = other ?? hidden;
    if (leftOut !== undefined) return { leftOut };
    const outcome = this.#read(at, isOwn);
    if (disagreed === undefined) return outcome;
    return { ...('record' in outcome && { record: outcome.record }), leftOut: disagreed };
  }

  #read(at: ValueAt, isOwn: boolean): Outcome {
    const decoded: ValueAt = (name) => (isOwn ? at(name) : withoutEntities(scalarText(at(name))));
    const { columns, constants } = this.#mapping;
    const reading = new ItemReading<Field>((field) => {
      const name: Place | undefined = columns ? columns[field] : field;
      if (name === undefined) return null;
      if (typeof name === 'string') return at(name);
      const isList = Array.isArray(name);
      const alternatives = isList && name.some((place) => typeof place !== 'string');
      if (!isList || (field === 'author' && !alternatives)) return joined(name, at);
      return firstOf(name, (place) => joined([place].flat(), at));
    });
    const verifiedText = reading.text('verified');
    // Beside rows that are said to be verified, an empty value says that one is not.
    const isLevel = this.#levels.has(fold(verifiedText ?? ''));
    const isUnknown = isLevel || (verifiedText === null && columns?.verified === undefined);
    const verified = isUnknown ? null : this.#verified.has(fold(verifiedText ?? ''));
    // If a column says which rows are verified, the constant is for those alone.
    const saysNothing = this.#saysVerified && verified === null && !isLevel;
    const howVerified = saysNothing ? null : (constants.verified_by ?? null);
    const [isAnswer, isPrivate, isNameless] = (
      ['reply_rows', 'private_replies', 'nameless'] as const
    ).map((rule) => this.#rows.get(rule)?.some((row) => isOne(row, at)));
    if (isAnswer === true) {
      const [text, date] = [reading.text('text'), this.#dates.parse(reading.text('date') ?? '')];
      return { record: { answer: text === null ? null : { text, date } } };
    }
    const scale = this.#scaleOf(at);
    const { relative_to: since } = this.#mapping;
    const day = since === undefined ? null : plainDate(isDate(since) ? since : String(at(since)));
    const { owner_reply_text, owner_reply_date, ...values } = Object.fromEntries(
      PLAIN_COLUMNS.map((column) => [column, this.#value(reading, column, scale, day)]),
    ) as Record<PlainColumn, string | number | null>;
    const given = values.source ?? constants.source ?? null;
    // A source in another case is the same one.
    const source = given === null ? null : (this.#sources[fold(String(given))] ??= String(given));
    if (isPrivate && owner_reply_text !== null) reading.notes.push('private reply left out');
    this.#noteLists(at, reading.notes);
    const words = scalarText(reading.at('text') || reading.at('title'));
    const test = isOwn ? null : testIn(words, values.author);
    if (test !== null) return test;
    const all = [reading.at('title'), reading.at('text')].map(scalarText).join(' ');
    if (!isOwn && asksForCall(all)) return { leftOut: `the text ${ONLY_A_CALL}`, isNamed: true };
    const score = scalarText(reading.at('rating'));
    const isUnrated = (score === null && words === null) || (!isOwn && Number(score ?? 1) === 0);
    if (reading.problems.length > 0 && !isOwn && isUnrated) return unrated(words, score !== null);
    return reading.finish({
      id: reading.text('id'),
      source_id: reading.text('source_id'),
      ...values,
      title: isOwn ? values.title : (/^"([^"]*)"$/.exec(String(values.title))?.[1] ?? values.title),
      author: (isNameless ? null : nameIn(String(values.author ?? ''))) ?? constants.author ?? null,
      ...(isNameless ? { author_avatar_url: null } : {}),
      source,
      owner_reply: isPrivate
        ? null
        : reading.reply(owner_reply_text, owner_reply_date as string | null),
      verified,
      verified_by: values.verified_by ?? howVerified,
      verified_level:
        values.verified_level ?? (isLevel ? verifiedText : (constants.verified_level ?? null)),
      date: values.date ?? constants.date ?? null,
      location: values.location ?? constants.location ?? null,
      attributes: readAttributes(this.#mapping.attributes, decoded, reading.notes),
      ratings: readRatings(this.#mapping, at, reading.notes),
    });
  }

  #scaleOf(at: ValueAt): Scale {
    const { rating_scale: scale, rating_scales: scales } = this.#mapping;
    const [found] = Object.entries(scales).flatMap(
      ([column, of]) => of[scalarText(at(column)) ?? ''] ?? [],
    );
    return found ?? scale;
  }

  #noteLists(at: ValueAt, notes: string[]): void {
    for (const list of this.#firsts) {
      const items = at(list);
      if (Array.isArray(items) && items.length > 1)
        notes.push(`${list}: ${items.length - 1} of ${items.length} entries not read`);
    }
  }

  #words(text: string | null): string | null {
    if (this.#mapping.columns === undefined) return text && withoutTags(text);
    return withoutEntities(text)?.replace(SCRAPED, '') || null;
  }

  #value(
    reading: ItemReading<Field>,
    column: PlainColumn,
    scale: Scale,
    day: string | null,
  ): string | number | null {
    const { date_format } = this.#mapping;
    const format = [date_format].flat().join(' or ');
    const isNeeded = REQUIRED.includes(column);
    switch (REVIEW_COLUMNS[column].reads) {
      case 'text':
        return column === 'verified' ? null : this.#words(reading.text(column));
      case 'stars':
        return reading.read(column, {
          parse: (text) => this.#ratings.get(fold(text)) ?? this.#stars(reading, text, scale),
          what: `a number from ${scale.min} to ${scale.max}`,
          next: NO_STARS,
          isNeeded,
        });
      case 'date':
        return reading.read(column, {
          parse: (text) => this.#dates.parse(text, day),
          what: `a date that exists, written ${format}`,
          next: 'write it into the row, or leave the row out',
          isNeeded: isNeeded && this.#mapping.constants.date === undefined,
          isOptional: column === 'owner_reply_date',
        });
      case 'day':
        return reading.read(column, {
          parse: (text) => this.#dates.parse(text) ?? dateOfTimestamp(text),
          what: `a date that exists, written ${format} or in ISO 8601`,
        });
    }
  }

  /**
   * A rating in stars: converted from its scale and rounded. A file with our own columns has stars already, so a
   * half of them is refused with the record.
   */
  #stars(reading: ItemReading<Field>, text: string, usual: Scale): number | null {
    const { decimal, columns } = this.#mapping;
    const written = columns === undefined ? null : writtenRating(text);
    // "9/10" says its scale, whatever that of the others is.
    const max = written?.of ?? usual.max;
    const scale = max === usual.max ? usual : { min: max > 5 ? 0 : 1, max };
    const rating = starsOf(written?.number ?? text, scale, decimal === ',' ? '.,' : '.');
    if (rating === null) return null;
    const isStars = scale.min === 1 && scale.max === 5;
    if (isStars && columns === undefined) return rating.exact;
    const of = isStars || written?.of ? '' : ` of ${Math.max(scale.min, scale.max)}`;
    return reading.rounded(text + of, rating);
  }
}

function firstOf<T, U>(values: readonly T[], read: (value: T) => U | null): U | null {
  const found = values.values().map(read);
  return found.find((one) => one !== null) ?? null;
}

const SCRAPED =
  /^(?:\d[.,]\d (?:out of|von|sur|de|su|van|av) 5 \p{L}+\s+)|\s*\n\s*(?:read more|mehr lesen|weiterlesen|lire la suite|leer más|lees meer)$|\[\[VIDEOID:[^\]]*\]\]\s*|^there are no comments available for this review$/giu;

const CONTACT = /\+?\(?\d(?:[ ()/.-]{0,2}\d){8,}|[^\s@]+@[^\s@]+\.\w+/g;
const CALL = new RegExp(wordPattern(headings.call.requests, true), 'gu');
const COURTESY = new RegExp(wordPattern(headings.call.others, true), 'gu');
const ONLY_A_CALL = 'only asks for a call; to import it all the same, take the number out of it';
const MOST_OTHER_WORDS = 3;

/** Whether a text has contact data and a request, or nothing else: it speaks to the owner, not to readers. */
function asksForCall(text: string): boolean {
  const rest = wordsOf(text.replaceAll(CONTACT, ' '));
  const others = rest.replaceAll(CALL, ' ').replaceAll(COURTESY, ' ').split(' ').filter(Boolean);
  const isAsked = rest.search(CALL) >= 0 || others.length === 0;
  return text.search(CONTACT) >= 0 && isAsked && others.length <= MOST_OTHER_WORDS;
}

/** A name; null for an e-mail address, and for what programs write instead of a name. */
function nameIn(value: string): string | null {
  const name = withoutAddress(value);
  const isNone = /^(?:[(<]?(?:no name|unknown|undefined|null|nan)[)>]?|[-–—]+)$/i.test(name ?? '');
  // "Nan" is a name.
  return isNone && name !== 'Nan' ? null : name;
}

/** The values of several columns as one: names side by side, words below each other with what introduces them. */
function joined(places: Exclude<Place, string>, at: ValueAt): string | null {
  const parts = Object.entries(places as Readonly<Record<string, string>>).flatMap(
    ([intro, place]): string[] => {
      const words = scalarText(at(place))?.replace(SCRAPED, '') || null;
      if (words === null) return [];
      if (Array.isArray(places) || intro === '') return [words];
      return [`${intro}${/[?:!.…]$/.test(intro) ? '\n' : ': '}${words}`];
    },
  );
  return parts.length === 0 ? null : parts.join(Array.isArray(places) ? ' ' : '\n\n');
}
