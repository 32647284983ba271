#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The command line: argv to one command.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { pino } from 'pino';
import { type Config, keepCompiled, parseConfig } from './config.ts';
import { InputError, ToldError, UnavailableError } from './errors.ts';
import type { ImportReport } from './intake/import.ts';
import { ExportProgress, ImportProgress } from './commands/progress.ts';
import { Database } from './store/database.ts';
import { publishPending } from './publishing/publish-pending.ts';
import type { Omission } from './publishing/tasks.ts';
import { VERSION } from './version.ts';

// Beside the libraries, where nobody may write who may not change the program.
keepCompiled(fileURLToPath(new URL('../node_modules/.cache/public-reviews', import.meta.url)));

// A reader that has seen enough, as `head` has, is no reason to stop an import half-way.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const EXIT_FAULT = 1;
const EXIT_INPUT = 2;
const POLL_MS = 200;
/** More cores than that are no single machine's that serves reviews. */
const MOST_WORKERS = 64;

const program = new Command('public-reviews')
  .description("Publishes a business's verified reviews from its own origin.")
  .version(VERSION)
  .helpCommand(false)
  .exitOverride();

program
  .command('serve')
  .description('answer readers on one port')
  .option('--example', 'serve the example business until something real is imported')
  .option('--workers <number>', 'processes that share the port', parseWorkers, 1)
  .action(async (options: { example?: boolean; workers: number }) => {
    const config = parseConfig();
    const logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
    // What one command needs, the others do not wait for, and keep no memory for.
    const { run } = await import('./commands/serve.ts');
    await run(config, logger, { ...options, example: options.example === true });
  });

function parseWorkers(given: string): number {
  const count = Number(given);
  if (/^\d+$/.test(given) && count >= 1 && count <= MOST_WORKERS) return count;
  throw new InvalidArgumentError(`expected an integer from 1 to ${MOST_WORKERS}`);
}

const subscriptions = program
  .command('subscriptions')
  .description('see or end what the WebSub hub delivers')
  .helpCommand(false);

subscriptions
  .command('list')
  .description('show every subscription with its lease, last acknowledgement and failures')
  .action(async () => {
    const { renderSubscriptions } = await import('./commands/subscriptions.ts');
    await withDatabase(async (database) => {
      process.stdout.write(await renderSubscriptions(database, Date.now()));
    });
  });

subscriptions
  .command('remove')
  .description('end a subscription; the server tells its subscriber')
  .argument('<id>', 'as "subscriptions list" shows it')
  .action(async (id: string) => {
    const { endSubscription } = await import('./commands/subscriptions.ts');
    await withDatabase((database) => endSubscription(database, id));
    process.stdout.write(`removed ${id}\n`);
  });

program
  .command('copy')
  .description('copy the whole store into an empty database, while no server runs')
  .requiredOption('--to <url>', 'as DATABASE_URL: postgres://... or sqlite:...')
  .action(async ({ to }: { to: string }) => {
    const { databaseUrl } = parseConfig();
    const { copyTo } = await import('./commands/copy.ts');
    const bar = new SingleBar({ stream: process.stderr, hideCursor: true, clearOnComplete: true });
    bar.start(0, 0);
    try {
      const told = await copyTo(databaseUrl, to, (rows, rowsInAll) => {
        bar.setTotal(rowsInAll);
        bar.update(rows);
      });
      bar.stop();
      process.stdout.write(told);
    } finally {
      bar.stop();
    }
  });

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const database = await Database.open(parseConfig().databaseUrl);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

interface ImportFlags {
  format?: string;
  source?: string;
  business?: string;
  verifiedBy?: string;
  dryRun?: boolean;
  prune?: boolean;
}

program
  .command('import')
  .description('read reviews from files, merge them and publish')
  .argument('<file...>', 'JSON, NDJSON or CSV')
  .option('--format <format>', 'json, ndjson, csv, or a mapping file for CSV')
  .option('--source <source>', 'where rows that name no source were written, such as google')
  .option('--business <file>', 'the record of the business, in JSON')
  .option('--verified-by <how>', 'how the rows that say nothing of it were verified')
  .option('--dry-run', 'say what would happen, and change nothing')
  .option('--prune', "remove reviews of the file's own sources that the file does not have")
  .action(async (files: string[], flags: ImportFlags) => {
    await runImport(parseConfig(), files, flags);
  });

async function runImport(config: Config, files: string[], flags: ImportFlags): Promise<void> {
  const database = await Database.open(config.databaseUrl);
  const progress = new ImportProgress();
  try {
    const options = {
      format: flags.format ?? null,
      source: flags.source ?? null,
      business: flags.business ?? null,
      verifiedBy: flags.verifiedBy ?? null,
      dryRun: flags.dryRun === true,
      prune: flags.prune === true,
      example: false,
    };
    const { importFiles } = await import('./intake/import.ts');
    const report = await importFiles(database, files, options, progress).catch((error: unknown) => {
      throw withOutcome(
        error,
        progress.isMerging
          ? 'whether anything was imported is not known: import it again, which changes nothing twice'
          : 'nothing was imported',
      );
    });
    progress.stop();
    process.stdout.write(renderReport(report, options.dryRun));
    if (options.dryRun) return;
    if (process.stderr.isTTY) process.stderr.write('publishing ...\n');
    const publishing = {
      publisherId: randomUUID(),
      // No server has chosen a port yet where it is 0.
      defaultOrigin: config.baseUrl ?? `http://localhost:${config.port || 8080}`,
    };
    try {
      const onOmitted = ({ what, reason }: Omission) => {
        process.stderr.write(`published without the ${what}, which failed: ${reason}\n`);
      };
      while (!(await publishPending(database, config.databaseUrl, publishing, { onOmitted }))) {
        await sleep(POLL_MS);
      }
    } catch (error) {
      throw notPublished(error);
    }
  } finally {
    progress.stop();
    await database.close();
  }
}

program
  .command('export')
  .description('write all documents and pages as files for any web host')
  .argument('<dir>', 'a directory that is empty, not there yet, or made by export')
  .option('--precompress', 'write .br, .zst and .gz beside each file')
  .action(async (folder: string, flags: { precompress?: boolean }) => {
    const config = parseConfig();
    const { exportSite } = await import('./commands/export.ts');
    const progress = new ExportProgress();
    await withDatabase(async (database) => {
      try {
        const options = { folder, precompress: flags.precompress === true };
        const show = progress.show.bind(progress);
        const counts = await exportSite(config, database, randomUUID(), options, show);
        progress.stop();
        const lines = Object.entries(counts).map(
          ([name, count]) => `${name.padEnd(10)} ${count}\n`,
        );
        process.stdout.write(lines.join(''));
      } finally {
        progress.stop();
      }
    });
  });

/** Adds to a store that went away what that means for what was under way. */
function withOutcome(error: unknown, outcome: string): unknown {
  if (!isUnavailable(error)) return error;
  return new UnavailableError(`${error.message}\n${outcome}`, { cause: error });
}

/** Says of a publish that failed after its import what is stored, and how to go on. */
function notPublished(error: unknown): UnavailableError {
  const reason = error instanceof Error ? error.message : String(error);
  return new UnavailableError(
    `Imported, not published: ${reason}\n` +
      'Readers are served what was published before. A server, or the next import, tries again. ' +
      'To undo this import, import the previous business file and the previous reviews with --prune.',
    { cause: error },
  );
}

/** From another thread an error comes without its class. */
function isUnavailable(error: unknown): error is Error {
  return error instanceof Error && error.name === UnavailableError.name;
}

/** The counts of an import, a line each; they add up to the rows, but for the removed. */
function renderReport(report: ImportReport, dryRun: boolean): string {
  const counts = [
    'rows',
    'added',
    'updated',
    'unchanged',
    'duplicate',
    'removed',
    'refused',
  ] as const;
  const lines = counts.map((name) => `${name.padEnd(10)} ${report[name]}`);
  if (report.unverified > 0) {
    lines.push(`${report.unverified} of them are not verified: stored, not published`);
  }
  if (report.pruneSkipped) lines.push('nothing was pruned, because rows were refused');
  if (dryRun) lines.push('this was a dry run: nothing was changed');
  return `${lines.join('\n')}\n`;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** Tells the person what went wrong, unless that was told, and says how the process ends. */
function exitCodeOf(error: unknown): number {
  if (error instanceof ToldError) return error.exitCode === EXIT_INPUT ? EXIT_INPUT : EXIT_FAULT;
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_INPUT;
  if (error instanceof InputError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_INPUT;
  }
  const told = isUnavailable(error) ? error.message : error instanceof Error && error.stack;
  process.stderr.write(`${told || String(error)}\n`);
  return EXIT_FAULT;
}
