// Calendar dates, YYYY-MM-DD.

import { z } from 'zod';
import { expected } from './issues.ts';

export const MS_PER_DAY = 86_400_000;
/** The format of a date. Matching text may still not be a date of the calendar. */
export const DATE_PATTERN = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether `text` is YYYY-MM-DD and exists in the calendar: 2025-02-30 does not. */
export function isDate(text: string): boolean {
  const parts = DATE_PATTERN.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Days since 1970-01-01 of a valid date; negative before. */
export function dayNumber(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY;
}

/** The inverse of `dayNumber`. */
export function dateOfDay(day: number): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10);
}

/** A number of days, weeks, months or years before today, such as "12m". */
const PERIOD = /^(\d{1,4})([dwmy])$/;

/** The date that is a period before another; null if the text is no period. */
export function dateBefore(today: string, period: string): string | null {
  const [, number, unit] = PERIOD.exec(period) ?? [];
  if (number === undefined) return null;
  const count = Number(number);
  if (unit === 'd' || unit === 'w')
    return dateOfDay(dayNumber(today) - count * (unit === 'd' ? 1 : 7));
  const [year, month, day] = today.split('-').map(Number) as [number, number, number];
  const months = year * 12 + month - 1 - count * (unit === 'm' ? 1 : 12);
  const lastDay = new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).getUTCDate();
  const parts = [Math.floor(months / 12), (months % 12) + 1, Math.min(day, lastDay)];
  const [years = '', ...others] = parts.map(String);
  const date = [years.padStart(4, '0'), ...others.map((part) => part.padStart(2, '0'))].join('-');
  return isDate(date) ? date : null;
}

export const dateSchema = z
  .string(expected('a date such as "2026-01-31"'))
  .refine(isDate, expected('a date that exists, written YYYY-MM-DD'))
  .meta({ format: 'date', examples: ['2026-01-31'] });
