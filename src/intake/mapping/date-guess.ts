// The format of the dates of a column, by the evidence of its values.

import {
  compileDateFormat,
  ISO_FORMAT,
  isMonth,
  isWeekday,
  PLAIN_FORMAT,
  plainDate,
  RELATIVE_FORMAT,
  relativeDate,
  writtenDate,
} from './date-format.ts';

const MOST = 0.6;
const LONGEST = 60;
const SHAPES = 8;
const TIME =
  /(?<hour>\d{1,2}):\d{2}(?<second>:\d{2})?(?<fraction>[.,]\d+)?(?:(?<space>\s?)(?<half>[ap]\.?\s?m\.?)(?!\p{L}))?(?:(?<gap>\s?)(?<zone>(?:UTC|GMT)?[+-]\d{2}:?\d{2}|(?:UTC|GMT)(?:[+-]\d{1,2})?|Z\b))?/iu;
const TIME_MARK = '\u0001';

/** Which comes first in dates of numbers alone. */
export type DateOrder = 'day-first' | 'month-first';

function isAlone(value: string): boolean {
  const isShort = value.length <= LONGEST;
  return isShort && (plainDate(value) ?? relativeDate(value, '2000-01-01')) !== null;
}

/** The formats in which most values are dates, as many in each; two if the order of day and month is open. */
export function dateFormatsOf(written: readonly string[]): string[] {
  const values = written.map(writtenDate);
  if (values.length === 0) return [];
  const ago = values.filter((value) => relativeDate(value, '2000-01-01')).length;
  if (ago > 0 && values.filter(isAlone).length >= values.length * MOST) return [RELATIVE_FORMAT];
  // Numbers are times since 1970 only if they are of our days.
  if (values.every((value) => /^1\d{9}$/.test(value))) return ['t'];
  if (values.every((value) => /^1\d{12}$/.test(value))) return ['T'];
  const shapes = [...new Set(values)].slice(0, SHAPES);
  const candidates = new Set([ISO_FORMAT, ...shapes.flatMap(formatsOf)]);
  const counts = [...candidates].map((format): [string, number] => {
    const dates = compileDateFormat(format);
    return [format, values.filter((value) => dates?.parse(value)).length];
  });
  const most = Math.max(...counts.map(([, count]) => count));
  const plainly = values.filter((value) => value.length <= LONGEST && plainDate(value)).length;
  if (Math.max(most, plainly) < values.length * MOST) {
    // People write a date now so and now so: then each value is one.
    const formats = [...candidates].map(compileDateFormat);
    const isDate = (value: string) =>
      plainDate(value) !== null || formats.some((format) => format?.parse(value));
    return values.length > 2 && plainly > 0 && values.every(isDate) ? [PLAIN_FORMAT] : [];
  }
  if (plainly > most) return [PLAIN_FORMAT];
  const best = counts.filter(([, count]) => count === most).map(([format]) => format);
  const plain = best.find((format) => format === 'yyyy-MM-dd');
  // The first shape is the most common one of several that read the same values.
  return plain ? [plain] : best[0] === ISO_FORMAT ? [ISO_FORMAT] : onePerOrder(best);
}

function onePerOrder(formats: readonly string[]): string[] {
  const orders = formats.map(orderOf);
  return formats.filter((_, index) => orders.indexOf(orders[index] ?? null) === index);
}

/** Null if a format has the name of a month, or begins with the year. */
export function orderOf(format: string): DateOrder | null {
  if (/MMM|^y|^t$|^T$|^(?:iso|plain|excel|relative)$/.test(format)) return null;
  return format.indexOf('d') < format.indexOf('M') ? 'day-first' : 'month-first';
}

function formatsOf(value: string): string[] {
  if (value.length > LONGEST) return [];
  const time = TIME.exec(value);
  const rest = time === null ? value : value.replace(time[0], TIME_MARK);
  const parts = rest.match(/\d+|\p{L}+\.?|[^\p{L}\d]+/gu) ?? [];
  const numbers = parts.filter((part) => /^\d/.test(part));
  const hasMonth = parts.some(isMonthPart);
  const dotted = parts.some((part, index) => part === '.' && /^\d/.test(parts[index + 1] ?? ''));
  const orders = ordersOf(numbers, hasMonth).filter(([first]) => !dotted || first !== 'M');
  const timeFormat = time?.groups ? formatOfTime(time.groups) : '';
  return orders.map((tokens) => {
    let taken = 0;
    return parts
      .map((part, index) => {
        if (/^\d/.test(part)) {
          const token = tokens[taken++] ?? '';
          return token === 'd' && isOrdinal(parts[index + 1]) ? 'do' : token;
        }
        if (isOrdinal(part) && /^\d/.test(parts[index - 1] ?? '')) return '';
        if (isMonthPart(part)) return 'MMMM';
        if (isWeekday(part)) return 'EEEE';
        return /\p{L}/u.test(part)
          ? `'${part.replaceAll("'", "''")}'`
          : part.replaceAll("'", "''").replace(TIME_MARK, timeFormat);
      })
      .join('');
  });
}

function ordersOf(numbers: readonly string[], hasMonth: boolean): string[][] {
  const isYear = (text: string) => text.length === 4;
  const [first = '', second = '', third = ''] = numbers;
  if (hasMonth) {
    if (numbers.length === 1 && isYear(first)) return [['yyyy']];
    if (numbers.length !== 2) return [];
    if (isYear(first)) return [['yyyy', 'd']];
    return [['d', isYear(second) ? 'yyyy' : 'yy']];
  }
  if (numbers.length === 1 && first.length === 8) return [['yyyyMMdd']];
  if (numbers.length !== 3) return [];
  if (isYear(first)) return [second.length === 2 ? ['yyyy', 'MM', 'dd'] : ['yyyy', 'M', 'd']];
  const year = isYear(third) ? 'yyyy' : 'yy';
  return [
    ['d', 'M', year],
    ['M', 'd', year],
  ];
}

function isMonthPart(part: string): boolean {
  return /^\p{L}/u.test(part) && isMonth(part);
}

function isOrdinal(part: string | undefined): boolean {
  return /^(?:st|nd|rd|th|er|º)$/i.test(part ?? '');
}

function formatOfTime(groups: Readonly<Record<string, string | undefined>>): string {
  const { second, fraction, space = '', half, gap = '', zone } = groups;
  const start = `${half === undefined ? 'H' : 'h'}:mm${second === undefined ? '' : ':ss'}`;
  const part = fraction === undefined ? '' : `${fraction.slice(0, 1)}S`;
  return `${start}${part}${half === undefined ? '' : `${space}a`}${zone === undefined ? '' : `${gap}XXX`}`;
}
