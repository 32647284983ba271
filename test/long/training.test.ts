import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trainFile } from '../../bench/evaluate/training/file.ts';

const FILE = join(import.meta.dirname, '../../src/insights/claims/model.json');

test('training makes the model again, byte for byte', () => {
  expect(trainFile()).toBe(readFileSync(FILE, 'utf8'));
});
