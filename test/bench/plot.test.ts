import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { renderPlot } from '../../bench/plot.ts';

const PLOT = {
  name: 'growth',
  title: 'Time & memory',
  x: 'reviews',
  y: 'ms',
  lines: [
    { title: 'ours, p50', points: [1, 2, 3].map((power) => ({ x: 10 ** power, y: 0.01 * power })) },
    {
      title: 'ours, p99',
      isDashed: true,
      points: [
        { x: 10, y: 1 },
        { x: 1000, y: 1 },
      ],
    },
    {
      title: 'theirs',
      points: [
        { x: 10, y: 0.1 },
        { x: 1000, y: 10 },
      ],
    },
  ],
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** All elements of an SVG, which has to be well-formed. */
function elementsOf(svg: string): Element[] {
  const parser = new SaxesParser();
  const [all, open]: [Element[], Element[]] = [[], []];
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' };
    all.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const [last] = open.slice(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  return all;
}

test('a plot is a self-contained SVG with a description', () => {
  const [root, first] = elementsOf(renderPlot(PLOT));
  expect(root).toMatchObject({
    name: 'svg',
    attributes: { xmlns: 'http://www.w3.org/2000/svg', role: 'img' },
  });
  expect(first).toMatchObject({ name: 'title', text: 'Time & memory' });
});

test('a plot labels every line, and draws a dot for every point', () => {
  const elements = elementsOf(renderPlot(PLOT));
  const texts = elements.flatMap(({ name, text }) => (name === 'text' ? [text] : []));
  expect(texts).toEqual(expect.arrayContaining(['ours, p50', 'ours, p99', 'theirs']));
  expect(elements.filter(({ name }) => name === 'circle')).toHaveLength(7);
});

test('a dashed line has the colour of the line before it', () => {
  const strokes = elementsOf(renderPlot(PLOT))
    .filter(({ attributes }) => attributes['stroke-width'] === '2')
    .map(({ attributes }) => [attributes['stroke'], attributes['stroke-dasharray']]);
  expect(strokes[0]?.[0]).toBe(strokes[1]?.[0]);
  expect(strokes[2]?.[0]).not.toBe(strokes[0]?.[0]);
  expect(strokes.map(([, dashes]) => dashes)).toEqual([undefined, '5 4', undefined]);
});

test('both axes are logarithmic: linear growth is a straight line', () => {
  const dots = elementsOf(
    renderPlot({
      ...PLOT,
      lines: [{ title: 'one', points: [1, 10, 100].map((x) => ({ x, y: x })) }],
    }),
  )
    .filter(({ name }) => name === 'circle')
    .map(({ attributes }) => [Number(attributes['cx']), Number(attributes['cy'])] as const);
  const [a, b, c] = dots as [
    readonly [number, number],
    readonly [number, number],
    readonly [number, number],
  ];
  expect(b[0] - a[0]).toBeCloseTo(c[0] - b[0]);
  expect(b[1] - a[1]).toBeCloseTo(c[1] - b[1]);
});
