// `npm run train:polarity -- --data DIR`: trains src/insights/polarity/weights.json. DIR has
// mams-atsa-train.xml of MAMS; word vectors come from npm.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { trainPolarity } from './file.ts';
import { fetchVectors } from './vectors.ts';

const TARGET = join(import.meta.dirname, '../../../../src/insights/polarity/weights.json');

const { values } = parseArgs({ options: { data: { type: 'string' } } });
if (values.data === undefined) throw new Error('expected --data DIR, the folder of MAMS');
const log = (line: string) => void process.stdout.write(`${line}\n`);
const file = JSON.stringify(trainPolarity(values.data, fetchVectors(), log), null, 2);
writeFileSync(TARGET, `${file}\n`);
log(`${file.length} bytes`);
