// The benchmarks' command line: `npm run bench` runs all, `npm run bench -- NAME... --quick` some, quickly.

import { Command } from 'commander';
import type { Benchmark } from './benchmark.ts';
import { FAN_OUT } from './fan-out.ts';
import { describeMachine } from './machine.ts';
import { MCP } from './mcp.ts';
import { NEWS } from './news.ts';
import { PUBLISH } from './publish.ts';
import { renderTable } from './table.ts';
import { WORKERS } from './workers.ts';

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  'fan-out': FAN_OUT,
  mcp: MCP,
  workers: WORKERS,
  news: NEWS,
  publish: PUBLISH,
};

const program = new Command('bench')
  .description('Measures the program beside what else one could use, on this machine.')
  .argument('[names...]', 'which of them; without any, all')
  .option('--quick', 'fewer rounds, to have a look')
  .option('--list', 'say which there are')
  .action(async (names: string[], options: { quick?: boolean; list?: boolean }) => {
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
    process.stdout.write(`${describeMachine().join('\n')}\n\n`);
    for (const [name, { about, run }] of Object.entries(BENCHMARKS)) {
      if (names.length > 0 && !names.includes(name)) continue;
      process.stdout.write(`## ${name}: ${about}\n\n`);
      const tables = await run({
        quick: options.quick === true,
        tell: (line) => process.stderr.write(`${name}: ${line}\n`),
      });
      process.stdout.write(`${tables.map(renderTable).join('\n')}\n`);
    }
  });

await program.parseAsync();
