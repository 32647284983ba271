// Compares what was promised with what happened: "promised two days, and it took five", "between 8 and 12, and he
// came at 1".

import type { AnnotatedText } from '../text/annotate.ts';
import type { Clause } from '../text/clauses.ts';
import { PatternSet } from '../text/patterns.ts';
import { type Duration, durationsIn, type TimeOfDay, timesOfDayIn } from '../text/times.ts';
import { isAboutOthers } from './unmeant.ts';

/** What happened, in the keys [from, to), and whether that was promised. */
export interface PromiseOutcome {
  readonly from: number;
  readonly to: number;
  readonly isKept: boolean;
}

type Role = 'promised' | 'happened';

/** Words before a time that say what it is. */
const BEFORE = new PatternSet<Role>([
  [
    '(promised|promise|told|said|says|planned|scheduled|supposed|estimate*|quoted|booked|meant|due|swore|agreed|instead of|rather than|window|slot|appointment|between|should have been|would be|will be)',
    'promised',
  ],
  ['for (an|a)', 'promised'],
  [
    '(took|taken|take|takes|taking|lasted|it was|became|turned into|ended up|dragged on|stretched|on|waited|came|come|arrived|arrive|arrives|showed up|turned up|got here|shows up|rolled in|rolled up|strolled in|walked in|pulled up|pulled in|was here|were here|knocked|being without (one|it) for)',
    'happened',
  ],
]);
/** Words right after a time. */
const AFTER = new PatternSet<Role>([
  ['(they|he|she) (said|told|promised|swore|quoted|estimated)', 'promised'],
  ['(i|we) (was|were) (promised|told|quoted|given)', 'promised'],
  ['(promised|quoted|agreed|planned|job|project|window|slot)', 'promised'],
  ['(it|they|he) (took|was|became)', 'happened'],
]);
/** How many keys before a time its role is looked for. */
const REACH = 7;
/** How many keys may lie between a promise and its outcome. */
const APART = 30;
/** From this factor on a duration breaks its promise. */
const LONGER = 1.25;
/** Durations that differ by larger factors are about different things. */
const [MOST_LONGER, MOST_SHORTER] = [40, 3];
const LATE_HOURS = 0.3;
const EARLY_HOURS = 1;
/** The most times of a review that are looked at, so that any text takes linear time. */
const MOST = 50;

/** The first broken promise about time, else the first kept one; null without any. */
export function findPromise(annotated: AnnotatedText): PromiseOutcome | null {
  const outcomes = [
    ...outcomesOf(annotated, durationsIn(annotated), isLonger),
    ...outcomesOf(annotated, timesOfDayIn(annotated), isLater),
  ];
  return outcomes.find(({ isKept }) => !isKept) ?? outcomes[0] ?? null;
}

interface Place {
  readonly from: number;
  readonly to: number;
}

/** @param isBroken whether the second breaks the promise of the first; null if they cannot be compared */
function outcomesOf<T extends Place>(
  annotated: AnnotatedText,
  times: readonly T[],
  isBroken: (promised: T, happened: T) => boolean | null,
): PromiseOutcome[] {
  const known = times.slice(0, MOST).map((time) => ({ time, role: roleOf(annotated, time) }));
  return known.flatMap(({ time, role }) => {
    if (role !== 'happened') return [];
    const promises = known
      .filter((one) => one.role === 'promised' && distance(one.time, time) <= APART)
      .toSorted((a, b) => distance(a.time, time) - distance(b.time, time));
    for (const promise of promises) {
      const broken = isBroken(promise.time, time);
      if (broken !== null) return [{ from: time.from, to: time.to, isKept: !broken }];
    }
    return [];
  });
}

function distance(a: Place, b: Place): number {
  return a.from < b.from ? b.from - a.to : a.from - b.to;
}

/** What the nearest words say that a time is; null if they say nothing, or speak of another company. */
function roleOf(annotated: AnnotatedText, { from, to }: Place): Role | null {
  const { keys, clauses, clauseOf, sentences } = annotated;
  const clause = clauses[clauseOf[keys.tokenOf[from] as number] as number] as Clause;
  if (clause.mood === 'condition' || isAboutOthers(annotated, clause, from)) return null;
  const sentence = sentences[clause.sentence];
  const last = clauses[clauseOf[keys.tokenOf[to - 1] as number] as number] as Clause;
  const [after] = AFTER.matchesAt(keys, to, keys.firstOf[last.to] as number);
  if (after !== undefined) return after.value;
  const start = Math.max(keys.firstOf[sentence?.from ?? 0] as number, from - REACH);
  for (let at = from - 1; at >= start; at -= 1) {
    const [match] = BEFORE.matchesAt(keys, at, from);
    if (match !== undefined) return match.value;
  }
  return null;
}

function isLonger(promised: Duration, happened: Duration): boolean | null {
  const unit = promised.unitHours ?? happened.unitHours;
  if (unit === null) return null;
  const factor =
    (happened.count * (happened.unitHours ?? unit)) /
    (promised.count * (promised.unitHours ?? unit));
  if (!(factor <= MOST_LONGER && factor >= 1 / MOST_SHORTER)) return null;
  return factor >= LONGER;
}

function isLater(promised: TimeOfDay, happened: TimeOfDay): boolean | null {
  const { earliest, latest } = promised;
  // "Came at 7" after a promise of the morning is the evening.
  const at =
    happened.earliest < earliest - EARLY_HOURS && happened.earliest < 12
      ? happened.earliest + 12
      : happened.earliest;
  if (at < earliest - EARLY_HOURS) return null;
  return at > latest + LATE_HOURS;
}
