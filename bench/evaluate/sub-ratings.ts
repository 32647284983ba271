// `npm run evaluate -- sub-ratings --airline CSV` compares aspects with what the passengers themselves rated: Spearman's
// rank correlation of an aspect (praise, neutral, complaint) with the passenger's rating of it, where both are, without the
// part that the stars of the review explain (partial correlation). As published, and analysed with three stars for all.

import { readFileSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { buildAnalyser } from '../../src/insights/analyse.ts';
import { businessSchema } from '../../src/model/business.ts';
import { reviewOf } from './gold-item.ts';
import { type Row, SOURCES } from './training/store-features.ts';

/** By aspect the column of its rating. */
const COLUMNS = {
  room_and_seat: 'SeatComfort',
  staff: 'CabinStaffService',
  food: 'Food&Beverages',
  check_in: 'GroundService',
  value: 'ValueForMoney',
  entertainment: 'InflightEntertainment',
} as const;
const WITHOUT_STARS = 3;
const VALUES = { positive: 1, neutral: 0, negative: -1 } as const;

/** A table of the correlations. */
export function evaluateSubRatings(path: string): string {
  const rows = parseCsv<Row>(readFileSync(path), { columns: true, relax_column_count: true });
  const analyse = buildAnalyser(
    businessSchema.parse({ name: 'British Airways', vertical: 'airlines' }),
  );
  const { read } = SOURCES['airline']!;
  const reviews = rows.map((row) => {
    const { text, rating } = read(row);
    const verdicts = [rating, WITHOUT_STARS].map(
      (stars) =>
        new Map(
          analyse(reviewOf({ text, rating: stars, author: '' })).aspects.map(
            ({ id, sentiment }) => [id, VALUES[sentiment]] as const,
          ),
        ),
    );
    return { row, stars: Number(row['OverallRating']), verdicts };
  });
  const lines = Object.entries(COLUMNS).map(([aspect, column]) => {
    const rated = reviews.filter(({ row, stars }) => Number(row[column]) > 0 && stars > 0);
    const told = [0, 1].map((index) =>
      rated.filter(({ verdicts }) => verdicts[index]!.has(aspect)),
    );
    const correlations = told.map((some, index) => {
      const found = ranksOf(some.map(({ verdicts }) => verdicts[index]!.get(aspect)!));
      const own = ranksOf(some.map(({ row }) => Number(row[column])));
      const overall = ranksOf(some.map(({ stars }) => stars));
      return partial(found, own, overall).toFixed(2);
    });
    const share = `${Math.round((100 * told[0]!.length) / rated.length)}%`;
    return `| ${aspect} | ${rated.length} | ${share} | ${correlations.join(' | ')} |`;
  });
  return [
    '| aspect | rated by | of these told | as published | without stars |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** The ranks of values; equal ones share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2);
}

/** The correlation of two variables without what a third explains. */
function partial(a: readonly number[], b: readonly number[], c: readonly number[]): number {
  const [ab, ac, bc] = [correlation(a, b), correlation(a, c), correlation(b, c)];
  return (ab - ac * bc) / Math.sqrt((1 - ac * ac) * (1 - bc * bc));
}

/** Pearson's correlation. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = (x: readonly number[], meanX: number, y: readonly number[], meanY: number) =>
    x.reduce((sum, value, at) => sum + (value - meanX) * (y[at]! - meanY), 0);
  return (
    covariance(a, meanA, b, meanB) /
    Math.sqrt(covariance(a, meanA, a, meanA) * covariance(b, meanB, b, meanB))
  );
}
