// `import --map`: proposes a mapping of a file from the names and values of its columns, shows it, and writes it
// to be edited. What the file does not decide is "?", which no import takes.

import { writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { InputError, withoutControls } from '../../errors.ts';
import { OPEN, REQUIRED } from '../../intake/mapping/mapping.ts';
import {
  distinct,
  type Proposal,
  propose,
  type SampledColumn,
  shorten,
} from '../../intake/mapping/propose.ts';
import { requireText } from '../../intake/import.ts';
import { parseSample, sampleOf } from '../../intake/formats/sample.ts';
import { openSource } from '../../intake/text/text.ts';
import { commandName } from '../../model/command-name.ts';

/** Rows that a proposal looks at. */
const ROWS = 1_000;
const SAMPLES = 3;

export interface MapOptions {
  /** Has to be one. */
  readonly files: readonly string[];
  readonly source?: string | undefined;
  readonly verifiedBy?: string | undefined;
  /** Where the mapping is written. */
  readonly folder: string;
  readonly output: NodeJS.WritableStream;
}

/** @throws {InputError} if the file has no columns, or if the mapping file exists. */
export async function runImportMap(options: MapOptions): Promise<void> {
  const { files, folder, output, source, verifiedBy } = options;
  const [file = ''] = files;
  if (files.length !== 1) throw new InputError(`--map: expected one file, got ${files.length}`);
  requireText('--source', source ?? null);
  requireText('--verified-by', verifiedBy ?? null);
  const { sample, close } = await sampleOf(openSource(file, () => undefined));
  await close();
  const proposal = propose(parseSample(sample.text, ROWS), {
    ...(source === undefined ? {} : { source }),
    ...(verifiedBy === undefined ? {} : { verified_by: verifiedBy }),
  });
  const { mapping, questions } = proposal;
  if (proposal.columns.length < REQUIRED.length) {
    throw new InputError(`${file}: expected CSV, JSON or NDJSON with at least three columns`);
  }
  const path = join(folder, `${basename(file, extname(file))}.mapping.json`);
  try {
    await writeFile(path, `${JSON.stringify(mapping, null, 2)}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new InputError(`${path}: expected no such file. Nothing was written`, { cause: error });
  }
  const how = verifiedBy === undefined ? ' --verified-by HOW' : '';
  const lines = [
    'what the columns seem to be, with values:',
    ...columnLines(proposal),
    `wrote ${path}`,
    ...(questions.length === 0 ? [] : [`edit it, where it says "${OPEN}":`]),
    ...questions.map((question) => `  ${question}`),
    `next: ${commandName()} import ${file} --format ${path}${how} --dry-run`,
  ];
  output.write(`${lines.map(withoutControls).join('\n')}\n`);
}

function columnLines({ columns, fields }: Proposal): string[] {
  const fieldOf = (column: SampledColumn) =>
    [...fields].find(([, chosen]) => chosen?.name === column.name)?.[0] ?? '-';
  const width = Math.max(...columns.map(({ name }) => Math.min(name.length, 30)));
  return columns.map((column) => {
    const samples = distinct(column.values).slice(0, SAMPLES).map(shorten).join(' | ');
    return `  ${fieldOf(column).padEnd(18)} ${column.name.padEnd(width)}  ${samples}`;
  });
}
