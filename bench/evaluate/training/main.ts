// `npm run train` makes the model of the claims (src/insights/claims/model.json) from bench/data. With
// `--airline CSV --cafe CSV --yelp CSV --booking CSV` it first computes the features of the real reviews anew, which a
// change of the features needs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { trainFile } from './file.ts';
import { SOURCES, storeFeatures } from './store-features.ts';

const { values } = parseArgs({
  options: Object.fromEntries(
    Object.keys(SOURCES).map((name) => [name, { type: 'string' }] as const),
  ),
});
storeFeatures(values);
const file = trainFile();
writeFileSync(join(import.meta.dirname, '../../../src/insights/claims/model.json'), file);
process.stdout.write(`${file.length} bytes\n`);
