// Plots of growth with logarithmic axes: linear growth is a straight line, constant cost is level.

import { createDocument } from '@mixmark-io/domino';
import * as ObservablePlot from '@observablehq/plot';

export interface Plot {
  /** The file name without extension. */
  readonly name: string;
  /** The description, also for readers who do not see the plot. */
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
}

export interface Line {
  readonly title: string;
  readonly isDashed?: boolean;
  /** Both greater than 0. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const WIDTH = 720;
const HEIGHT = 400;
/** Distinguishable with colour blindness (Okabe and Ito). */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

/** Renders self-contained SVG; a dashed line has the colour of the line before it. */
export function renderPlot({ title, x, y, lines }: Plot): string {
  let colours = 0;
  const drawn = lines.map((line) => {
    if (line.isDashed !== true) colours += 1;
    return { ...line, colour: COLOURS[(colours - 1) % COLOURS.length] ?? '' };
  });
  const picture = ObservablePlot.plot({
    document: createDocument(),
    className: 'plot',
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 64,
    marginRight: 150,
    marginTop: 28,
    x: { type: 'log', label: x, grid: true, tickFormat: showTick },
    y: { type: 'log', label: y, grid: true, tickFormat: showTick },
    marks: drawn.flatMap(({ title: name, points, colour, isDashed }) => [
      ObservablePlot.line(points, {
        x: 'x',
        y: 'y',
        stroke: colour,
        strokeWidth: 2,
        ...(isDashed === true ? { strokeDasharray: '5 4' } : {}),
      }),
      ObservablePlot.dot(points, { x: 'x', y: 'y', fill: colour }),
      ObservablePlot.text(points.slice(-1), {
        x: 'x',
        y: 'y',
        text: () => name,
        textAnchor: 'start',
        dx: 8,
        fill: colour,
      }),
    ]),
  });
  picture.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  picture.setAttribute('style', 'background: white; color: black');
  picture.setAttribute('role', 'img');
  const name = picture.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'title');
  name.textContent = title;
  picture.insertBefore(name, picture.firstChild);
  return `${picture.outerHTML}\n`;
}

/** Only powers of ten: 1,000, 0.01. */
function showTick(value: number): string {
  const isPower = Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
  return isPower ? value.toLocaleString('en-US', { maximumFractionDigits: 9 }) : '';
}
