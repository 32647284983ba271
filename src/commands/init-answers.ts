// Answers of owners in their words: a country by its name, hours as they stand on a door.

import { faultOfCountry } from '../model/business-notes.ts';
import { WEEK } from '../model/business.ts';
import { regionOf } from '../strings/regions.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/** The two letters of a country that is named by them or by a name; null if there is no such country. */
export function countryOf(answer: string): string | null {
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return regionOf(
    answer,
    codes.filter((code) => faultOfCountry(code) === null),
  );
}

interface Hours {
  readonly days: readonly string[];
  readonly opens: string;
  readonly closes: string;
}

const EARLY = '06:00';
const DAYS_AND_TIMES =
  /^(\p{L}{2,})(?:\s*[-–]\s*(\p{L}{2,}))?:?\s+(\d\d?)(?:[:.](\d\d))?\s*[-–]\s*(\d\d?)(?:[:.](\d\d))?$/u;

/** Opening hours such as "Mon-Fri 8:30-17, Sat 9-12"; null if they are not understood. */
export function hoursOf(answer: string): Hours[] | null {
  const found = answer.split(/[,;]/).map((part) => {
    const [, first = '', last = first, ...times] = DAYS_AND_TIMES.exec(part.trim()) ?? [];
    const [from, to] = [indexOfDay(first), indexOfDay(last)];
    const [opens, closes] = [timeOf(times[0], times[1]), timeOf(times[2], times[3])];
    if (from < 0 || to < from || opens === null || closes === null) return null;
    // Bars close after midnight; by day it is the wrong way round.
    if (opens >= closes && closes > EARLY) return null;
    return { days: WEEK.slice(from, to + 1), opens, closes };
  });
  return found.every((each) => each !== null) ? found : null;
}

function indexOfDay(name: string): number {
  return WEEK.findIndex((day) => name !== '' && day.toLowerCase().startsWith(name.toLowerCase()));
}

function timeOf(hour = '', minute = '00'): string | null {
  return Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : null;
}
