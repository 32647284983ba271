#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The command line: argv to one command.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { Command, CommanderError } from 'commander';
import { pino } from 'pino';
import { type Config, parseConfig } from './config.ts';
import { InputError } from './errors.ts';
import { importFiles, type ImportListener, type ImportReport } from './import.ts';
import { Database } from './store/database.ts';
import { endSubscription, renderSubscriptions } from './subscriptions.ts';
import { publishOwed } from './threads.ts';
import { VERSION } from './version.ts';

// A reader that has seen enough, as `head` has, is no reason to stop an import half-way.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const EXIT_FAULT = 1;
const EXIT_INPUT = 2;
const POLL_MS = 200;
/** What takes longer shows how far it has come. */
const MOMENT_MS = 1_000;

const program = new Command('public-reviews')
  .description("Publishes a business's verified reviews from its own origin.")
  .version(VERSION)
  .helpCommand(false)
  .exitOverride();

program
  .command('serve')
  .description('answer readers on one port')
  .option('--example', 'serve the example business until something real is imported')
  .action(async (options: { example?: boolean }) => {
    const config = parseConfig();
    // Other commands are ready before all that the server needs is read.
    const { serve } = await import('./serve.ts');
    const logger = pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: true }));
    const server = await serve(config, logger, { example: options.example === true });
    process.stdout.write(`Public Reviews is served at ${server.url}\n`);
    const signal = await new Promise<string>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    logger.info({ signal }, 'closing');
    await server.close();
  });

const subscriptions = program
  .command('subscriptions')
  .description('see or end what the WebSub hub delivers')
  .helpCommand(false);

subscriptions
  .command('list')
  .description('show every subscription with its lease, last acknowledgement and failures')
  .action(async () => {
    await withDatabase(async (database) => {
      process.stdout.write(await renderSubscriptions(database, Date.now()));
    });
  });

subscriptions
  .command('remove')
  .description('end a subscription; the server tells its subscriber')
  .argument('<id>', 'as "subscriptions list" shows it')
  .action(async (id: string) => {
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

program
  .command('export')
  .description('write all documents and pages as files for any web host')
  .argument('<dir>', 'a directory that is empty, not there yet, or made by export')
  .option('--precompress', 'write .br, .zst and .gz beside each file')
  .action(async (folder: string, flags: { precompress?: boolean }) => {
    const config = parseConfig();
    const { exportSite } = await import('./export.ts');
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

/** Shows on stderr how far an export has come, once it takes longer than a moment. */
class ExportProgress {
  readonly #bar = new SingleBar({
    format: 'writing {bar} {percentage}% {eta_formatted}',
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
  });
  readonly #startedAt = performance.now();
  #isStarted = false;

  show(done: number, inAll: number): void {
    if (!this.#isStarted && performance.now() - this.#startedAt < MOMENT_MS) return;
    if (!this.#isStarted) this.#bar.start(inAll, done);
    this.#isStarted = true;
    this.#bar.update(done);
  }

  stop(): void {
    if (this.#isStarted) this.#bar.stop();
    this.#isStarted = false;
  }
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
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_INPUT;
  if (error instanceof InputError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_INPUT;
  }
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return EXIT_FAULT;
}
