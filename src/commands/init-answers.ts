// Answers of owners in their words: a country by its name, hours as they stand on a door.

import { faultOfCountry } from '../model/business-notes.ts';
import { fold } from '../model/fold.ts';
import { WEEK } from '../model/business.ts';

/** Names of countries are understood in these. */
const LANGUAGES = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pt'];
const SHORT_NAMES: Readonly<Record<string, string>> = { UK: 'GB', USA: 'US' };
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The two letters of a country that is named by them or by a name; null if there is no such country. */
export function countryOf(answer: string): string | null {
  const code = answer.toUpperCase();
  if (SHORT_NAMES[code] !== undefined) return SHORT_NAMES[code];
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  const known = codes.filter((each) => faultOfCountry(each) === null);
  if (known.includes(code)) return code;
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: 'region' });
    const found = known.find((each) => fold(names.of(each) ?? '') === fold(answer));
    if (found !== undefined) return found;
  }
  return null;
}

interface Hours {
  readonly days: readonly string[];
  readonly opens: string;
  readonly closes: string;
}

const DAYS_AND_TIMES =
  /^(\p{L}{2,})(?:\s*[-–]\s*(\p{L}{2,}))?:?\s+(\d\d?)(?:[:.](\d\d))?\s*[-–]\s*(\d\d?)(?:[:.](\d\d))?$/u;

/** Opening hours such as "Mon-Fri 8:30-17, Sat 9-12"; null if they are not understood. */
export function hoursOf(answer: string): Hours[] | null {
  const found = answer.split(/[,;]/).map((part) => {
    const [, first = '', last = first, ...times] = DAYS_AND_TIMES.exec(part.trim()) ?? [];
    const [from, to] = [indexOfDay(first), indexOfDay(last)];
    const [opens, closes] = [timeOf(times[0], times[1]), timeOf(times[2], times[3])];
    if (from < 0 || to < from || opens === null || closes === null || opens >= closes) return null;
    return { days: WEEK.slice(from, to + 1), opens, closes };
  });
  return found.every((each) => each !== null) ? found : null;
}

function indexOfDay(name: string): number {
  if (name === '') return -1;
  return WEEK.findIndex((day) => day.toLowerCase().startsWith(name.toLowerCase()));
}

function timeOf(hour = '', minute = '00'): string | null {
  return Number(hour) < 24 && Number(minute) < 60 ? `${hour.padStart(2, '0')}:${minute}` : null;
}
