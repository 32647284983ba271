// `npm run train` makes the models of the claims (src/insights/claims/model.json) and of the names
// (src/insights/entities/names/model.json) from bench/data. With
// `--airline CSV --cafe CSV --yelp CSV --mixed CSV --booking CSV` it first computes the features of the real reviews anew, which a
// change of the features needs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { trainFile } from './file.ts';
import { labelledNames } from './people-examples.ts';
import { SOURCES, storeFeatures } from './store-features.ts';
import { trainNames } from './train-people.ts';

const { values } = parseArgs({
  options: Object.fromEntries(
    Object.keys(SOURCES).map((name) => [name, { type: 'string' }] as const),
  ),
});
storeFeatures(values);
const insights = join(import.meta.dirname, '../../../src/insights');
const names = `${JSON.stringify(trainNames(labelledNames(false)))}\n`;
writeFileSync(join(insights, 'entities/names/model.json'), names);
const claims = trainFile();
writeFileSync(join(insights, 'claims/model.json'), claims);
process.stdout.write(`claims ${claims.length} bytes, names ${names.length} bytes\n`);
