import { describe, expect, test } from 'vitest';
import { aimAt, tablesOfAims } from '../../bench/aims.ts';
import { showRatios, takeRounds } from '../../bench/rounds.ts';
import { median, quantile, ratios, slopeOf } from '../../bench/statistics.ts';
import { renderTable } from '../../bench/table.ts';

test('a quantile is interpolated between the two nearest values', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([10, 20, 30, 40, 50], 0.9)).toBeCloseTo(46);
  expect(quantile([10, 20], 1)).toBe(20);
  expect(() => median([])).toThrow('expected measurements');
});

test('ratios are those of the same round, not of the medians', () => {
  // The machine was slow in the second round, for both.
  expect(ratios([100, 10, 120], [50, 5, 40])).toEqual([2, 2, 3]);
  expect(showRatios([100, 10, 120], [50, 5, 40])).toEqual(['2.00', '2.00 to 3.00']);
  expect(showRatios([5_000], [2], 0)).toEqual(['2,500', '2,500 to 2,500']);
});

test('subjects take turns, and the first round is discarded', async () => {
  const order: string[] = [];
  const taken = await takeRounds(['a', 'b'], 2, (subject, round) => {
    order.push(`${subject}${round}`);
    return Promise.resolve(round);
  });
  expect(order).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  expect([...taken]).toEqual([
    ['a', [1, 2]],
    ['b', [1, 2]],
  ]);
});

test('an aim is reached at its minimum, or below its upper bound', () => {
  expect(aimAt('w', 0.9, { atLeast: 0.9 }).isReached).toBe(true);
  expect(aimAt('w', 0.899, { atLeast: 0.9 }).isReached).toBe(false);
  expect(aimAt('w', 0.25, { under: 0.25 }).isReached).toBe(false);
  expect(aimAt('w', 0.2, { under: 0.25 }, ' times')).toEqual({
    work: 'w',
    aim: 'under 0.25 times',
    measured: '0.2 times',
    isReached: true,
  });
  expect(tablesOfAims([])).toEqual([]);
});

test('a table has numbers to the right and words to the left', () => {
  const table = {
    title: 'T',
    columns: ['server', 'rate'],
    rows: [
      ['a', '12,345'],
      ['bcd', '9.1'],
    ],
    notes: ['Note.'],
  };
  expect(renderTable(table)).toBe(
    [
      '### T',
      '',
      '| server |   rate |',
      '| ------ | -----: |',
      '| a      | 12,345 |',
      '| bcd    |    9.1 |',
      '',
      'Note.',
      '',
    ].join('\n'),
  );
});

describe('the slope of points', () => {
  test('on a line is that of the line, without doubt', () => {
    expect(slopeOf([0, 1, 2, 3], [5, 7, 9, 11])).toEqual({ slope: 2, low: 2, high: 2 });
  });

  test('that scatter has an interval around it', () => {
    const xs = Array.from({ length: 100 }, (_, index) => index);
    const { slope, low, high } = slopeOf(
      xs,
      xs.map((x) => 10 + (x % 2)),
    );
    expect([Math.abs(slope) < 0.01, low < 0, high > 0]).toEqual([true, true, true]);
    const growing = slopeOf(
      xs,
      xs.map((x) => x + (x % 2)),
    );
    expect([growing.low > 0.9, growing.high < 1.1]).toEqual([true, true]);
  });

  test('with one x is none', () => {
    expect(() => slopeOf([1, 1], [1, 2])).toThrow('expected points with different x');
  });
});
