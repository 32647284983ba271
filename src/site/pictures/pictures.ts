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
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Draws all charts, as SVG by name. Omits charts without data, and charts that fail after `onFailed`. */
export function drawPictures(
  insights: Insights,
  onFailed: (chart: string, error: unknown) => void,
  language: Language = languageOf(null),
): Record<string, Uint8Array> {
  const months = insights.temporal.monthly.map((month) => ({ ...month, date: dateOf(month) }));
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
    keep('ratings', (width) => ratingsOf(months, notesOf(insights), width));
  }
  return pictures;
}

type DatedMonth = Month & { readonly date: Date };

function dateOf({ month }: Pick<Month, 'month'>): Date {
  return new Date(`${month}-01T00:00:00Z`);
}

/** Bad and good months that stand out, with what customers named in them most. */
interface Note {
  readonly from: Date;
  readonly to: Date;
  readonly cause: string | null;
}

function notesOf({ temporal }: Insights): Note[] {
  return temporal.episodes.map(({ from, to, causes: [cause = null] }) => {
    const end = dateOf({ month: to });
    end.setUTCMonth(end.getUTCMonth() + 1);
    return { from: dateOf({ month: from }), to: end, cause };
  });
}

function ratingsOf(
  months: readonly DatedMonth[],
  notes: readonly Note[],
  width: number,
): Plot.PlotOptions {
  const rated = months.filter(({ average_rating: rating }) => rating !== null);
  const ends = [months.at(0), months.at(-1)].map((month) => month?.date.getTime() ?? 0);
  const middle = ends.reduce((sum, end) => sum + end / 2, 0);
  return {
    width,
    height: 220,
    marginLeft: 28,
    x: { type: 'utc', label: null },
    y: { domain: [1, 5], ticks: [1, 2, 3, 4, 5], tickFormat: String, grid: true, label: STARS },
    marks: [
      Plot.rectX(notes, { x1: 'from', x2: 'to', fill: 'var(--rule)', fillOpacity: 0.6 }),
      ...notes.map((note) =>
        Plot.text([note], {
          x: 'from',
          y: 1,
          dy: -8,
          text: 'cause',
          fill: 'currentColor',
          // Beside the bad months, on the side that has more room.
          textAnchor: note.from.getTime() > middle ? 'end' : 'start',
        }),
      ),
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

/** Replaces the English texts of a drawn chart: the labels of axes and causes, and the months of Plot. */
function translate(svg: string, { strings: { trend, labels }, format }: Language): string {
  const texts = new Map<string, string>();
  const add = (english: string, text: string) => texts.set(escapeXml(english), escapeXml(text));
  for (const [label, text] of Object.entries(labels)) add(label, text);
  MONTHS.forEach((month, index) => add(month, format.shortMonth(index)));
  add(STARS, trend.starsAxis);
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
