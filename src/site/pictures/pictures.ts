// Draws the charts as SVG when a snapshot is built, in the language of the pages. Colours are CSS variables, so one picture works in
// light and dark mode.

import * as Plot from '@observablehq/plot';
import { createDocument } from '@mixmark-io/domino';
import type { Insights, Month } from '../../model/insights.ts';
import { escapeXml } from '../../model/xml.ts';
import { type Language, languageOf } from '../../strings/language.ts';
import { type Chart, CHART_WIDTH_NAMES, CHART_WIDTHS, chartName } from './charts.ts';

/** Minimum number of months for a chart. */
const MIN_MONTHS = 3;
/** Window of the trailing mean, in months. */
const TRAILING_MONTHS = 12;

const STARS = 'stars';
const REVIEWS = 'reviews a month';
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Draws all charts, as SVG by name. Omits charts without data, and charts that fail after `onFailed`. */
export function drawPictures(
  insights: Insights,
  onFailed: (chart: string, error: unknown) => void,
  language: Language = languageOf(null),
): Record<string, Uint8Array> {
  const months = insights.temporal.monthly.map((month) => ({ ...month, date: dateOf(month) }));
  const aspects = insights.aspects.filter(({ mention_count: count }) => count > 0);
  const pictures: Record<string, Uint8Array> = {};
  const keep = (chart: Chart, draw: (width: number) => Plot.PlotOptions) => {
    for (const width of CHART_WIDTH_NAMES) {
      const name = chartName(chart, width);
      try {
        pictures[name] = Buffer.from(translate(render(draw(CHART_WIDTHS[width])), language));
      } catch (error) {
        onFailed(name, error);
      }
    }
  };
  if (months.length >= MIN_MONTHS) {
    keep('ratings', (width) => ratingsOf(months, width));
    keep('volume', (width) => volumeOf(months, width));
  }
  if (aspects.length > 0) keep('aspects', (width) => aspectsOf(aspects, width));
  return pictures;
}

type DatedMonth = Month & { readonly date: Date };

function dateOf({ month }: Month): Date {
  return new Date(`${month}-01T00:00:00Z`);
}

function ratingsOf(months: readonly DatedMonth[], width: number): Plot.PlotOptions {
  const rated = months.filter(({ average_rating: rating }) => rating !== null);
  return {
    width,
    height: 220,
    marginLeft: 28,
    x: { type: 'utc', label: null },
    y: { domain: [1, 5], ticks: [1, 2, 3, 4, 5], tickFormat: String, grid: true, label: STARS },
    marks: [
      Plot.dot(rated, {
        x: 'date',
        y: 'average_rating',
        r: ({ review_count: count }: DatedMonth) => 1.5 + Math.min(Math.sqrt(count), 6),
        fill: 'var(--accent)',
        fillOpacity: 0.25,
      }),
      Plot.lineY(trailingMeans(months), {
        x: 'date',
        y: 'mean',
        stroke: 'var(--accent)',
        strokeWidth: 2.5,
      }),
    ],
    r: { type: 'identity' },
  };
}

function trailingMeans(months: readonly DatedMonth[]): { date: Date; mean: number }[] {
  return months.flatMap(({ date }, index) => {
    const period = months.slice(Math.max(0, index - TRAILING_MONTHS + 1), index + 1);
    const count = period.reduce((sum, month) => sum + month.review_count, 0);
    const stars = period.reduce(
      (sum, month) => sum + month.review_count * (month.average_rating ?? 0),
      0,
    );
    return count === 0 ? [] : [{ date, mean: stars / count }];
  });
}

function volumeOf(months: readonly DatedMonth[], width: number): Plot.PlotOptions {
  return {
    width,
    height: 120,
    marginLeft: 28,
    x: { type: 'utc', label: null },
    y: { grid: true, label: REVIEWS, ticks: 3 },
    marks: [
      Plot.rectY(months, {
        x: 'date',
        y: 'review_count',
        interval: 'month',
        fill: 'var(--muted-fill)',
        inset: 0.5,
      }),
      Plot.ruleY([0], { stroke: 'var(--rule)' }),
    ],
  };
}

function aspectsOf(mentioned: Insights['aspects'], width: number): Plot.PlotOptions {
  // The chart leaves neutral mentions out, so it is not in the order of all mentions.
  const opinions = (aspect: Insights['aspects'][number]) =>
    aspect.positive_count + aspect.negative_count;
  const aspects = mentioned.toSorted((one, other) => opinions(other) - opinions(one));
  const bars = aspects.flatMap(({ label, positive_count: praise, negative_count: blame }) => [
    { label, count: praise, fill: 'var(--positive)' },
    { label, count: -blame, fill: 'var(--negative)' },
  ]);
  return {
    width,
    height: 40 + aspects.length * 26,
    marginLeft: width > 500 ? 150 : 118,
    marginRight: 12,
    x: {
      grid: true,
      label: null,
      ticks: width > 500 ? 8 : 4,
      tickFormat: (count: number) => String(Math.abs(count)),
    },
    y: { label: null, domain: aspects.map(({ label }) => label), padding: 0.25 },
    marks: [
      Plot.axisY({ tickSize: 0, fontSize: width > 500 ? 13 : 11 }),
      Plot.barX(bars, { x: 'count', y: 'label', fill: 'fill' }),
      Plot.ruleX([0], { stroke: 'var(--rule)' }),
    ],
    color: { type: 'identity' },
  };
}

/** Replaces the English texts of a drawn chart: the labels of axes and aspects, and the months of Plot. */
function translate(svg: string, { strings: { trend, labels }, format }: Language): string {
  const texts = new Map<string, string>();
  const add = (english: string, text: string) => texts.set(escapeXml(english), escapeXml(text));
  for (const [label, text] of Object.entries(labels)) add(label, text);
  MONTHS.forEach((month, index) => add(month, format.shortMonth(index)));
  add(STARS, trend.starsAxis);
  add(REVIEWS, trend.volumeAxis);
  return svg.replaceAll(
    />(↑ )?([^<]+)<\/(text|tspan)>/g,
    (whole, arrow: string | undefined, text: string, element: string) => {
      const translated = texts.get(text);
      return translated === undefined ? whole : `>${arrow ?? ''}${translated}</${element}>`;
    },
  );
}

/** Renders a plot without its inline style sheet, which the pages' Content-Security-Policy forbids. */
function render(options: Plot.PlotOptions): string {
  const picture = Plot.plot({ ...options, document: createDocument(), className: 'plot' });
  for (const style of Array.from(picture.querySelectorAll('style'))) style.remove();
  // Plot's values of font-variant are invalid as an SVG attribute; the style sheet sets it.
  for (const name of ['aria-label', 'font-variant']) {
    for (const element of Array.from(picture.querySelectorAll(`[${name}]`))) {
      element.removeAttribute(name);
    }
  }
  picture.removeAttribute('font-family');
  picture.setAttribute('aria-hidden', 'true');
  return picture.outerHTML;
}
