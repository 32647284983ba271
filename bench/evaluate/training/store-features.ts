// Stores the features of real reviews, whose text is not in the project (bench/data/README.md tells which files they are
// from). An id is a letter and the number of the row.

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { featuresOfText, verticalOfFile, writtenSentences } from './examples.ts';
import {
  decodeFeatures,
  encodeFeatures,
  type FeatureFile,
  type FeaturesOfReview,
} from './feature-file.ts';
import { parseLabels } from './labels.ts';
import { storeNames, type TextOfReview } from './people-examples.ts';

const FOLDER = join(import.meta.dirname, '../../data/reviews');
const ABOUT =
  'Features of the sentences of reviews whose text is not here; made by `npm run train`; do not edit.';

export type Row = Readonly<Record<string, string>>;

/** How a source of reviews is read. */
interface Source {
  readonly letter: string;
  readonly delimiter?: string;
  /** The names of the files of labels, without endings. */
  readonly files: string;
  readonly read: (row: Row) => TextOfReview;
}

export const SOURCES: Readonly<Record<string, Source>> = {
  airline: {
    letter: 'b',
    files: 'airline',
    read: (row) => ({
      text: row['ReviewBody'] ?? '',
      rating: Math.max(1, Math.round(Number(row['OverallRating']) / 2)) || 3,
      business: 'British Airways',
    }),
  },
  cafe: {
    letter: 'c',
    files: 'cafe',
    read: ({ text = '', stars, business = '' }) => ({ text, rating: Number(stars), business }),
  },
  yelp: {
    letter: 'y',
    files: '*-yelp',
    read: ({ text = '', stars }) => ({ text, rating: Number(stars) }),
  },
  mixed: {
    letter: 'm',
    files: '*-mixed',
    read: ({ text = '', stars }) => ({ text, rating: Number(stars) }),
  },
  booking: {
    letter: 'k',
    delimiter: ';',
    files: '*-booking',
    read: (row) => ({
      text: ['Positive_Review', 'Negative_Review']
        .map((column) => row[column]?.trim() ?? '')
        .filter((part) => part !== '' && !/^No (?:Positive|Negative)$/.test(part))
        .join('.\n'),
      rating: Math.min(5, Math.max(1, Math.round(Number(row['Reviewer_Score']) / 2))),
    }),
  },
};

/** @param paths by source the path of a CSV file; what is left out stays as it is */
export function storeFeatures(paths: Readonly<Record<string, string | undefined>>): void {
  for (const [name, { letter, delimiter = ',', files: pattern, read }] of Object.entries(SOURCES)) {
    const path = paths[name];
    if (path === undefined) continue;
    const rows = parseCsv<Row>(readFileSync(path), {
      columns: true,
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
    });
    const texts = new Map(rows.map((row, number) => [`${letter}${number}`, read(row)]));
    storeNames(name, pattern, texts);
    const files = globSync(`${pattern}.*labels.txt`, { cwd: FOLDER }).map((file) => {
      const vertical = verticalOf(verticalOfFile(file.split('.')[0] as string));
      const target = join(FOLDER, file.replace('labels.txt', 'features.json'));
      const before = existsSync(target)
        ? decodeFeatures(JSON.parse(readFileSync(target, 'utf8')) as FeatureFile)
        : new Map<string, FeaturesOfReview>();
      const reviews = parseLabels(readFileSync(join(FOLDER, file), 'utf8'), file).map(({ id }) => {
        const own = texts.get(id);
        // A row that the file no longer has keeps its features.
        if (own === undefined) return { id, ...(before.get(id) as FeaturesOfReview) };
        return { id, rating: own.rating, sentences: featuresOfText(own.text, vertical) };
      });
      return { target, reviews };
    });
    const known = frequent([
      ...writtenSentences().flatMap(({ sentences }) => sentences.map(({ features }) => features)),
      ...files.flatMap(({ reviews }) => reviews.flatMap(({ sentences }) => sentences)),
    ]);
    for (const { target, reviews } of files)
      writeFileSync(target, `${JSON.stringify(encodeFeatures(ABOUT, reviews, known))}\n`);
  }
}

/** The features that two sentences have: others cannot be learned. */
function frequent(sentences: readonly Uint32Array[]): Set<number> {
  const once = new Set<number>();
  const twice = new Set<number>();
  for (const features of sentences)
    for (const feature of features) (once.has(feature) ? twice : once).add(feature);
  return twice;
}
