// Values as platforms write them: nested members, timestamps, ratings, replies.

import { show } from '../../errors.ts';
import { htmlToText, MAX_HTML_DEPTH } from '../text/html-text.ts';
import { dateOfMs, dateOfTimestamp } from '../instant.ts';
import type { JsonObject, Outcome, ReviewRecord } from './reader.ts';

/** A reply is published with its date. */
export const REPLY_LEFT_OUT = 'reply without a date left out';

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a path such as `user.name` or `comments.0.text`; undefined if there is none. */
export function memberAt(item: unknown, path: string): unknown {
  let value = item;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** A string, number or boolean as text without surrounding white space; null if it is empty or another value. */
export function scalarText(value: unknown): string | null {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const text = isScalar ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** A text that is not empty, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Nearest star, a half to the higher one. */
export function nearestStar(rating: number): number {
  return Math.round(rating);
}

/** Collects the problems and notes of one item while its values are read. */
export class ItemReading {
  readonly problems: string[] = [];
  readonly notes: string[] = [];

  /** The date of a timestamp in a member or column called `name`. An absent one is null. */
  date(name: string, value: unknown): string | null {
    if (value === undefined || value === null || value === '') return null;
    const date = typeof value === 'string' ? dateOfTimestamp(value) : null;
    if (date === null)
      this.problems.push(`${name}: expected a date or time of ISO 8601, got ${show(value)}`);
    return date;
  }

  /** The text of HTML in a member or column called `name`. An absent one is empty. */
  html(name: string, value: unknown): string {
    const text = htmlToText(textOf(value) ?? '');
    if (text === null) {
      this.problems.push(
        `${name}: expected HTML whose elements are nested at most ${MAX_HTML_DEPTH} deep`,
      );
    }
    return text ?? '';
  }

  /** The date of a time since 1970 in units of so many milliseconds. */
  epoch(name: string, value: unknown, unitMs: number): string | null {
    if (value === undefined || value === null || value === '') return null;
    const isNumber = typeof value === 'number' || /^\d{1,15}$/.test(scalarText(value) ?? '');
    const date = isNumber ? dateOfMs(Number(value) * unitMs) : null;
    if (date === null)
      this.problems.push(`${name}: expected a time since 1970, got ${show(value)}`);
    return date;
  }

  /** Stars on a scale that is mapped linearly to 1 to 5, rounded to the nearest, a half up. */
  stars(name: string, value: unknown, min = 1, max = 5): number | null {
    const text = typeof value === 'number' ? String(value) : (textOf(value)?.trim() ?? '');
    const rating = /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
    if (!(rating >= min && rating <= max)) {
      this.problems.push(`${name}: expected a rating from ${min} to ${max}, got ${show(value)}`);
      return null;
    }
    const exact = 1 + ((rating - min) * 4) / (max - min);
    const stars = nearestStar(exact);
    if (stars !== exact) {
      this.notes.push(`rating ${text}${max === 5 ? '' : ` of ${max}`} rounded to ${stars} stars`);
    }
    return stars;
  }

  /** The owner's reply; one without a date is left out. */
  reply(text: unknown, date: string | null): { text: unknown; date: string } | null {
    if (text === undefined || text === null || (typeof text === 'string' && text.trim() === '')) {
      return null;
    }
    if (date !== null) return { text, date };
    this.notes.push(REPLY_LEFT_OUT);
    return null;
  }

  finish(record: ReviewRecord): Outcome {
    if (this.problems.length > 0) return { refusal: this.problems.join('; ') };
    return this.notes.length > 0 ? { record, notes: this.notes } : { record };
  }
}
