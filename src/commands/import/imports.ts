// `imports`: lists the recorded imports, and shows one with the rows that it refused.

import type { Config } from '../../config.ts';
import { InputError, linesWithoutControls, show } from '../../errors.ts';
import { findImport, listImports, type RecordedImport } from '../../store/merge/imports.ts';
import { withDatabase } from '../store/store.ts';
import { renderTable } from '../terminal/table.ts';

export async function listRecorded(
  config: Config,
  { limit, json = false }: { readonly limit: number; readonly json?: boolean },
): Promise<void> {
  await withDatabase(config, async ({ read }) => {
    const imports = await listImports(read, limit);
    process.stdout.write(
      json ? `${JSON.stringify(imports.map(importToJson), null, 2)}\n` : renderImports(imports),
    );
  });
}

/** @throws {InputError} if no import has this number. */
export async function showRecorded(
  config: Config,
  given: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  await withDatabase(config, async ({ read }) => {
    const number = /^\d{1,9}$/.test(given) ? Number(given) : 0;
    const found = await findImport(read, number);
    if (!found) {
      throw new InputError(
        `expected the number of an import, as "imports list" shows it, got ${show(given)}`,
      );
    }
    process.stdout.write(
      json ? `${JSON.stringify(importToJson(found), null, 2)}\n` : renderImport(found),
    );
  });
}

export function renderImports(imports: readonly RecordedImport[]): string {
  if (imports.length === 0) return 'nothing was imported into this store\n';
  const rows = imports.map(({ number, startedAtMs, command, outcome, report }) => {
    const { counts, rows: rowCount, refused, files } = report;
    const merged = (name: keyof NonNullable<typeof counts>) => (counts ? `${counts[name]}` : '-');
    return {
      NUMBER: `${number}`,
      TIME: timeOf(startedAtMs),
      COMMAND: command,
      OUTCOME: outcome,
      ROWS: `${rowCount}`,
      ADDED: merged('added'),
      UPDATED: merged('updated'),
      DUPLICATE: merged('duplicate'),
      REMOVED: merged('removed'),
      REFUSED: `${refused}`,
      UNVERIFIED: merged('unverified'),
      FILES: files.map(({ name }) => name).join(' '),
    };
  });
  return renderTable(rows);
}

function renderImport(found: RecordedImport): string {
  const { report } = found;
  const { number, command, operator, startedAtMs } = found;
  const lines = [
    ...Object.entries({ import: number, time: timeOf(startedAtMs), command, operator }),
    ['outcome', outcomeText(found)] as const,
    ...report.files.map(({ name, bytes }) => ['file', `${name} (${bytes} bytes)`] as const),
    ...Object.entries({ ...report.options, rows: report.rows, ...report.counts }),
    ['business', report.businessChanged ? 'changed' : 'unchanged'] as const,
    ['refused', report.refused] as const,
    ...(report.remarks ?? []).map((remark) => ['remark', remark] as const),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  const refused = report.refusedLines.map(({ file, line, reason }) => `${file}:${line}: ${reason}`);
  const left = report.refused - refused.length;
  if (left > 0) refused.push(`and ${left} more, which are not recorded`);
  const head = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const near = (report.nearDuplicates ?? []).map(({ id, of }) => `${id} is like ${of}`);
  return `${linesWithoutControls([...head, ...refused, ...near].join('\n'))}\n`;
}

function outcomeText({ outcome, error, publishedAtMs }: RecordedImport): string {
  if (error !== null) return `${outcome}: ${error}`;
  return publishedAtMs === null ? outcome : `${outcome} ${timeOf(publishedAtMs)}`;
}

export function importToJson(recorded: RecordedImport): Record<string, unknown> {
  const { report, publishedAtMs } = recorded;
  return {
    number: recorded.number,
    started_at: timeOf(recorded.startedAtMs),
    command: recorded.command,
    operator: recorded.operator,
    outcome: recorded.outcome,
    error: recorded.error,
    published_at: publishedAtMs === null ? null : timeOf(publishedAtMs),
    files: report.files,
    options: report.options,
    counts: { rows: report.rows, ...report.counts, refused: report.refused },
    business_changed: report.businessChanged,
    refused: report.refusedLines,
    remarks: report.remarks ?? [],
    near_duplicates: report.nearDuplicates ?? [],
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
