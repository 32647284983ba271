// `sync`: imports what is new at the sources of the settings, and publishes.

import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { InputError, linesWithoutControls, ReportedError, show } from '../../errors.ts';
import { syncSource, type SyncResult } from '../../intake/sync/sync.ts';
import { type ImportSource, placeOf } from '../../model/import-source.ts';
import { publishPending } from '../../publishing/run/2-claim.ts';
import { NOT_PUBLISHED, renderReport, renderWarning } from './import.ts';
import { operatorName } from '../operator.ts';
import { publishImport } from '../publish.ts';
import type { Database } from '../../store/database.ts';
import { interruptible } from '../terminal/interrupts.ts';
import { withDatabase } from '../store/store.ts';

const EXIT_INPUT = 2;

/**
 * Looks at each source once, whatever its interval.
 *
 * @throws {InputError} if there is no such source.
 * @throws {ReportedError} after the others, if a source failed.
 */
export async function runSync(
  config: Config,
  names: readonly string[],
  publish = publishPending,
): Promise<void> {
  const sources = chooseSources(config, names);
  let hasFailed = false;
  const imported: string[] = [];
  const outcome = () =>
    imported.length === 0 ? 'nothing was imported' : `${imported.join(', ')}: ${NOT_PUBLISHED}`;
  const syncAll = async (database: Database) => {
    let number: number | null = null;
    for (const source of sources) {
      const result = await syncSource(database, source, {
        owner: randomUUID(),
        operator: operatorName(),
        reviewDateEarliest: config.reviewDateEarliest,
        google: config.google,
        mustBeDue: false,
      });
      process.stdout.write(linesWithoutControls(renderResult(source, result)));
      if (result.outcome === 'failed') hasFailed = true;
      if (result.outcome !== 'imported') continue;
      process.stderr.write(renderWarning(result.report));
      number = result.report.number;
      imported.push(source.name);
    }
    if (imported.length > 0) await publishImport(config, database, number, publish);
  };
  await interruptible(outcome, () => withDatabase(config, syncAll, { creates: true }));
  if (hasFailed) throw new ReportedError(EXIT_INPUT);
}

function chooseSources(
  { sources, settingsFile }: Config,
  names: readonly string[],
): readonly ImportSource[] {
  if (sources.length === 0) {
    throw new InputError(
      `${settingsFile}: expected "sources", such as [{ "name": "google", "file": "takeout.json" }]; ` +
        'docs/import.md describes them',
    );
  }
  if (names.length === 0) return sources;
  return names.map((name) => {
    const source = sources.find((one) => one.name === name);
    if (source) return source;
    const known = sources.map((one) => one.name).join(', ');
    throw new InputError(`expected the name of a source (${known}), got ${show(name)}`);
  });
}

function renderResult(source: ImportSource, result: SyncResult): string {
  const head = `${source.name} (${placeOf(source)}): `;
  switch (result.outcome) {
    case 'imported':
      return `${head}imported\n${renderReport(result.report, false)}`;
    case 'failed':
      return `${head}failed\n${result.error}\n`;
    case 'unchanged':
      return `${head}unchanged\n${linesOf(result.leftOut)}`;
    case 'postponed':
      return `${head}not imported: a file is being written; try again in some seconds\n${linesOf(result.leftOut)}`;
    case 'not claimed':
      return `${head}not imported: another process is importing it\n`;
  }
}

function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('');
}
