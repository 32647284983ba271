import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trainFile } from '../../bench/evaluate/training/file.ts';
import { LEARNED_VERTICALS } from '../../src/insights/learned/models.ts';

const FOLDER = join(import.meta.dirname, '../../src/insights/learned/models');

test.each(LEARNED_VERTICALS)('training makes the model of %s again, byte for byte', (vertical) => {
  expect(trainFile(vertical)).toBe(readFileSync(join(FOLDER, `${vertical}.json`), 'utf8'));
});
