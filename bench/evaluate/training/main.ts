// `npm run train -- [VERTICAL ...]` trains the models in src/insights/learned/models, all of them by default.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LEARNED_VERTICALS } from '../../../src/insights/learned/models.ts';
import { trainFile } from './file.ts';

const FOLDER = join(import.meta.dirname, '../../../src/insights/learned/models');

const asked = process.argv.slice(2);
const unknown = asked.filter((vertical) => !LEARNED_VERTICALS.includes(vertical));
if (unknown.length > 0) {
  throw new Error(`expected one of ${LEARNED_VERTICALS.join(', ')}, got ${unknown.join(', ')}`);
}
for (const vertical of asked.length === 0 ? LEARNED_VERTICALS : asked) {
  const file = trainFile(vertical);
  writeFileSync(join(FOLDER, `${vertical}.json`), file);
  process.stdout.write(`${vertical}: ${file.length} bytes\n`);
}
