// The charts and their names in a snapshot. Only pictures.ts draws them; a server never loads it.

/** Pixels. Narrow screens get their own chart, because scaled-down labels are too small to read. */
export const CHART_WIDTHS = { wide: 720, narrow: 360 } as const;
type ChartWidth = keyof typeof CHART_WIDTHS;
export const CHART_WIDTH_NAMES = Object.keys(CHART_WIDTHS) as ChartWidth[];

export type Chart = 'ratings';

/** The name of a chart among the pictures of a snapshot. */
export function chartName(chart: Chart, width: ChartWidth): string {
  return `${chart} ${width}`;
}
