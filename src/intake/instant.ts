// Instants to dates: timestamps of ISO 8601 and times since 1970, in a time zone.

import { isDate } from '../model/date.ts';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * The date of a timestamp of ISO 8601: in the time zone if it has an offset, else as written. Null if it
 * is none.
 */
export function dateOfTimestamp(text: string, timeZone = 'UTC'): string | null {
  const [, date = '', hour = '00', minute = '00', second = '00', zone] =
    TIMESTAMP.exec(text.trim()) ?? [];
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (zone === undefined) return date;
  const offset = /^[a-z]+$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  return dateOfMs(Date.parse(`${date}T${hour}:${minute}:00${offset}`), timeZone);
}

/** The date of milliseconds since 1970 in a time zone; null if they are out of bounds. */
export function dateOfMs(epochMs: number, timeZone = 'UTC'): string | null {
  const instant = new Date(epochMs);
  if (Number.isNaN(instant.getTime())) return null;
  const date =
    timeZone === 'UTC' ? instant.toISOString().replace(/T.*/, '') : dateInZone(instant, timeZone);
  return isDate(date) ? date : null;
}

function dateInZone(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(instant);
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Whether this is the name of a time zone, such as `Europe/Paris`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
