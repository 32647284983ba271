// Checks of the sources that are kept in step.

import type { ImportSource } from '../../model/import-source.ts';
import type { SourceRow } from '../../store/schema.ts';
import { type Finding, ok, warning, wrong } from './finding.ts';
import { commandName } from '../../model/command-name.ts';

/** The most intervals without a success of a source that is not late. */
const LATE_INTERVALS = 3;

export function checkSources(
  sources: readonly ImportSource[],
  rows: readonly SourceRow[],
  nowMs: number,
): Finding[] {
  return sources.map((source) => {
    const row = rows.find(({ name }) => name === source.name);
    const check = `source ${source.name}`;
    const again = `then run: ${commandName()} sync ${source.name}`;
    if (row && row.failures > 0) {
      const since =
        row.succeeded_at === null ? 'ever' : `since ${new Date(row.succeeded_at).toISOString()}`;
      const message = `no success ${since}, ${row.failures} failure${row.failures === 1 ? '' : 's'}: ${row.error ?? ''}`;
      const action = `mend what the message says, ${again}`;
      // What never worked is no passing failure.
      return (row.succeeded_at === null ? wrong : warning)(check, message, action);
    }
    if (!row || row.succeeded_at === null) {
      return warning(check, 'was never read', `restart the server, or run: ${commandName()} sync`);
    }
    const message = `last read ${new Date(row.succeeded_at).toISOString()}`;
    const isLate = nowMs - row.succeeded_at > LATE_INTERVALS * source.every_minutes * 60_000;
    return isLate
      ? warning(check, message, 'start the server, which reads sources on schedule')
      : ok(check, message);
  });
}
