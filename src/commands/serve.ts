// Runs the server until a signal ends it: in this process, as one of several workers, or as the process that
// starts the workers.

import cluster from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { InputError } from '../errors.ts';
import { preloadSnapshot } from '../publishing/task-threads.ts';
import type { RunningServer } from '../serving/serve.ts';
import { YoungSpace } from '../serving/young-space.ts';
import { Group } from '../serving/workers/group.ts';

/** Docker kills a container 10 s after SIGTERM. */
const CLOSING_LIMIT_MS = 9_500;
const EXIT_FAULT = 1;

interface RunOptions {
  readonly example: boolean;
  /** Processes that share the port. */
  readonly workers: number;
  /** The folder of several sites; absent serves one. */
  readonly sites?: string;
}

export async function run(
  config: Config,
  logger: FastifyBaseLogger,
  { example, workers, sites }: RunOptions,
): Promise<void> {
  if (cluster.isWorker) return runWorker(config, logger, example);
  if (sites !== undefined && (example || workers > 1)) {
    throw new InputError(
      'serve --sites: expected neither --example nor --workers; see docs/sites.md',
    );
  }
  const start = () =>
    workers > 1
      ? startWorkers(config, logger, workers)
      : startServer(config, logger, example, null);
  const server = await (sites === undefined ? start() : startSites(sites, config, logger));
  // Before the line on which a starter may send one.
  const received = receiveSignal();
  process.stdout.write(`Public Reviews is served at ${server.url}\n`);
  logger.info({ signal: await received }, 'closing');
  await closeInTime(server, logger);
}

/** Serves as one of several workers, until the group closes or a signal arrives. */
async function runWorker(
  config: Config,
  logger: FastifyBaseLogger,
  example: boolean,
): Promise<void> {
  const group = await Group.join();
  try {
    const server = await startServer(config, logger, example, group);
    await Promise.race([group.closing, receiveSignal()]);
    await closeInTime(server, logger);
  } finally {
    // An open channel would keep the process alive.
    process.channel?.unref();
  }
}

/** Closes the server. Ends the process if that takes too long, or if anything keeps it alive afterwards. */
export async function closeInTime(
  server: Pick<RunningServer, 'close'>,
  logger: Pick<FastifyBaseLogger, 'error'>,
  limitMs = CLOSING_LIMIT_MS,
): Promise<void> {
  setTimeout(() => {
    logger.error({ limitMs }, 'closing took too long; the process ends now');
    process.exit(EXIT_FAULT);
  }, limitMs).unref();
  await server.close();
}

async function startServer(
  config: Config,
  logger: FastifyBaseLogger,
  example: boolean,
  group: Group | null,
): Promise<RunningServer> {
  const stop = new AbortController();
  const preloaded = preloadSnapshot(config.databaseUrl, config.baseUrl, stop.signal);
  return new YoungSpace().hold(async () => {
    try {
      // Imported here, because the process that only starts workers does not need it.
      const { serve } = await import('../serving/serve.ts');
      return await serve(config, logger, { example, group, preloaded });
    } catch (error) {
      stop.abort();
      throw error;
    }
  });
}

async function startWorkers(
  config: Config,
  logger: FastifyBaseLogger,
  count: number,
): Promise<RunningServer> {
  const { Supervisor } = await import('../serving/workers/supervisor.ts');
  return Supervisor.start(config, logger, count);
}

async function startSites(
  folder: string,
  config: Config,
  logger: FastifyBaseLogger,
): Promise<RunningServer> {
  return new YoungSpace().hold(async () => {
    const { SitesServer } = await import('../serving/sites/sites.ts');
    return SitesServer.start(folder, config, logger);
  });
}

function receiveSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
