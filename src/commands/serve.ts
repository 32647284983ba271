// Runs the server until it shall end: in this process, as one of several workers, or as the one that
// starts them.

import cluster from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config.ts';
import { Group } from '../serving/workers/group.ts';
import type { RunningServer } from '../serving/serve.ts';
import { loadEarly } from '../publishing/threads.ts';

export interface RunOptions {
  readonly example: boolean;
  /** Processes that share the port. */
  readonly workers: number;
}

export async function run(
  config: Config,
  logger: FastifyBaseLogger,
  { example, workers }: RunOptions,
): Promise<void> {
  if (cluster.isWorker) return runWorker(config, logger, example);
  const server = await (workers > 1
    ? startWorkers(config, logger, workers)
    : startServer(config, logger, example, null));
  process.stdout.write(`Public Reviews is served at ${server.url}\n`);
  logger.info({ signal: await signalled() }, 'closing');
  await server.close();
}

/** Serves as one of several workers, until it is told to end or gets a signal of its own. */
async function runWorker(
  config: Config,
  logger: FastifyBaseLogger,
  example: boolean,
): Promise<void> {
  const group = await Group.join();
  try {
    const server = await startServer(config, logger, example, group);
    await Promise.race([group.closing, signalled()]);
    await server.close();
  } finally {
    // What could still be told keeps no process from ending.
    process.channel?.unref();
  }
}

async function startServer(
  config: Config,
  logger: FastifyBaseLogger,
  example: boolean,
  group: Group | null,
): Promise<RunningServer> {
  const stop = new AbortController();
  // Which port 0 stands for is not known yet.
  const origin = config.baseUrl ?? (config.port === 0 ? null : `http://localhost:${config.port}`);
  const early = loadEarly(config.databaseUrl, origin, stop.signal);
  try {
    // The process that only starts the workers needs nothing of it.
    const { serve } = await import('../serving/serve.ts');
    return await serve(config, logger, { example, group, early });
  } catch (error) {
    // A server that does not come about waits for no snapshot.
    stop.abort();
    throw error;
  }
}

async function startWorkers(
  config: Config,
  logger: FastifyBaseLogger,
  count: number,
): Promise<RunningServer> {
  const { Supervisor } = await import('../serving/workers/supervisor.ts');
  return Supervisor.start(config, logger, count);
}

function signalled(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
