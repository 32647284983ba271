#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The command line: argv to one command.

import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type Logger, pino } from 'pino';
import { type Config, parseConfig } from './config.ts';
import { InputError, ToldError, UnavailableError } from './errors.ts';
import type { ImportListener, ImportReport } from './import.ts';
import type { Supervisor } from './processes/supervisor.ts';
import type { RunningServer, serve } from './serve.ts';
import { Database } from './store/database.ts';
import { publishOwed } from './threads.ts';
import { VERSION } from './version.ts';

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
    if (cluster.isWorker) await serveInGroup(config, logger, options.example === true);
    else await answerReaders(config, logger, options);
  });

function parseWorkers(given: string): number {
  const count = Number(given);
  if (/^\d+$/.test(given) && count >= 1 && count <= MOST_WORKERS) return count;
  throw new InvalidArgumentError(`expected an integer from 1 to ${MOST_WORKERS}`);
}

/** Serves until a signal, in this process or in several. */
async function answerReaders(
  config: Config,
  logger: Logger,
  { example, workers }: { readonly example?: boolean; readonly workers: number },
): Promise<void> {
  const server = await (workers > 1
    ? startWorkers(config, logger, workers)
    : startServer(config, logger, { example: example === true, group: null }));
  process.stdout.write(`Public Reviews is served at ${server.url}\n`);
  logger.info({ signal: await signalled() }, 'closing');
  await server.close();
}

/** Serves as one of several workers, until it is told to end or gets a signal of its own. */
async function serveInGroup(config: Config, logger: Logger, example: boolean): Promise<void> {
  const { Group } = await import('./processes/group.ts');
  const group = await Group.join();
  try {
    const server = await startServer(config, logger, { example, group });
    await Promise.race([group.closing, signalled()]);
    await server.close();
  } finally {
    // What could still be told keeps no process from ending.
    process.channel?.unref();
  }
}

// What one command needs, the others do not wait for, and keep no memory for.

async function startServer(...args: Parameters<typeof serve>): Promise<RunningServer> {
  const module = await import('./serve.ts');
  return module.serve(...args);
}

async function startWorkers(...args: Parameters<typeof Supervisor.start>): Promise<RunningServer> {
  const module = await import('./processes/supervisor.ts');
  return module.Supervisor.start(...args);
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

const subscriptions = program
  .command('subscriptions')
  .description('see or end what the WebSub hub delivers')
  .helpCommand(false);

subscriptions
  .command('list')
  .description('show every subscription with its lease, last acknowledgement and failures')
  .action(async () => {
    const { renderSubscriptions } = await import('./subscriptions.ts');
    await withDatabase(async (database) => {
      process.stdout.write(await renderSubscriptions(database, Date.now()));
    });
  });

subscriptions
  .command('remove')
  .description('end a subscription; the server tells its subscriber')
  .argument('<id>', 'as "subscriptions list" shows it')
  .action(async (id: string) => {
    const { endSubscription } = await import('./subscriptions.ts');
    await withDatabase((database) => endSubscription(database, id));
    process.stdout.write(`removed ${id}\n`);
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
  const progress = new Progress();
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
    const { importFiles } = await import('./import.ts');
    const report = await importFiles(database, files, options, progress);
    progress.stop();
    process.stdout.write(renderReport(report, options.dryRun));
    if (options.dryRun) return;
    if (process.stderr.isTTY) process.stderr.write('publishing ...\n');
    const publishing = {
      publisher: randomUUID(),
      // No server has chosen a port yet where it is 0.
      defaultOrigin: config.baseUrl ?? `http://localhost:${config.port || 8080}`,
    };
    while (!(await publishOwed(database, config.databaseUrl, publishing))) {
      await sleep(POLL_MS);
    }
  } finally {
    progress.stop();
    await database.close();
  }
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

/** Shows on stderr how far an import has come, and names refused rows on stdout. */
class Progress implements ImportListener {
  readonly #bar = new SingleBar({
    format: '{task} {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  #isStarted = false;

  onProgress(bytesRead: number, bytesInAll: number): void {
    if (!this.#isStarted) this.#bar.start(bytesInAll, 0, { task: 'reading' });
    this.#isStarted = true;
    this.#bar.update(bytesRead);
  }

  onRefused(file: string, line: number, reason: string): void {
    process.stdout.write(`${file}:${line}: refused: ${reason}\n`);
  }

  onMerging(): void {
    if (this.#isStarted) this.#bar.update({ task: 'merging' });
  }

  stop(): void {
    if (this.#isStarted) this.#bar.stop();
    this.#isStarted = false;
  }
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
  const isTold = error instanceof UnavailableError;
  process.stderr.write(
    `${isTold ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  return EXIT_FAULT;
}
