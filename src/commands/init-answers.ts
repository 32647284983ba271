// Answers of owners in their words: a country by its name, hours as they stand on a door.

import { faultOfCountry } from '../model/business-notes.ts';
import { WEEK } from '../model/business.ts';
import { fold } from '../model/fold.ts';
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

/** Bars close after midnight, in the times of 24 hours; nothing opens at night. */
const LATEST_CLOSE = '06:00';
const EARLIEST_OPEN = '05:00';
/** German first, in which two letters are a day. */
const DAYS = [
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lunes martes miércoles jueves viernes sábado domingo',
  'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  'maandag dinsdag woensdag donderdag vrijdag zaterdag zondag',
  'segunda terça quarta quinta sexta sábado domingo',
].map((days) => days.split(' ').map(fold));
const TO = '\\s*(?:[-–]|(?:to|bis|à|a|tot|até)(?=\\s))\\s*';
const DAY = '(\\p{L}{2,}?|[mwf])';
const TIME = '(\\d\\d?)(?:\\s*[:.h]\\s*(\\d\\d))?(?:\\s*h)?(?:\\s*([ap])\\.?m\\.?)?';
const PART = new RegExp(
  `^(?:${DAY}(?:${TO}${DAY})?)?[\\s:–-]*(closed|geschlossen|fermé|cerrado|chiuso|gesloten|fechado|${TIME}${TO}${TIME})?$`,
  'iu',
);

/**
 * Opening hours such as "Mon-Fri 8:30-17, Sat 9am to 1pm" or "Monday to Friday, 8-12 and 13-17; Sun closed"; null if
 * they are not understood.
 */
export function hoursOf(answer: string): Hours[] | null {
  let hours: Hours[] = [];
  let days: readonly string[] = [];
  let isOpen = true;
  // Days that are named again have other hours.
  const without = (gone: readonly string[]) =>
    hours.flatMap((one) => {
      const left = one.days.filter((day) => !gone.includes(day));
      return left.length === 0 ? [] : [{ ...one, days: left }];
    });
  const plain = answer
    .replaceAll(/\bby appointment(?: only)?/gi, 'closed')
    .replaceAll(/\buhr\b/gi, '');
  for (const part of plain.split(/[,;&]|\b(?:and|und)\b/i)) {
    const [, first, last = first, what, ...times] = PART.exec(part.trim()) ?? [];
    if (first !== undefined) {
      const [from, to] = [indexOfDay(first), indexOfDay(last ?? '')];
      if (from < 0 || to < from) return null;
      const named = WEEK.slice(from, to + 1);
      // "Sat, Sun 9-12"
      days = isOpen ? named : [...days, ...named];
      isOpen = false;
    }
    if (days.length === 0 || (first === undefined && what === undefined)) return null;
    if (what === undefined) continue;
    isOpen = true;
    if (!/\d/.test(what)) {
      hours = without(days);
      continue;
    }
    const [opens, closes] = [timeOf(...times.slice(0, 3)), timeOf(...times.slice(3))];
    // "8-5pm" may mean the evening.
    const isMixed = (times[2] === undefined) !== (times[5] === undefined);
    if (opens === null || closes === null || isMixed || isOdd(opens, closes, times[2])) return null;
    const isBoth = (one: Hours) => one.opens < closes && opens < one.closes;
    hours = without(
      days.filter((day) => hours.some((one) => one.days.includes(day) && isBoth(one))),
    );
    hours.push({ days, opens, closes });
  }
  return isOpen && hours.length > 0 ? hours : null;
}

/** Whether times are the wrong way round, or may leave out that they are of the afternoon. */
function isOdd(opens: string, closes: string, half: string | undefined): boolean {
  if (opens >= closes && closes > LATEST_CLOSE) return true;
  return half === undefined && (opens < EARLIEST_OPEN || (opens >= closes && opens < '13:00'));
}

function indexOfDay(name: string): number {
  const known = [WEEK.map((day) => day.toLowerCase()), ...DAYS.slice(0, name.length > 2 ? 6 : 1)];
  const found = known.map((days) =>
    days.findIndex((day) => name !== '' && day.startsWith(fold(name))),
  );
  return found.find((index) => index >= 0) ?? -1;
}

function timeOf(hour = '', minute = '00', half?: string): string | null {
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  return hours < 24 && Number(minute) < 60 ? `${String(hours).padStart(2, '0')}:${minute}` : null;
}
