// Which charts there are, and under which names a snapshot keeps them. Drawing them is pictures.ts alone,
// which a server never loads.

/** In pixels: letters that shrink with a picture cannot be read on a phone. */
export const CHART_WIDTHS = { wide: 720, narrow: 360 } as const;
export type ChartWidth = keyof typeof CHART_WIDTHS;
export const CHART_WIDTH_NAMES = Object.keys(CHART_WIDTHS) as ChartWidth[];

/** What a chart shows. */
export type Chart = 'ratings' | 'volume' | 'aspects';

export function chartName(chart: Chart, width: ChartWidth): string {
  return `${chart} ${width}`;
}
