// The input of the editorial texts: figures and mentions, which way opinions lean, and how prose words an aspect.

import type { Business } from '../../model/business.ts';
import { dateBefore } from '../../model/date.ts';
import { type Insights, MOST_REVIEWS, type Sentiment } from '../../model/insights.ts';
import type { Review } from '../../model/review.ts';
import type { IndexedMention, MentionIndex, MentionList } from '../aggregate/mentions.ts';
import { lower } from './prose.ts';
import questions from './questions.json' with { type: 'json' };

/** Everything that the summary and the FAQ are written from. Reviews are newest first. */
export interface Findings {
  readonly business: Business;
  readonly reviews: readonly Review[];
  readonly mentions: MentionIndex;
  readonly aspects: Insights['aspects'];
  readonly episodes: Insights['temporal']['episodes'];
  readonly changes: Insights['temporal']['changes'];
  readonly comparison: Insights['temporal']['comparison'];
  readonly entities: Insights['entities'];
  readonly topics: Insights['topics'];
  readonly prices: Insights['prices'];
  readonly selection: Insights['selection'];
  /** Reviews in languages that are not read, newest first: only their stars count. */
  readonly unanalysedIds: readonly string[];
  /** Reviews in languages in which nothing is quoted: neither English nor the site's. */
  readonly unquotedIds: ReadonlySet<string>;
}

/** What the selection is made from. */
export type Found = Omit<Findings, 'selection'>;

/** A sentence or two, with the reviews that they rest on. */
export interface Statement {
  readonly text: string;
  readonly reviewIds: readonly string[];
}

/** Reviews are recent for so many months before the newest. */
const RECENT = '24m';

/** The month from which on reviews are recent, YYYY-MM: what is cached by it lasts a month. */
export function recentOf({ reviews: [newest] }: Pick<Findings, 'reviews'>): string {
  return (newest && dateBefore(newest.date, RECENT)?.slice(0, 7)) ?? '';
}

/** Whom to ask for, with what for: "Mike Alvarez (explains)". */
export function peopleToAskFor({ entities, selection }: Findings) {
  return selection.people.flatMap(({ id, claim }) =>
    entities.technicians
      .filter((one) => one.id === id)
      .map((one) => ({ ...one, told: claim ? `${one.name} (${lower(claim)})` : one.name })),
  );
}

/** Some of the newest reviews of each of several entities. */
export function spread(
  findings: Pick<Findings, 'mentions'>,
  list: MentionList,
  entities: readonly { readonly id: string }[],
  sentiment?: Sentiment,
): string[] {
  const each = Math.ceil(MOST_REVIEWS / Math.max(1, entities.length));
  return entities.flatMap(({ id }) =>
    findings.mentions
      .of(list, id, sentiment)
      .slice(0, each)
      .map(({ review }) => review.id),
  );
}

interface Wording {
  readonly noun: string;
  /** What a friend would tell where most praise it, where opinions differ, and where most complain. */
  readonly praise: string;
  readonly mixed: string;
  readonly complaint: string;
  /** Whether anything else says more. */
  readonly isVague?: boolean;
  /** What is told if many complaints are about something else. */
  readonly otherwise?: string;
  /** A cause of bad months. */
  readonly trouble: string;
  readonly question: string;
  readonly leads: readonly string[];
}

/** How prose names a problem within a sentence. */
export function problemIn({ id, name }: { readonly id: string; readonly name: string }): string {
  const short: Readonly<Record<string, string>> = questions.problems;
  return Object.hasOwn(short, id) ? (short[id] as string) : lower(name);
}

const BESIDE = new Map(
  Object.entries(questions.aspects).flatMap(([id, one]) =>
    'unless' in one ? [[id, new RegExp(one.unless, 'iu')] as const] : [],
  ),
);

/** Whether a complaint about an aspect is about something else than what its wording says. */
export function isBeside({ id, sentiment, phrase }: IndexedMention['mention']): boolean {
  return sentiment === 'negative' && BESIDE.get(id)?.test(phrase) === true;
}

/** How questions and answers word an aspect; from its label if questions.json does not have it. */
export function wordingOf(id: string, label: string): Wording {
  const known: Readonly<Record<string, Wording>> = questions.aspects;
  const byLabel: Readonly<Record<string, Wording>> = questions.labels;
  const noun = label.charAt(0).toLowerCase() + label.slice(1);
  if (Object.hasOwn(byLabel, label)) return byLabel[label] as Wording;
  if (Object.hasOwn(known, id)) return known[id] as Wording;
  return {
    noun,
    praise: `Most praise ${noun}`,
    mixed: `Opinions on ${noun} are split`,
    complaint: `Many complain about ${noun}`,
    trouble: noun,
    ...questions.fallback,
  };
}
