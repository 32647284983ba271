// Dates as a file writes them: a format in Unicode date tokens (https://unicode.org/reports/tr35/tr35-dates.html),
// such as "do MMMM yyyy" for "19th November 2023".

import { isDate } from '../../model/date.ts';
import { fold } from '../../model/fold.ts';
import ago from './ago.json' with { type: 'json' };
import tokens from './date-tokens.json' with { type: 'json' };
import { westernDigits } from './ratings.ts';
import { dateOfMs, dateOfTimestamp } from '../instant.ts';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'sv', 'da', 'pl'] as const;

const MONTHS: ReadonlyMap<string, number> = new Map([
  ...namesOf(12, (month) => new Date(Date.UTC(2024, month, 15)), 'month'),
  ['sept', 9],
  ['mrz', 3],
]);
const WEEKDAYS = new Map(namesOf(7, (day) => new Date(Date.UTC(2024, 0, day)), 'weekday'));

function namesOf(
  count: number,
  dateAt: (index: number) => Date,
  what: 'month' | 'weekday',
): [string, number][] {
  return LANGUAGES.flatMap((language) =>
    (['short', 'long'] as const).flatMap((length) => {
      // With a day, a language writes the month in the case of a date.
      const day = what === 'month' ? ({ day: 'numeric' } as const) : {};
      const format = new Intl.DateTimeFormat(language, { [what]: length, ...day, timeZone: 'UTC' });
      return Array.from({ length: count }, (_, index): [string, number] => {
        const part = format.formatToParts(dateAt(index)).find(({ type }) => type === what);
        return [plainName(part?.value ?? ''), index + 1];
      });
    }),
  );
}

function plainName(name: string): string {
  return fold(name).replace(/\.$/, '');
}

/** Whether a word is the name of a month, or of a day of the week. */
export function isMonth(word: string): boolean {
  return MONTHS.has(plainName(word));
}
export function isWeekday(word: string): boolean {
  return WEEKDAYS.has(plainName(word));
}

/** Tokens, what they stand for, and the pattern of it. */
const TOKENS = tokens.map(([known = '', part = '', pattern = '']) => ({
  isOf: (token: string) => RegExp(`^(?:${known})$`).test(token),
  part,
  pattern,
}));

/** The format of timestamps of ISO 8601, with or without a time and an offset. */
export const ISO_FORMAT = 'iso';
/** Dates in several formats, each of which can be read in one way. */
export const PLAIN_FORMAT = 'plain';
/** "3 weeks ago" and "yesterday", counted from the day of the export. */
export const RELATIVE_FORMAT = 'relative';
/** Days since 1899-12-30, as Excel counts them. */
export const EXCEL_FORMAT = 'excel';

const BESIDE =
  /^(?:edited|posted|reviewed|written|bearbeitet|about|over|almost|etwa) | (?:on|auf|sur|en|su|op) google$/g;
/** "week" of "# weeks ago", and "week 1" of "a week ago". */
const AGO: Readonly<Record<string, string>> = ago;

/** The date of a text such as "3 weeks ago" or "hace un mes" on a day; null if it is none. */
export function relativeDate(text: string, day: string): string | null {
  const words = fold(text).replaceAll(BESIDE, '');
  const key = words.replace(/\d+/, '#');
  const [unit, count = /\d+/.exec(words)?.[0]] =
    (Object.hasOwn(AGO, key) ? AGO[key] : '')?.split(' ') ?? [];
  if (!unit) return null;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const many = Number(count);
  const days = unit === 'day' ? many : unit === 'week' ? many * 7 : 0;
  const months = unit === 'year' ? many * 12 : unit === 'month' ? many : 0;
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return dateOfMs(Date.UTC(year, month - 1 - months, Math.min(date, last) - days));
}

const ORDINAL = String.raw`(?:st|nd|rd|th|er|º|\.)?,?`;
const NAMED = String.raw`(?:de |of )?(?<monthName>\p{L}{3,})\.?,?`;
const PLAIN = [
  /^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})$/,
  new RegExp(
    String.raw`(?<!\d)(?<day>\d{1,2})${ORDINAL}\s+${NAMED}\s+(?:del? )?(?<year>\d{4})$`,
    'iu',
  ),
  new RegExp(String.raw`${NAMED}\s+(?<day>\d{1,2})${ORDINAL}\s+(?<year>\d{4})$`, 'iu'),
];

/** A date that can be read in one way: of ISO 8601, with dots, or with the name of its month, also after other words. */
export function plainDate(text: string): string | null {
  const found = PLAIN.map((pattern) => pattern.exec(text)?.groups).map((groups) =>
    groups ? calendarDate(groups) : null,
  );
  return dateOfTimestamp(text) ?? found.find((date) => date !== null) ?? null;
}

/** The date of a serial number from 1995 to 2064. */
export function excelDate(text: string): string | null {
  const isSerial = /^(?:3[5-9]|[45]\d)\d{3}(?:[.,]\d+)?$/.test(text);
  return isSerial ? dateOfMs((Number.parseInt(text) - 25_569) * 86_400_000) : null;
}

export interface DateFormat {
  /** As YYYY-MM-DD, in UTC if the text names an instant; null if it is no date in this format. `day` is that of the export. */
  parse(text: string, day?: string | null): string | null;
}

/**
 * Null if a token is unknown, or if the format does not name a month and a year, each once. A named month without a day
 * is its first.
 */
export function compileDateFormat(format: string): DateFormat | null {
  const dates = compilePlain(format);
  return dates && { parse: (text, day) => dates.parse(writtenDate(text), day) };
}

/** A date in western digits and years. */
export function writtenDate(text: string): string {
  return westernDigits(text).replace(
    /(令和|平成|昭和)\s?(元|\d+)年/,
    (_, era: string, year: string) => {
      const first = { 令和: 2018, 平成: 1988, 昭和: 1925 }[era] ?? 0;
      return `${first + (year === '元' ? 1 : Number(year))}年`;
    },
  );
}

function compilePlain(format: string): DateFormat | null {
  if (format === ISO_FORMAT) return { parse: (text) => dateOfTimestamp(text) };
  if (format === PLAIN_FORMAT) return { parse: plainDate };
  if (format === EXCEL_FORMAT) return { parse: excelDate };
  if (format === RELATIVE_FORMAT)
    return { parse: (text, day) => (day ? relativeDate(text, day) : null) };
  const parts: string[] = [];
  let pattern = '';
  for (const [token, quoted] of format.matchAll(/'((?:[^']|'')+)'|''|([A-Za-z])\2*o?|[^A-Za-z]/g)) {
    const known = /^[A-Za-z]/.test(token) ? TOKENS.find(({ isOf }) => isOf(token)) : null;
    if (known === undefined) return null;
    if (known === null) {
      pattern += RegExp.escape((quoted ?? token).replaceAll("''", "'"));
      continue;
    }
    parts.push(known.part);
    pattern += `(${known.part === 'ignored' ? '?:' : `?<${known.part}>`}${known.pattern})`;
  }
  const named = parts.filter((part) => part !== 'ignored');
  if (new Set(named).size < named.length || !namesDay(new Set(named))) return null;
  const regExp = new RegExp(`^${pattern}$`, 'iu');
  return {
    parse(text) {
      const groups = regExp.exec(text)?.groups;
      return groups ? dateOf(groups) : null;
    },
  };
}

function namesDay(parts: ReadonlySet<string>): boolean {
  if (parts.has('seconds') || parts.has('milliseconds')) return parts.size === 1;
  const hasMonth = parts.has('month') !== parts.has('monthName');
  return parts.has('year') && hasMonth && (parts.has('day') || parts.has('monthName'));
}

type Groups = Readonly<Partial<Record<string, string>>>;

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

function calendarDate({ year = '', month, monthName = '', day = '1' }: Groups): string | null {
  const number = month ?? String(MONTHS.get(plainName(monthName)) ?? 0);
  const date = `${fullYear(year)}-${number.padStart(2, '0')}-${String(Number.parseInt(day)).padStart(2, '0')}`;
  return isDate(date) ? date : null;
}

/** Years of two digits are 1950 to 2049. */
function fullYear(year: string): string {
  // Thailand counts from the death of Buddha.
  if (/^2[45]\d\d$/.test(year)) return String(Number(year) - 543);
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
  if (/^[a-z]+$/i.test(offset)) return 0;
  const [, hours, rest = 0] = /(\d{1,2}?):?(\d\d)?$/.exec(offset) ?? [];
  const minutes = Number(hours) * 60 + Number(rest);
  return offset.includes('-') ? -minutes : minutes;
}
