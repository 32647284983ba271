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
const TO = '\\s*(?:[-–]|to)\\s*';
const TIME = '(\\d\\d?)(?:[:.](\\d\\d))?(?:\\s*([ap])\\.?m\\.?)?';
const DAYS_AND_TIMES = new RegExp(
  `^(\\p{L}{2,}?)(?:${TO}(\\p{L}{2,}))?:?\\s+${TIME}${TO}${TIME}$`,
  'iu',
);

/** Opening hours such as "Mon-Fri 8:30-17, Sat 9am to 1pm"; null if they are not understood. */
export function hoursOf(answer: string): Hours[] | null {
  const found = answer.split(/[,;]/).map((part) => {
    const [, first = '', last = first, ...times] = DAYS_AND_TIMES.exec(part.trim()) ?? [];
    const [from, to] = [indexOfDay(first), indexOfDay(last)];
    const [opens, closes] = [timeOf(...times.slice(0, 3)), timeOf(...times.slice(3))];
    if (from < 0 || to < from || opens === null || closes === null) return null;
    // "8-5pm" may mean the evening.
    if ((times[2] === undefined) !== (times[5] === undefined)) return null;
    // Bars close after midnight; by day it is the wrong way round.
    if (opens >= closes && closes > EARLY) return null;
    return { days: WEEK.slice(from, to + 1), opens, closes };
  });
  return found.every((each) => each !== null) ? found : null;
}

function indexOfDay(name: string): number {
  return WEEK.findIndex((day) => name !== '' && day.toLowerCase().startsWith(name.toLowerCase()));
}

function timeOf(hour = '', minute = '00', half?: string): string | null {
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return hours < 24 && Number(minute) < 60 ? `${String(hours).padStart(2, '0')}:${minute}` : null;
}
