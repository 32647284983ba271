// `npm run train`: makes src/insights/learned/home-services.json from the training sentences and from the
// first two development sets. The third is left to see how well it does, the held-out one is never read.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verticalOf } from '../../../src/insights/verticals.ts';
import { parseSentences } from './sentences.ts';
import { type Example, train } from './train.ts';

const FOLDER = import.meta.dirname;
const SETS = ['home-services.dev.json', 'home-services.dev-2.json'];
const TARGET = join(FOLDER, '../../../src/insights/learned/home-services.json');

const examples = [
  ...parseSentences(readFileSync(join(FOLDER, 'sentences.txt'), 'utf8')),
  ...SETS.flatMap(
    (name) => JSON.parse(readFileSync(join(FOLDER, '../gold', name), 'utf8')) as Example[],
  ),
];
const aspects = verticalOf('home_services').aspects.map(({ id }) => id);
const model = JSON.stringify(train(examples, aspects), null, 2);
writeFileSync(TARGET, `${model}\n`);
process.stdout.write(`${examples.length} examples, ${model.length} bytes\n`);
