// The command line of the soak: `npm run soak`, or `npm run soak -- 5` for five minutes.

import { startPostgres } from '../test/support/postgres.ts';
import { growing, soak, type SoakResult } from './soak/run.ts';
import { renderTable } from './table.ts';

const DEFAULT_MINUTES = 30;

const minutes = Number(process.argv[2] ?? DEFAULT_MINUTES);
if (!(minutes > 0)) throw new Error(`expected minutes, got ${process.argv[2]}`);
const forMs = minutes * 60_000;
const log = (line: string) => process.stderr.write(`${line}\n`);

const postgres = await startPostgres();
try {
  const results = await Promise.all([
    soak({ title: 'SQLite', databaseUrl: null, forMs, log }),
    soak({ title: 'PostgreSQL', databaseUrl: postgres.url, forMs, log }),
  ]);
  for (const { table } of results) process.stdout.write(`${renderTable(table)}\n`);
  const problems = results.flatMap(problemsOf);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await postgres.remove();
}

function problemsOf(result: SoakResult): string[] {
  const { title, done, deliveries } = result;
  return [
    ...growing(result).map(
      ({ name, leastGrowth }) =>
        `${title}: ${name} grew by ${(100 * leastGrowth).toFixed(1)}% or more`,
    ),
    ...(done.faults.length > 0 ? [`${title}: ${done.faults.slice(0, 5).join('; ')}`] : []),
    ...(deliveries === 0 ? [`${title}: no delivery arrived`] : []),
  ];
}
