// How opinions on an aspect, or complaints, changed over time.

import { dateBefore, dateOfDay } from '../../model/date.ts';
import { type Sentiment, sentimentSchema } from '../../model/insights.ts';
import { newLeaning } from '../../model/leaning.ts';
import type { MentionKind } from '../../search/mentions.ts';
import { bar, foldedOnPhones, sentimentBar } from '../parts/components.ts';
import { html, type Markup } from '../parts/markup.ts';
import type { View } from '../view.ts';

/** The most periods, newest first; a longer time is shown by year. */
const MOST_PERIODS = 8;
const MOST_YEARS = 3;
/** Stars that readers see as a difference. */
const LARGE = 0.4;
/** Fewer mentions are no trend. */
const FEWEST = 5;

/** Which of the reviews of the last year complain, and which did before; null if the share did not clearly change. */
export function changeOf(view: View, list: MentionKind, id: string, about = ''): string | null {
  const { changes } = view.insights('temporal');
  const change = changes.find((one) => one.list === list && one.id === id);
  if (change === undefined) return null;
  const { complaints, facts, home } = view.strings;
  const [before, recent] = [change.before, change.recent].map(
    ({ complaint_count: part, review_count: all }) => home.partOf(part, all),
  ) as [string, string];
  const until = view.insights('date_range').latest?.slice(0, 7) ?? '';
  return facts.changed(complaints + about, recent, until, before);
}

/** Opinions on an aspect in the last year, where they lean another way than all. */
export function latelyOn(view: View, id: string): string | null {
  const until = view.insights('date_range').latest ?? '';
  const [ever, now] = ['', dateBefore(until, '12m') ?? ''].map((since) =>
    (['positive', 'negative'] as const).map(
      (side) => datesOf(view, 'aspects', id, side).filter((date) => date > since).length,
    ),
  ) as [[number, number], [number, number]];
  const { facts, home } = view.strings;
  const side = newLeaning(ever, now);
  if (side === null) return null;
  const part = now[side === 'positive' ? 0 : 1];
  return facts.recently(home.shareOf[side](part, now[0] + now[1]), until.slice(0, 7));
}

/** Half-years or years, newest first, with the opinions on an aspect, or the share of reviews that complain. */
export function overTime(view: View, list: MentionKind, id: string): Markup {
  const { strings, format } = view;
  const { monthly } = view.insights('temporal');
  const dates = datesOf(view, list, id);
  const [first = '', last = ''] = [dates.at(-1), monthly.at(-1)?.month];
  const isByYear = Number(last.slice(0, 4)) - Number(first.slice(0, 4)) > MOST_YEARS;
  const periodOf = (date: string) =>
    isByYear ? date.slice(0, 4) : `${date.slice(0, 4)}-${date.slice(5, 7) > '06' ? '07' : '01'}`;
  const all = Map.groupBy(monthly, ({ month }) => periodOf(month));
  const periods = [...all.keys()].filter((one) => one >= periodOf(first)).toReversed();
  if (dates.length < FEWEST || periods.length < 2) return null;
  const sides = sentimentSchema.options.map((side) =>
    Map.groupBy(datesOf(view, list, id, side), periodOf),
  );
  const rows = periods.slice(0, MOST_PERIODS).map((period) => {
    const counts = sides.map((own) => own.get(period)?.length ?? 0);
    const [good = 0, neutral = 0, bad = 0] = counts;
    const complaints = good + neutral + bad;
    const reviews = (all.get(period) ?? []).reduce((sum, one) => sum + one.review_count, 0);
    const [drawn, told] =
      list === 'problems'
        ? [bar(complaints / reviews, 'negative'), strings.home.partOf(complaints, reviews)]
        : [
            sentimentBar({ positive_count: good, neutral_count: neutral, negative_count: bad }),
            `${strings.positive(good)}, ${strings.negative(bad)}`,
          ];
    return html`<li>
      <div>
        <span>${isByYear ? period : format.months(period, 6)}</span> ${drawn} <span>${told}</span>
      </div>
    </li>`;
  });
  const content = html`<ol class="distribution means">
    ${rows}
  </ol>`;
  return html`<section>${foldedOnPhones(strings.trend.title, content)}</section>`;
}

/** The dates of the reviews that mention a subject, newest first. */
function datesOf({ snapshot }: View, list: MentionKind, id: string, side?: Sentiment): string[] {
  return Array.from(snapshot.mentioning(list, id, side), (at) => dateOfDay(snapshot.dayAt(at)));
}

/** How the newest months compare with those before; with both means where few ratings leave a difference open. */
export function comparedWithPast(view: View, until: string): string | null {
  const { comparison } = view.insights('temporal');
  if (comparison === null) return null;
  const { trend, months, recent, earlier } = comparison;
  const [now, before] = [recent.average_rating, earlier.average_rating];
  const texts = view.strings.trend;
  const isOpen = trend === 'stable' && Math.abs(now - before) >= LARGE;
  return isOpen ? texts.open(until, months, now, before) : texts[trend](until, months);
}
