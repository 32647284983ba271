// Dates as a file writes them: a format in Unicode date tokens (https://unicode.org/reports/tr35/tr35-dates.html),
// such as "do MMMM yyyy" for "19th November 2023".

import { isDate } from '../../model/date.ts';
import { dateOfMs, dateOfTimestamp } from '../instant.ts';

type Part =
  | 'year'
  | 'month'
  | 'monthName'
  | 'day'
  | 'hour'
  | 'hourOf12'
  | 'half'
  | 'minute'
  | 'second'
  | 'offset'
  | 'seconds'
  | 'milliseconds'
  | 'ignored';

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(0, month).toLocaleString('en', { month: 'long' }).toLowerCase(),
);
/** Whole names and those of three letters, "sept" too. */
const MONTH = MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`)
  .join('|')
  .replace('(?:tember)', 't?(?:ember)');
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?';
const TWO_DIGITS = '\\d{1,2}';

/** What a token means, and the text that it matches. */
const TOKENS: readonly (readonly [tokens: RegExp, part: Part, pattern: string])[] = [
  [/^(?:y|yyyy)$/, 'year', '\\d{4}'],
  [/^yy$/, 'year', '\\d{2}'],
  [/^(?:MM?|LL?)$/, 'month', TWO_DIGITS],
  [/^(?:MMMM?|LLLL?)$/, 'monthName', MONTH],
  [/^dd?$/, 'day', TWO_DIGITS],
  [/^do$/, 'day', `${TWO_DIGITS}(?=st|nd|rd|th)(?:st|nd|rd|th)`],
  [/^(?:E{1,4}|ccc?c?)$/, 'ignored', WEEKDAY],
  [/^(?:HH?|kk?)$/, 'hour', TWO_DIGITS],
  [/^(?:hh?|KK?)$/, 'hourOf12', TWO_DIGITS],
  [/^a{1,4}$/, 'half', '[ap]\\.?m\\.?'],
  [/^mm?$/, 'minute', TWO_DIGITS],
  [/^ss?$/, 'second', TWO_DIGITS],
  [/^S+$/, 'ignored', '\\d+'],
  [/^X{1,5}$/, 'offset', 'Z|[+-]\\d{2}(?::?\\d{2})?'],
  [/^x{1,5}$/, 'offset', '[+-]\\d{2}(?::?\\d{2})?'],
  [/^t$/, 'seconds', '-?\\d+'],
  [/^T$/, 'milliseconds', '-?\\d+'],
];

/** The format of timestamps of ISO 8601, with or without a time and an offset. */
export const ISO_FORMAT = 'iso';

/** Reads dates in one format. */
export interface DateFormat {
  /** As YYYY-MM-DD, in UTC if the text names an instant; null if it is no date in this format. */
  parse(text: string): string | null;
}

/** Null if a token is unknown, or if the format does not name a day, a month and a year, each once. */
export function compileDateFormat(format: string): DateFormat | null {
  if (format === ISO_FORMAT) return { parse: (text) => dateOfTimestamp(text) };
  const parts: Part[] = [];
  let pattern = '';
  for (const [token, quoted] of format.matchAll(/'((?:[^']|'')+)'|''|([A-Za-z])\2*o?|[^A-Za-z]/g)) {
    const known = /^[A-Za-z]/.test(token) ? TOKENS.find(([tokens]) => tokens.test(token)) : null;
    if (known === undefined) return null;
    if (known === null) {
      pattern += RegExp.escape((quoted ?? token).replaceAll("''", "'"));
      continue;
    }
    const [, part, matched] = known;
    parts.push(part);
    pattern += part === 'ignored' ? `(?:${matched})` : `(?<${part}>${matched})`;
  }
  const named = parts.filter((part) => part !== 'ignored');
  if (new Set(named).size < named.length || !namesDay(new Set(named))) return null;
  const regExp = new RegExp(`^${pattern}$`, 'i');
  return {
    parse(text) {
      const groups = regExp.exec(text)?.groups;
      return groups ? dateOf(groups) : null;
    },
  };
}

function namesDay(parts: ReadonlySet<Part>): boolean {
  if (parts.has('seconds') || parts.has('milliseconds')) return parts.size === 1;
  const hasMonth = parts.has('month') !== parts.has('monthName');
  return parts.has('year') && hasMonth && parts.has('day');
}

type Groups = Readonly<Partial<Record<Part, string>>>;

function dateOf(groups: Groups): string | null {
  const { seconds, milliseconds, offset } = groups;
  const epochMs = seconds === undefined ? milliseconds : `${seconds}000`;
  if (epochMs !== undefined) return dateOfMs(Number(epochMs));
  const date = calendarDate(groups);
  const minutes = minutesOf(groups);
  if (date === null || minutes === null) return null;
  if (offset === undefined) return date;
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  return dateOfMs(midnightMs + (minutes - offsetMinutes(offset)) * 60_000);
}

function calendarDate({ year = '', month, monthName = '', day = '' }: Groups): string | null {
  const names = (name: string) => name.slice(0, 3) === monthName.slice(0, 3).toLowerCase();
  const number = month ?? String(MONTHS.findIndex(names) + 1);
  const date = `${fullYear(year)}-${number.padStart(2, '0')}-${String(Number.parseInt(day)).padStart(2, '0')}`;
  return isDate(date) ? date : null;
}

/** Years of two digits are 1950 to 2049. */
function fullYear(year: string): string {
  if (year.length > 2) return year;
  return `${Number(year) < 50 ? '20' : '19'}${year}`;
}

/** Minutes since midnight; null if the time does not exist. */
function minutesOf({ hour, hourOf12, half, minute = '0', second = '0' }: Groups): number | null {
  const isAfternoon = /^p/i.test(half ?? '');
  const hours =
    hourOf12 === undefined ? Number(hour ?? 0) : (Number(hourOf12) % 12) + (isAfternoon ? 12 : 0);
  const exists =
    hours < 24 && Number(hourOf12 ?? 0) <= 12 && Number(minute) < 60 && Number(second) < 60;
  return exists ? hours * 60 + Number(minute) : null;
}

function offsetMinutes(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const digits = offset.slice(1).replace(':', '');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return offset.startsWith('-') ? -minutes : minutes;
}
