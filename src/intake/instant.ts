// Instants to dates: timestamps of ISO 8601 and times since 1970.

import { isDate } from '../model/date.ts';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?$/i;

/** The date of a timestamp of ISO 8601: in UTC if it has an offset, else as written. Null if it is none. */
export function dateOfTimestamp(text: string): string | null {
  const [, date = '', hour = '00', minute = '00', second = '00', zone] =
    TIMESTAMP.exec(text.trim()) ?? [];
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  if (zone === undefined) return date;
  const offset = /^[a-z]+$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  return dateOfMs(Date.parse(`${date}T${hour}:${minute}:00${offset}`));
}

/** The date in UTC of milliseconds since 1970; null if they are out of bounds. */
export function dateOfMs(epochMs: number): string | null {
  const instant = new Date(epochMs);
  if (Number.isNaN(instant.getTime())) return null;
  const date = instant.toISOString().replace(/T.*/, '');
  return isDate(date) ? date : null;
}
