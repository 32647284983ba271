// The command line: arguments to one command, and its errors to an exit code.

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ImportFlags } from './import/import.ts';
import { addLogCommands } from './log/log-commands.ts';
import { type Config, loadConfig } from '../config.ts';
import { InputError, isUnavailable, linesWithoutControls, ReportedError } from '../errors.ts';
import { REMOVAL_REASONS } from '../model/removal.ts';
import { isDate } from '../model/date.ts';
import { VERSION } from '../version.ts';

const EXIT_FAULT = 1;
const EXIT_INPUT = 2;

// A reader of the output that stops early, as `head` does, must not stop an import. Nor must a full disk.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === EXIT_FAULT) return;
  process.exitCode = EXIT_FAULT;
  process.stderr.write(`the output cannot be written: ${message}\n`);
});
// Nothing can be reported then; the work continues.
process.stderr.on('error', () => undefined);

const program = new Command('public-reviews')
  .description("Publishes a business's verified reviews from its own origin.")
  .version(VERSION)
  .helpCommand(false)
  .exitOverride();

// Each command loads its own modules: the others would cost it time and memory.
program
  .command('serve')
  .description('serve everything on one port')
  .option('--example', 'serve the example business until real reviews are imported')
  .option('--workers <number>', 'processes that share the port', countTo(64), 1)
  .action(async ({ example = false, workers }: { example?: boolean; workers: number }) => {
    const config = loadConfig();
    const { createLogger } = await import('./terminal/logger.ts');
    const logger = createLogger(config);
    const { run } = await import('./serve.ts');
    await run(config, logger, { example, workers });
  });

program
  .command('init')
  .description('ask about the business, and write its file and the settings')
  .argument('[dir]', 'where to write them', '.')
  .option('--force', 'replace existing files')
  .action(async (folder: string, { force = false }: { force?: boolean }) => {
    const { runInit } = await import('./init.ts');
    const { stdin: input, stdout: output } = process;
    await runInit({ folder, force, input, output, isTerminal: input.isTTY && output.isTTY });
  });

program
  .command('import')
  .description('read reviews from files, merge them and publish')
  .argument(
    '[file...]',
    'CSV, Excel, JSON, NDJSON, an export of a platform, a ZIP file or a folder of these',
  )
  .option('--format <format>', 'auto (default), json, ndjson, csv, or a platform')
  .option('--source <source>', 'where rows without a source were written, such as google')
  .option('--business <file>', 'the record of the business, in JSON')
  .option(
    '--verified-by <how>',
    'how you know that the rows are by customers, for rows that do not say it',
  )
  .option(
    '--map [mapping]',
    'a mapping file, by which tables are read; without one, print a proposal',
  )
  .option(
    '--dates <how>',
    'day-first or month-first for dates such as 03/04/2024, the day of the export for "3 weeks ago"',
    parseDates,
  )
  .option('--scale <from-to>', 'the scale of the ratings of a proposal, such as 1-10', parseScale)
  .option('--dry-run', 'report what would happen and be published, and change nothing')
  .option('--hidden', 'hide new reviews until "show" publishes those of people who agreed')
  .option('--prune', "remove reviews of the file's own sources that are not in the file")
  .action(async (given: string[], { map, ...flags }: ImportFlags) => {
    // "import --map FILE" asks for a proposal.
    const isProposal = given.length === 0 && typeof map === 'string';
    const files = isProposal ? [map] : given;
    if (files.length === 0) throw new InputError('expected a file to import, got none');
    const { runImport } = await import('./import/import.ts');
    await runImport(loadConfig(), files, {
      ...flags,
      ...(map !== undefined && { map: isProposal ? true : map }),
    });
  });

program
  .command('sync')
  .description('import what is new at the sources of the settings file, and publish')
  .argument('[name...]', 'as the settings name them; all without one')
  .action(loaded(() => import('./import/sync.ts'), 'runSync'));

program
  .command('export')
  .description('write all documents and pages as files for any web host')
  .argument('<dir>', 'a directory that is empty, does not exist, or was made by export')
  .action(loaded(() => import('./export.ts'), 'runExport'));

program
  .command('backup')
  .description('write the whole store into one file, while servers run')
  .argument('<place>', 'a new file, an earlier backup, which is replaced, or a folder')
  .option(
    '--keep <number>',
    'remove all but so many of the newest backups in the folder',
    countTo(1_000),
  )
  .option('--verify', 'restore it into a temporary store too, and compare')
  .action(loaded(() => import('./store/backup.ts'), 'runBackup'));

program
  .command('restore')
  .description('put a backup into an empty store, while no server runs')
  .argument('<file>', 'as "backup" made it, from either kind of database')
  .option('--replace', 'replace everything in a store that is not empty')
  .option('--force', 'also while a server uses the store')
  .action(loaded(() => import('./store/restore.ts'), 'runRestore'));

program
  .command('remove')
  .description('remove reviews for good, publish, and leave them out of later imports')
  .argument('<id...>', 'as /reviews.json has it')
  .addOption(reasonOption('why they are removed'))
  .option('--yes', 'remove them without asking')
  .action(loaded(() => import('./reviews/remove.ts'), 'runRemove'));

program
  .command('forget')
  .description('list the reviews by an author, ask, and remove them for good')
  .requiredOption('--author <name>', 'in any case, with or without accents')
  .option('--yes', 'remove them without asking')
  .action(loaded(() => import('./reviews/remove.ts'), 'runForget'));

program
  .command('hide')
  .description('keep stored reviews from being published until they are shown')
  .argument(
    '<id...>',
    'as /reviews.json has it, the addresses of their pages, or whole names of authors',
  )
  .addOption(reasonOption('why they are hidden'))
  .action(loaded(() => import('./reviews/hide.ts'), 'runHide'));

program
  .command('show')
  .description('publish hidden reviews again, or list them')
  .argument('[id...]', 'as for "hide"; all hidden ones are listed without one')
  .action(loaded(() => import('./reviews/hide.ts'), 'runShow'));

program
  .command('history')
  .description('show what imports changed in a review, and when')
  .argument('<id>', 'as /reviews.json has it')
  .option('--json', 'print JSON')
  .action(loaded(() => import('./reviews/history.ts'), 'showHistory'));

const business = program
  .command('business')
  .description('change the record of the business')
  .helpCommand(false);

business
  .command('set')
  .description('replace the record of the business, without an import of reviews')
  .argument('<file>', 'JSON, as /business.schema.json describes it')
  .action(loaded(() => import('./business.ts'), 'setBusiness'));

addLogCommands(program);

const subscriptions = program
  .command('subscriptions')
  .description('list or remove subscriptions of the WebSub hub')
  .helpCommand(false);

subscriptions
  .command('list')
  .description('show every subscription with its lease, last acknowledgement and failures')
  .action(loaded(() => import('./subscriptions.ts'), 'listAll'));

subscriptions
  .command('remove')
  .description('remove a subscription; the server notifies its subscriber')
  .argument('<id>', 'as "subscriptions list" shows it')
  .action(loaded(() => import('./subscriptions.ts'), 'removeOne'));

program
  .command('doctor')
  .description('check the settings, the store and the public address, and say what to do')
  .option('--json', 'print JSON')
  .action(async (flags: { json?: boolean }) => {
    const { runDoctor } = await import('./doctor/doctor.ts');
    await runDoctor(loadConfig, flags);
  });

program
  .command('status')
  .description('show what is published, the last imports, and the hub')
  .option('--json', 'print JSON')
  .action(loaded(() => import('./store/status.ts'), 'showStatus'));

const imports = program
  .command('imports')
  .description('list or show recorded imports')
  .helpCommand(false);

imports
  .command('list')
  .description('show the newest imports with their counts and outcomes')
  .option('--limit <number>', 'how many of the newest', countTo(1_000), 20)
  .option('--json', 'print JSON')
  .action(loaded(() => import('./import/imports.ts'), 'listRecorded'));

imports
  .command('show')
  .description('show one import with the rows that it refused')
  .argument('<number>', 'as "imports list" shows it')
  .option('--json', 'print JSON')
  .action(loaded(() => import('./import/imports.ts'), 'showRecorded'));

/** Runs a function of a module, which is loaded only then, with the settings and what was given. */
function loaded<Name extends string>(
  load: () => Promise<Record<Name, (config: Config, ...given: never[]) => Promise<unknown>>>,
  name: Name,
) {
  return async (...given: unknown[]): Promise<void> => {
    // Options, of which some commands have none, and the command itself.
    const others = (given.at(-1) as Command).options.length === 0 ? 2 : 1;
    await (await load())[name](loadConfig(), ...(given.slice(0, -others) as never[]));
  };
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function reasonOption(what: string): Option {
  // Commander names the missing option with what its value may be.
  const flags = `--reason <${REMOVAL_REASONS.join('|')}>`;
  return new Option(flags, what).choices(REMOVAL_REASONS).makeOptionMandatory();
}

/** The parser of an integer from 1 to `most`. */
function countTo(most: number) {
  return (given: string): number => {
    const count = Number(given);
    if (/^\d+$/.test(given) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`expected an integer from 1 to ${most}`);
  };
}

function parseDates(given: string): string {
  if (given === 'day-first' || given === 'month-first' || isDate(given)) return given;
  throw new InvalidArgumentError('expected day-first, month-first or a day such as 2024-03-25');
}

function parseScale(given: string): { min: number; max: number } {
  const [, min, max] = /^(-?\d+)-(\d+)$/.exec(given) ?? [];
  if (min !== undefined && Number(min) !== Number(max))
    return { min: Number(min), max: Number(max) };
  throw new InvalidArgumentError('expected the worst and the best rating, such as 1-10');
}

/** Prints an error that was not reported yet, and returns the exit code for it. */
function exitCodeOf(error: unknown): number {
  if (error instanceof ReportedError) {
    return error.exitCode === EXIT_INPUT ? EXIT_INPUT : EXIT_FAULT;
  }
  if (error instanceof CommanderError) {
    const isCurly = error.exitCode !== 0 && process.argv.some((given) => /[“”„«»]/.test(given));
    if (isCurly) process.stderr.write('quotes have to be straight: "\n');
    return error.exitCode === 0 ? 0 : EXIT_INPUT;
  }
  if (error instanceof InputError) {
    process.stderr.write(`${linesWithoutControls(error.message)}\n`);
    return EXIT_INPUT;
  }
  const text = isUnavailable(error) ? error.message : error instanceof Error && error.stack;
  process.stderr.write(`${linesWithoutControls(text || String(error))}\n`);
  return EXIT_FAULT;
}
