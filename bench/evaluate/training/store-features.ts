// Stores the features of real reviews, whose text is not in the project: of British Airways, as Skytrax's data sets have
// them, and of coffee shops, in a file with the columns stars and text. An id is a letter and the number of the row.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { featuresOfText, VERTICAL_OF, writtenSentences } from './examples.ts';
import { encodeFeatures } from './feature-file.ts';
import { parseLabels } from './labels.ts';

const FOLDER = join(import.meta.dirname, '../../data/reviews');
const ABOUT =
  'Features of the sentences of reviews whose text is not here; made by `npm run train`; do not edit.';

interface Text {
  readonly text: string;
  readonly rating: number;
}

type Row = Readonly<Record<string, string>>;

const READERS: Readonly<
  Record<string, { readonly letter: string; readonly read: (row: Row) => Text }>
> = {
  airline: {
    letter: 'b',
    read: (row) => ({
      text: row['ReviewBody'] ?? '',
      rating: Math.max(1, Math.round(Number(row['OverallRating']) / 2)) || 3,
    }),
  },
  cafe: {
    letter: 'c',
    read: ({ text = '', stars }) => ({ text, rating: Number(stars) }),
  },
};

/** @param paths by name the path of a CSV file; what is left out stays as it is */
export function storeFeatures(paths: Readonly<Record<string, string | undefined>>): void {
  for (const [name, { letter, read }] of Object.entries(READERS)) {
    const path = paths[name];
    if (path === undefined) continue;
    const rows = parseCsv<Row>(readFileSync(path), { columns: true });
    const texts = new Map(rows.map((row, number) => [`${letter}${number}`, read(row)]));
    const vertical = verticalOf(VERTICAL_OF[name] as string);
    const files = globSync(`${name}.*labels.txt`, { cwd: FOLDER }).map((file) => ({
      file,
      reviews: parseLabels(readFileSync(join(FOLDER, file), 'utf8'), file).map(({ id }) => {
        const { text, rating } = texts.get(id) as Text;
        return { id, rating, sentences: featuresOfText(text, vertical) };
      }),
    }));
    const known = frequent([
      ...writtenSentences().flatMap(({ sentences }) => sentences.map(({ features }) => features)),
      ...files.flatMap(({ reviews }) => reviews.flatMap(({ sentences }) => sentences)),
    ]);
    for (const { file, reviews } of files) {
      const stored = `${JSON.stringify(encodeFeatures(ABOUT, reviews, known))}\n`;
      writeFileSync(join(FOLDER, file.replace('labels.txt', 'features.json')), stored);
    }
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
