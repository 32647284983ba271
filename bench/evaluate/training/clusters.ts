// `npm run train:clusters` makes the clusters of words that are used alike (src/model/word-clusters.json) from word
// vectors: spherical k-means, and again over the centres for the wide clusters.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from './random.ts';
import { fetchVectors } from './vectors.ts';

const FILE = join(import.meta.dirname, '../../../src/model/word-clusters.json');
/** The words, from the most frequent on. */
const WORDS = 16_000;
const DIMENSIONS = 100;
const CLUSTERS = 700;
const WIDE_CLUSTERS = 130;
const ROUNDS = 15;
const SEED = 1;

const { words, vectors } = fetchVectors();
const known = words.filter((word) => /^[a-z]+$/.test(word)).slice(0, WORDS);
const rows = known.map((word) => unit((vectors[word] as readonly number[]).slice(0, DIMENSIONS)));
const { clusterOf, centres } = cluster(rows, CLUSTERS);
const wide = cluster(centres, WIDE_CLUSTERS);
const clusters = centres.flatMap((_, index) => {
  const own = known.filter((__, at) => clusterOf[at] === index);
  return own.length === 0 ? [] : [[wide.clusterOf[index], ...own].join(' ')];
});
const about =
  'Words that are used alike, by GloVe vectors (public domain); made by `npm run train:clusters`; do not edit. ' +
  'Each cluster begins with the number of its wide cluster.';
writeFileSync(FILE, `${JSON.stringify({ about, clusters }, null, 1)}\n`);
process.stdout.write(`${clusters.length} clusters of ${known.length} words\n`);

function cluster(vectorsOfRows: readonly Float64Array[], count: number) {
  const order = vectorsOfRows.map((_, index) => index);
  new Random(SEED).shuffle(order);
  const found = order.slice(0, count).map((index) => vectorsOfRows[index] as Float64Array);
  let nearest: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    nearest = vectorsOfRows.map((row) => nearestOf(row, found));
    const sums = found.map(() => new Float64Array(DIMENSIONS));
    vectorsOfRows.forEach((row, index) => {
      const sum = sums[nearest[index] as number] as Float64Array;
      for (let at = 0; at < DIMENSIONS; at += 1) sum[at]! += row[at]!;
    });
    sums.forEach((sum, index) => {
      if (sum.some((value) => value !== 0)) found[index] = unit(sum);
    });
  }
  return { clusterOf: nearest, centres: found };
}

function nearestOf(row: Float64Array, all: readonly Float64Array[]): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY];
  all.forEach((centre, index) => {
    let sum = 0;
    for (let at = 0; at < DIMENSIONS; at += 1) sum += row[at]! * centre[at]!;
    if (sum > most) [best, most] = [index, sum];
  });
  return best;
}

function unit(values: ArrayLike<number>): Float64Array {
  const row = Float64Array.from(values);
  const length = Math.hypot(...row);
  return row.map((value) => value / length);
}
