// A fuzzer of all readers: whatever a file has, it is read or refused, with its name and the position.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../src/errors.ts';
import { ANY_DATE, parseRecord } from '../../src/intake/record.ts';
import { READERS } from '../../src/intake/readers/readers.ts';
import { fixture, FORMAT_FIXTURES, readFormat } from './formats.ts';
import { mutate } from './mutations.ts';
import { randomFrom } from './random.ts';

/** Refusals of a file as a whole. */
const WHOLE = [
  'expected reviews, got an empty file',
  'expected a page with reviews',
  'expected a file of one format',
  'expected reviews as a table',
  'expected a format that is known',
];

/** Reads damaged copies of every fixture. Returns how many were read and refused; throws on any other outcome. */
export async function fuzzReaders(
  folder: string,
  copies: number,
  seed: number,
): Promise<{ read: number; refused: number }> {
  const random = randomFrom(seed);
  const outcomes = { read: 0, refused: 0 };
  for (const [format, name] of FORMAT_FIXTURES) {
    const whole = fixture(name);
    const reader = READERS.find((other) => other.name === format)!;
    for (let copy = 0; copy < copies; copy++) {
      const path = join(folder, name);
      const bytes = mutate(whole, random);
      await writeFile(path, bytes);
      const choice = copy % 2 === 0 ? ({ kind: 'reader', reader } as const) : undefined;
      try {
        outcomes[await outcomeOf(path, choice)] += 1;
      } catch (error) {
        const facts = `${name}, seed ${seed}, copy ${copy}: ${bytes.toString('base64')}`;
        throw new Error(facts, { cause: error });
      }
    }
  }
  return outcomes;
}

async function outcomeOf(
  path: string,
  choice: Parameters<typeof readFormat>[1],
): Promise<'read' | 'refused'> {
  const options = { source: 'website', verifiedBy: null, dates: ANY_DATE };
  try {
    const { rows } = await readFormat(path, choice);
    for (const row of rows) {
      if (!(Number.isInteger(row.line) && row.line >= 1)) throw new Error(`line ${row.line}`);
      if ('record' in row) parseRecord(row.record, options, '');
    }
    return 'read';
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { message } = error;
    const said = message.slice(path.length);
    const isPlaced =
      /^:\d+: expected /.test(said) || WHOLE.some((text) => said.startsWith(`: ${text}`));
    if (!message.startsWith(path) || !isPlaced) throw error;
    return 'refused';
  }
}
