// Tells whether a problem and an aspect are the same trouble, and whether a trouble is over, so that prose does not say
// it twice.

import type { Insights } from '../../model/insights.ts';
import type { IndexedMention } from '../aggregate/mentions.ts';
import { leaningOf } from '../../model/leaning.ts';
import { type Findings, isBeside, wordingOf } from './evidence.ts';
import questions from './questions.json' with { type: 'json' };

/** The least share of the reviews with a problem that say it in a complaint about the aspect. */
const SHARE = 0.5;
/** The least share of complaints about something else that is told too. */
const BESIDE = 0.25;

/** Whether most reviews with a problem complain about the aspect in the same phrase. */
export function isSameTrouble(
  findings: Pick<Findings, 'mentions'>,
  problem: string,
  aspect: string,
): boolean {
  const mentions = findings.mentions.of('problems', problem);
  const same = mentions.filter(({ entry, mention }) =>
    entry.aspects.some(
      ({ id, sentiment, phrase }) =>
        id === aspect && sentiment === 'negative' && phrase === mention.phrase,
    ),
  );
  return mentions.length > 0 && same.length >= SHARE * mentions.length;
}

/** Whether complaints of a subject became rare, or most are from bad months that are over: that is told by itself. */
export function isOver(
  findings: Pick<Findings, 'changes' | 'episodes'>,
  subject: string,
  complaints: readonly IndexedMention[],
): boolean {
  const isRarer = findings.changes.some((one) => one.id === subject && one.trend === 'fewer');
  return isRarer || isOfBadMonths(findings, complaints);
}

/** Whether most complaints are from bad months that are over. */
export function isOfBadMonths(
  { episodes }: Pick<Findings, 'episodes'>,
  complaints: readonly IndexedMention[],
): boolean {
  const past = episodes.filter(({ kind, is_over: isPast }) => kind === 'dip' && isPast);
  const within = complaints.filter(({ review }) => {
    const month = review.date.slice(0, 7);
    return past.some(({ from, to }) => from <= month && month <= to);
  });
  return within.length > 0 && within.length >= SHARE * complaints.length;
}

/** What complaints about an aspect say: the milder complaint where opinions differ. */
export function complaintOf(
  findings: Pick<Findings, 'mentions'>,
  aspect: Insights['aspects'][number],
): string {
  const { mixed, complaint, otherwise } = wordingOf(aspect.id, aspect.label);
  const complaints = findings.mentions.of('aspects', aspect.id, 'negative');
  const beside = complaints.filter(({ mention }) => isBeside(mention));
  if (otherwise && beside.length >= BESIDE * complaints.length) return otherwise;
  const leaning = leaningOf(aspect.positive_count, aspect.negative_count);
  return faultOf(findings, aspect.id) ?? (leaning < 3 ? mixed : complaint);
}

/** The claim about the one problem that most complaints about an aspect are about; null if there is none. */
function faultOf(findings: Pick<Findings, 'mentions'>, aspect: string): string | null {
  const faults: Readonly<Record<string, Readonly<Record<string, string>>>> = questions.faults;
  const complaints = findings.mentions.of('aspects', aspect, 'negative');
  const own = Object.hasOwn(faults, aspect) ? Object.entries(faults[aspect] ?? {}) : [];
  const [fault] = own.filter(([problem]) => {
    const same = complaints.filter(({ entry }) => entry.problems.some(({ id }) => id === problem));
    return same.length > SHARE * complaints.length;
  });
  return fault?.[1] ?? null;
}
