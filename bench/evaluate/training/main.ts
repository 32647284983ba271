// `npm run train`: trains src/insights/learned/home-services.json on the data of examples.ts.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verticalOf } from '../../../src/insights/verticals/verticals.ts';
import { examplesOf } from './examples.ts';
import { train } from './train.ts';

const TARGET = join(import.meta.dirname, '../../../src/insights/learned/home-services.json');

const examples = examplesOf();
const aspects = verticalOf('home_services').aspects.map(({ id }) => id);
const model = JSON.stringify(train(examples, aspects), null, 2);
writeFileSync(TARGET, `${model}\n`);
process.stdout.write(`${examples.length} examples, ${model.length} bytes\n`);
