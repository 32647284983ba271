// Values as platforms write them: nested members, timestamps, ratings, replies.

import { show } from '../../errors.ts';
import { roundTo } from '../../model/rating.ts';
import { attributeValue } from '../../model/review-parts.ts';
import { writtenRating } from '../mapping/ratings.ts';
import { decodeAs } from '../text/encoding.ts';
import { htmlToText, MAX_HTML_DEPTH } from '../text/html-text.ts';
import { dateOfMs, dateOfTimestamp } from '../instant.ts';
import type { LeftOut, Outcome, ReviewRecord } from '../record.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if a text is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A row of JSON, with the texts and numbers of the objects around its list by their paths. */
export interface Surrounded {
  readonly '^'?: ReadonlyMap<string, unknown>;
}

/**
 * The member at a path such as `user.name` or `comments.0.text`; undefined if there is none. "*" are all entries of a
 * list, whose texts become one, `[category=VALUE]` is the entry with that member, and "^" begins what is said around it.
 */
export function memberAt(item: unknown, path: string): unknown {
  if (path.startsWith('^')) return (item as Surrounded)['^']?.get(path.slice(1));
  let value = item;
  const keys = path.includes('[') ? path.split(/\.(?![^[]*\])/) : path.split('.');
  for (const [index, key] of keys.entries()) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && key === '*') {
      const rest = keys.slice(index + 1).join('.');
      const texts = value.map((entry) => (rest === '' ? entry : memberAt(entry, rest)));
      return texts.flatMap((text) => scalarText(text) ?? []).join('\n\n');
    }
    const [, name = '', wanted = ''] = Array.isArray(value) ? (ENTRY.exec(key) ?? []) : [];
    if (name !== '') {
      const found = (value as unknown[]).filter(
        (entry) => scalarText(memberAt(entry, name)) === wanted,
      );
      const rest = keys.slice(index + 1).join('.');
      const texts = found.map((entry) => scalarText(memberAt(entry, rest)) ?? '');
      // Who speaks twice is read twice; of other values the first counts.
      if (texts.length > 1 && texts.every((text) => /\p{L}{2}\s+\p{L}{2}/u.test(text)))
        return texts.join('\n\n');
      value = found[0];
    } else if (!Object.hasOwn(value, key)) return undefined;
    else value = (value as Record<string, unknown>)[key];
  }
  return unwrapped(value);
}

/** `{ $date: { $numberLong: "1714550400000" } }`, as databases write values with their types, as a text. */
export function unwrapped(value: unknown): unknown {
  const [key = '', ...others] = isObject(value) ? Object.keys(value) : [];
  if (others.length > 0 || !/^\$(?:date|oid|number\w+)$/.test(key)) return value;
  const inner = unwrapped((value as JsonObject)[key]);
  const isTime = key === '$date' && /^\d{1,15}$/.test(scalarText(inner) ?? '');
  return isTime ? new Date(Number(inner)).toISOString() : inner;
}

/** The objects and lists in a record of a table: JSON in a cell, and columns such as `subratings/0/name`. */
export function nestedIn(names: readonly string[], values: readonly string[]): JsonObject {
  const found = new Map<string, unknown>();
  for (const [index, name] of names.entries()) {
    const value = values[index]?.trim() ?? '';
    const [, list = '', at, key = ''] = /^(.+)[./](\d\d?)[./](\w+)$/.exec(name) ?? [];
    if (at !== undefined && value !== '') {
      const entries = (found.get(list) as Record<string, string>[] | undefined) ?? [];
      (entries[Number(at)] ??= {})[key] = value;
      found.set(list, entries);
    } else if (SCORES.test(value)) {
      const pairs = value.split(/[|;\n]/).map((pair) => pair.split(':').map((part) => part.trim()));
      found.set(name, Object.fromEntries(pairs));
    } else if (/^[[{].*[\]}]$/s.test(value)) {
      const parsed = parsedJson(value);
      // Else it is words in brackets.
      if (parsed !== undefined) found.set(name, parsed);
    }
  }
  return Object.fromEntries(found);
}

/** "Food: 5|Service: 4" in a cell. */
const SCORES = /^[\p{L} ]+:\s*\d(?:\.\d)?(?:\s*[|;\n]\s*[\p{L} ]+:\s*\d(?:\.\d)?)+$/u;

const ENTRY = /^\[([\w.]+)=(.+)\]$/;

/** Characters of Windows-1252 that Latin-1 has not, by their bytes from 128 on. */
const LATIN = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * A text whose UTF-8 was read as Latin-1 or Windows-1252, as it was meant: "FrÃ¼hstÃ¼ck", as Facebook exports it. Other
 * values, and texts that only may be so, stay.
 */
export function repaired(value: unknown): unknown {
  if (typeof value !== 'string' || !SUSPECT.test(value)) return value;
  const bytes = Array.from(value, (character) => {
    const at = LATIN.indexOf(character);
    return at < 0 ? (character.codePointAt(0) ?? 0) : 128 + at;
  });
  if (bytes.some((byte) => byte > 255)) return value;
  return decodeAs('utf-8', Buffer.from(bytes)) ?? value;
}

/** Control characters that no text has, or pairs that no language has. */
const SUSPECT = /[\u0080-\u009f]|Ã[\u00a0-\u00bf€‚ƒ„†‡ˆ‰Š‹Œ]|Â[\u00a0-\u00bf]|â€|ðŸ/;

/** A string, number or boolean as text without surrounding white space; null if it is empty or another value. */
export function scalarText(value: unknown): string | null {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const text = isScalar ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** A name without the e-mail address after it; null if there is only the address. */
export function withoutAddress(value: string): string | null {
  return value.replace(/\s*[(<]?[^\s@(<]+@[^\s@]+\.[^\s@)>]+[)>]?$/, '').trim() || null;
}

/** A text that is not empty, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The worst and the best rating; 6 and 1 of German grades. */
export interface Scale {
  readonly min: number;
  readonly max: number;
}

/**
 * A rating of a linear scale in stars, of 1 to 10 its half, of percent its twentieth: as it is, and rounded, a half up.
 * Null if it is none.
 *
 * @param points the characters that may be before decimals
 */
export function starsOf(
  text: string,
  { min, max }: Scale,
  points: '.' | '.,' = '.,',
): { readonly exact: number; readonly stars: number } | null {
  const isNumber = points === '.' ? /^-?\d+(?:\.\d+)?$/ : /^-?\d+(?:[.,]\d+)?$/;
  const rating = isNumber.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  if (!(rating >= Math.min(min, max) && rating <= Math.max(min, max))) return null;
  const isPercent = max === 100 && min <= 1;
  const isOfTen = max === 10 && min === 1;
  const exact =
    isPercent || isOfTen ? Math.max(1, (rating * 5) / max) : 1 + ((rating - min) * 4) / (max - min);
  return { exact, stars: Math.round(exact) };
}

/** One item while its values are read, with its problems and notes. A value is named by its path or column. */
export class ItemReading<Name extends string = string> {
  readonly problems: string[] = [];
  readonly notes: string[] = [];
  /** When the item was last changed, in ISO 8601: of one review in several files the latest counts. */
  updated: string | null = null;
  readonly at: (name: Name) => unknown;
  readonly #titleOf: (name: Name) => string;

  /** `at`: the value of a name, null or undefined if there is none. `titleOf`: the name in messages. */
  constructor(at: (name: Name) => unknown, titleOf: (name: Name) => string = String) {
    this.at = (name) => repaired(at(name));
    this.#titleOf = titleOf;
  }

  #refuse(name: Name, expected: string): null {
    this.problems.push(`${this.#titleOf(name)}: expected ${expected}`);
    return null;
  }

  /** A text that is not empty, else null. */
  string(name: Name): string | null {
    return textOf(this.at(name));
  }

  /** A text, a number or a boolean as text without surrounding white space. An absent one is null. */
  text(name: Name): string | null {
    const value = this.at(name);
    if (typeof value !== 'object' || value === null) return scalarText(value);
    return this.#refuse(name, `a text, a number or true or false, got ${show(value)}`);
  }

  /**
   * A parsed text. One that is absent, unless it is needed, is null; one that cannot be parsed is a problem, or a note
   * if a review can do without it.
   */
  read<T>(
    name: Name,
    how: {
      readonly parse: (text: string) => T | null;
      readonly what: string;
      readonly isNeeded?: boolean;
      readonly isOptional?: boolean;
      readonly next?: string;
    },
  ): T | null {
    const problems = this.problems.length;
    const text = this.text(name);
    if (this.problems.length > problems) return null;
    const parsed = text === null ? null : how.parse(text);
    if (parsed !== null || (text === null && how.isNeeded !== true)) return parsed;
    if (how.isOptional === true) {
      this.notes.push(`${this.#titleOf(name)} left out: expected ${how.what}`);
      return null;
    }
    const value = this.at(name);
    const got = typeof value === 'number' ? value : (text ?? undefined);
    return this.#refuse(name, `${how.what}, got ${show(got)}${how.next ? `; ${how.next}` : ''}`);
  }

  date(name: Name): string | null {
    const parse = (text: string) => dateOfTimestamp(text);
    return this.read(name, { parse, what: 'a date or time of ISO 8601', next: EXPORT_AGAIN });
  }

  /** The text of HTML. An absent one is empty. */
  html(name: Name): string {
    const text = htmlToText(this.string(name) ?? '');
    if (text !== null) return text;
    this.#refuse(name, `HTML whose elements are nested at most ${MAX_HTML_DEPTH} deep`);
    return '';
  }

  /** The date of a time since 1970 in units of `unitMs` milliseconds. */
  epoch(name: Name, unitMs: number): string | null {
    return this.read(name, {
      parse: (text) =>
        /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? dateOfMs(Number(text) * unitMs) : null,
      what: 'a time since 1970',
      next: EXPORT_AGAIN,
    });
  }

  /** Stars on a scale that is mapped linearly to 1 to 5. */
  stars(name: Name, min = 1, max = 5): number | null {
    const rating = this.read(name, {
      parse: (given) => starsOf(given, { min, max }),
      what: `a rating from ${min} to ${max}`,
      next: NO_STARS,
      isNeeded: true,
    });
    return rating && this.rounded(`${this.text(name)}${max === 5 ? '' : ` of ${max}`}`, rating);
  }

  rounded(rating: string, { exact, stars }: NonNullable<ReturnType<typeof starsOf>>): number {
    if (stars !== exact) this.notes.push(`rating ${rating} rounded to ${stars} stars`);
    return stars;
  }

  /** The owner's reply; null without words. */
  reply(text: unknown, date: string | null): { text: unknown; date: string | null } | null {
    const isEmpty = text === undefined || (typeof text === 'string' && text.trim() === '');
    return isEmpty || text === null ? null : { text, date };
  }

  finish(record: ReviewRecord | LeftOut): Outcome {
    if ('leftOut' in record) return record;
    if (this.problems.length > 0) return { refusal: this.problems.join('; ') };
    const updated = this.updated === null ? {} : { updated: this.updated };
    return { record, ...updated, ...(this.notes.length > 0 ? { notes: this.notes } : {}) };
  }
}

const TEST =
  /^(?=.*(?:test|asdf|qwert|(?:please|pls|bitte) ignor))(?:(?:test(?:ing)?|asdf\w*|qwert\w*|please|pls|ignore|just|a|this|is|the|our|form|survey|submission|review|bewertung|bitte|ignorieren|only|one|two|user|contact|customer|account|person|\d+)(?:[\s,.!:-]+|$))+$/i;

/** What the owner wrote to try a form; null for other words and people. */
export function testIn(words: string | null, author: unknown = null): LeftOut | null {
  if (TEST.test(words ?? '')) return { leftOut: `the text is ${show(words)}` };
  const isTester = /^test/i.test(String(author)) && TEST.test(String(author));
  return isTester ? { leftOut: `the author is ${show(author)}`, isNamed: true } : null;
}

const EXPORT_AGAIN = 'export the file again, or leave the row out';
export const NO_STARS =
  'add the stars that the customer gave, or leave the row out: never make them up';

/** A row in which nobody gave stars: with words, it is named. `who`: whose words they are. */
export function unrated(words: string | null, isZero = false, who = ''): LeftOut {
  if (words === null) return { leftOut: 'neither stars nor words' };
  return {
    leftOut: `words${who} ${isZero ? 'with 0 stars, of which a review needs 1 at least' : 'without stars, which a review needs'}: ${show(words)}; ${NO_STARS}`,
    isNamed: true,
  };
}

/** Attributes by name from the columns or members that have them; one that is too long is left out. */
export function readAttributes<Place extends string>(
  names: Readonly<Record<string, Place>>,
  at: (place: Place) => unknown,
  notes: string[],
): Record<string, string> {
  const read = Object.entries(names).flatMap(([name, place]) => {
    const value = attributeValue(at(place));
    if (value === null && scalarText(at(place)) !== null)
      notes.push(`attribute ${name} left out: too long`);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(read);
}

/** Part scores by name as stars with one decimal; one that is not on the scale is left out. */
export function readRatings(
  {
    ratings,
    ratings_scale: scale = { min: 1, max: 5 },
    decimal = '.',
  }: {
    readonly ratings: Readonly<Record<string, string>>;
    readonly ratings_scale?: Scale;
    readonly decimal?: '.' | ',';
  },
  at: (name: string) => unknown,
  notes: string[],
): Record<string, number> {
  const read = Object.entries(ratings).flatMap(([name, place]) => {
    const text = scalarText(at(place));
    // "8 out of 10" has its number first.
    const number = text === null ? null : (writtenRating(text)?.number ?? text);
    const stars = number === null ? null : starsOf(number, scale, decimal === ',' ? '.,' : '.');
    if (text !== null && stars === null) {
      notes.push(`part score ${name} left out: expected ${scale.min} to ${scale.max}`);
    }
    return stars === null ? [] : [[name, roundTo(stars.exact, 1)] as const];
  });
  return Object.fromEntries(read);
}
