// The command line of the benchmarks: `npm run bench` runs all, `npm run bench -- NAME... --quick` some.

import { Command } from 'commander';
import { BENCHMARKS } from './benchmarks.ts';
import { describeMachine } from './machine.ts';
import { saveFindings } from './results.ts';
import { renderTable } from './table.ts';

interface Options {
  readonly quick?: boolean;
  readonly list?: boolean;
  readonly save?: string;
}

const program = new Command('bench')
  .description('Compares the program with alternatives, on this machine.')
  .argument('[names...]', 'names of benchmarks; all by default')
  .option('--quick', 'fewer rounds, only to check that it runs')
  .option('--list', 'list the names')
  .option(
    '--save <folder>',
    'write the results into performance.md in this folder, and plots beside it',
  )
  .action(async (names: string[], options: Options) => {
    if (options.list === true) {
      for (const [name, { about }] of Object.entries(BENCHMARKS)) {
        process.stdout.write(`${name.padEnd(12)} ${about}\n`);
      }
      return;
    }
    const unknown = names.filter((name) => !BENCHMARKS[name]);
    if (unknown.length > 0) {
      program.error(`expected ${Object.keys(BENCHMARKS).join(', ')}, got ${unknown.join(', ')}`);
    }
    const machine = describeMachine();
    const quick = options.quick === true;
    process.stdout.write(`${machine.join('\n')}\n\n`);
    for (const [name, { about, run }] of Object.entries(BENCHMARKS)) {
      if (names.length > 0 && !names.includes(name)) continue;
      process.stdout.write(`## ${name}: ${about}\n\n`);
      const findings = await run({
        quick,
        log: (line) => process.stderr.write(`${name}: ${line}\n`),
      });
      process.stdout.write(`${findings.tables.map(renderTable).join('\n')}\n`);
      if (options.save !== undefined) {
        await saveFindings(options.save, { name, machine, quick }, findings);
      }
    }
  });

await program.parseAsync();
