// Finds durations ("two working days", "48hrs") and times of day ("8:05", "ten to seven", "between 8 and 12") in a
// text.

import { GAP } from './text.ts';
import type { AnnotatedText } from './annotate.ts';
import { NUMBER_WORDS, setOf } from './grammar.ts';

/** A duration at the keys [from, to). */
export interface Duration {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  /** Hours of its unit; null where it is not written: "promised three days, it was five". */
  readonly unitHours: number | null;
}

/** A time of day, or a window of time, at the keys [from, to), in hours after midnight. */
export interface TimeOfDay {
  readonly from: number;
  readonly to: number;
  readonly earliest: number;
  readonly latest: number;
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...NUMBER_WORDS.map((word, value) => [word, value] as const),
  ['couple', 2],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
]);
const MINUTE = 1 / 60;
const [DAY, WEEK, MONTH] = [24, 168, 720];
const UNITS: ReadonlyMap<string, number> = new Map([
  ...['minute', 'minutes', 'min', 'mins'].map((unit) => [unit, MINUTE] as const),
  ...['hour', 'hours', 'hr', 'hrs'].map((unit) => [unit, 1] as const),
  ...['day', 'days'].map((unit) => [unit, DAY] as const),
  ...['week', 'weeks', 'wks'].map((unit) => [unit, WEEK] as const),
  ...['month', 'months'].map((unit) => [unit, MONTH] as const),
  ['fortnight', 2 * WEEK],
]);
const BETWEEN_NUMBER_AND_UNIT = /^(?:working|business|full|whole|solid|long|more|of)$/;
/** "The five they promised", "fifteen it took" */
const SUBJECT = /^(?:it|they|he|she|i|we)$/;
/** Words after a bare number that leave it a time: "at 2 instead of 10". */
const AFTER_TIME =
  /^(?:instead|rather|and|or|but|not|when|on|in|that|the|he|she|they|we|i|sharp|exactly|promised|window|slot|appointment|they|so|because|if|at|with|without|to|for)$/;
const MINUTES_IN_WORDS = setOf('fifteen twenty thirty forty');
const MERIDIEM = /^(?:am|pm)$/;
/** Hours below are in the afternoon if nothing else is said. */
const FIRST_MORNING_HOUR = 7;

/** The durations of a text. A number without a unit counts where no noun can follow it. */
export function durationsIn(annotated: AnnotatedText): Duration[] {
  const { words } = annotated.keys;
  const durations: Duration[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const duration = durationAt(annotated, at);
    if (duration === null) continue;
    durations.push(duration);
    at = duration.to - 1;
  }
  return durations;
}

function durationAt(annotated: AnnotatedText, at: number): Duration | null {
  const { words } = annotated.keys;
  const joined = beginsWithDigit(words[at] as string)
    ? /^(\d{1,3})(min|mins|hr|hrs|hours|days)$/.exec(words[at] as string)
    : null;
  if (joined !== null)
    return { from: at, to: at + 1, count: Number(joined[1]), unitHours: UNITS.get(joined[2]!)! };
  const number = numberAt(words, at);
  if (number === null) return null;
  let to = number.to;
  while (BETWEEN_NUMBER_AND_UNIT.test(words[to] ?? '')) to += 1;
  const unitHours = UNITS.get(words[to] ?? '');
  if (unitHours !== undefined) return { from: at, to: to + 1, count: number.value, unitHours };
  if (!/^(?:\d|[a-z]{3})/.test(words[at] as string)) return null;
  const isDay = words[at - 1] === 'day';
  const isAlone = endsHere(annotated, number.to) || SUBJECT.test(words[number.to] as string);
  return isDay || isAlone
    ? { from: at, to: number.to, count: number.value, unitHours: isDay ? DAY : null }
    : null;
}

/** A fast check before regular expressions: few words are numbers in digits. */
function beginsWithDigit(word: string): boolean {
  const code = word.charCodeAt(0);
  return code >= 48 && code <= 57;
}

/** A number in digits or words, "a" and "half a" before a unit. */
function numberAt(words: readonly string[], at: number): { value: number; to: number } | null {
  const word = words[at] as string;
  if (beginsWithDigit(word))
    return /^\d{1,3}$/.test(word) ? { value: Number(word), to: at + 1 } : null;
  const next = words[at + 1] ?? '';
  if ((word === 'a' || word === 'an') && UNITS.has(next)) return { value: 1, to: at + 1 };
  if (word === 'half' && /^an?$/.test(next)) return { value: 0.5, to: at + 2 };
  const value = NUMBERS.get(word);
  if (value === undefined) return null;
  const ones = NUMBERS.get(next) ?? 10;
  return value >= 20 && ones < 10 ? { value: value + ones, to: at + 2 } : { value, to: at + 1 };
}

/** Whether a clause ends, or a comma stands, before a key. */
function endsHere({ keys, tokens, clauseOf }: AnnotatedText, at: number): boolean {
  if (at >= keys.words.length) return true;
  const token = keys.tokenOf[at] as number;
  return clauseOf[token] !== clauseOf[token - 1] || (tokens[token]?.gap ?? 0) !== 0;
}

/** The times of day in a text; of a window both ends in one. */
export function timesOfDayIn(annotated: AnnotatedText): TimeOfDay[] {
  const { words } = annotated.keys;
  const times: TimeOfDay[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const first = timeAt(annotated, at);
    if (first === null) continue;
    const second = windowEnd(annotated, first.to);
    if (!first.isCertain && second === null && !isTimeBare(annotated, at, first.to)) continue;
    const earliest = first.hours;
    let latest = second?.hours ?? earliest;
    if (latest < earliest) latest += 12;
    const to = second?.to ?? first.to;
    times.push({ from: at, to, earliest, latest });
    at = to - 1;
  }
  return times;
}

interface Time {
  readonly hours: number;
  readonly to: number;
  /** Whether it is a time whatever surrounds it. */
  readonly isCertain: boolean;
}

/** The end of a window whose begin ends before a key: "to 12", "-12", "and 12". */
function windowEnd(annotated: AnnotatedText, at: number): Time | null {
  const { keys, tokens } = annotated;
  if (at >= keys.words.length) return null;
  const isJoined = ((tokens[keys.tokenOf[at] as number]?.gap ?? 0) & (GAP.hyphen | GAP.dash)) !== 0;
  const start = isJoined ? at : /^(?:to|and|til|till|until)$/.test(keys.words[at]!) ? at + 1 : null;
  if (start === null || start >= keys.words.length) return null;
  const end = timeAt(annotated, start);
  return end !== null && (end.isCertain || isFollowed(annotated, end.to)) ? end : null;
}

/** Whether a bare number is a time: "at 2", "instead of 10". */
function isTimeBare(annotated: AnnotatedText, at: number, to: number): boolean {
  const { words } = annotated.keys;
  const before = words[at - 1] ?? '';
  const isPlaced =
    /^(?:at|by|around|until|till)$/.test(before) ||
    (before === 'of' && words[at - 2] === 'instead') ||
    (before === 'not' && words[at - 3] === 'at');
  return isPlaced && isFollowed(annotated, to);
}

function isFollowed(annotated: AnnotatedText, to: number): boolean {
  return endsHere(annotated, to) || AFTER_TIME.test(annotated.keys.words[to] ?? '');
}

function timeAt({ keys, tokens }: AnnotatedText, at: number): Time | null {
  const { words, tokenOf } = keys;
  const word = words[at] as string;
  if (word === 'noon' || word === 'midday') return { hours: 12, to: at + 1, isCertain: true };
  const past = pastOrTo(words, at);
  if (past !== null) return past;
  const isInDigits = beginsWithDigit(word);
  const joined = isInDigits ? /^(\d{1,2})(am|pm)$/.exec(word) : null;
  if (joined !== null)
    return { hours: hoursOf(Number(joined[1]), joined[2]), to: at + 1, isCertain: true };
  const hour = isInDigits && /^\d{1,2}$/.test(word) ? Number(word) : (NUMBERS.get(word) ?? 24);
  if (hour > 23) return null;
  const next = words[at + 1] ?? '';
  const isColon = ((tokens[tokenOf[at + 1] ?? 0]?.gap ?? 0) & GAP.colon) !== 0;
  const minutes = isColon ? /^(\d{2})(am|pm|)$/.exec(next) : null;
  if (minutes !== null) {
    const meridiem = minutes[2] || words[at + 2];
    const to = MERIDIEM.test(words[at + 2] ?? '') ? at + 3 : at + 2;
    return { hours: hoursOf(hour, meridiem) + Number(minutes[1]) / 60, to, isCertain: true };
  }
  if (hour < 1) return null;
  const inWords = MINUTES_IN_WORDS.has(next) ? NUMBERS.get(next) : undefined;
  if (inWords !== undefined && hour <= 12)
    return { hours: hoursOf(hour) + inWords / 60, to: at + 2, isCertain: false };
  if (MERIDIEM.test(next)) return { hours: hoursOf(hour, next), to: at + 2, isCertain: true };
  return { hours: hoursOf(hour), to: at + 1, isCertain: false };
}

/** "ten to seven", "quarter past nine", "half seven" */
function pastOrTo(words: readonly string[], at: number): Time | null {
  const word = words[at] as string;
  const minutes = word === 'quarter' ? 15 : word === 'half' ? 30 : NUMBERS.get(word);
  if (minutes === undefined || minutes % 5 !== 0 || minutes === 0) return null;
  const link = words[at + 1] ?? '';
  const isHalf = word === 'half' && NUMBERS.has(link);
  if (!isHalf && link !== 'past' && (link !== 'to' || minutes === 30)) return null;
  const hour = NUMBERS.get(words[isHalf ? at + 1 : at + 2] ?? '') ?? 24;
  if (hour < 1 || hour > 12) return null;
  // "Ten to twelve" is more often a window.
  if (link === 'to' && minutes === 10 && hour > minutes) return null;
  const hours = hoursOf(hour) + (link === 'to' ? -minutes : minutes) / 60;
  return { hours: hours, to: isHalf ? at + 2 : at + 3, isCertain: true };
}

function hoursOf(hour: number, meridiem?: string): number {
  if (meridiem === 'am') return hour % 12;
  if (meridiem === 'pm') return (hour % 12) + 12;
  return hour < FIRST_MORNING_HOUR ? hour + 12 : hour;
}
