// `npm run train` makes the model of the claims (src/insights/claims/model.json) from bench/data. With
// `--airline CSV --cafe CSV` it first computes the features of the real reviews anew, which a change of the features needs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { trainFile } from './file.ts';
import { storeFeatures } from './store-features.ts';

const { values } = parseArgs({
  options: { airline: { type: 'string' }, cafe: { type: 'string' } },
});
storeFeatures(values);
const file = trainFile();
writeFileSync(join(import.meta.dirname, '../../../src/insights/claims/model.json'), file);
process.stdout.write(`${file.length} bytes\n`);
