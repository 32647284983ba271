// The process that starts the workers, where there are several, and puts another in the place of one that
// ended. The system shares the connections of their port out among them.

import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { ToldError } from '../../errors.ts';
import type { PublishHealth } from '../../http/health.ts';
import { canShare, findPort } from '../../http/port.ts';
import { MemoryCounter } from '../../http/request-limits.ts';
import { Backoff } from './backoff.ts';
import type { Answer, Assignment, FromWorker, MetricList, Question, ToWorker } from './messages.ts';
import { GroupMetrics } from './metrics.ts';

/** A worker that tells its metrics later than this is left out, with what it told last. */
const METRICS_MS = 1_000;
/** How often a worker is asked for a sign of life. */
const LOOK_EVERY_MS = 5_000;
/** A worker that was asked in vain so often hangs: nothing of ours takes a second. Not the clock says
 * so, which also goes on where all processes were stopped together. */
const MOST_UNANSWERED = 6;
/** A worker that takes longer to end is killed. More than it gives answers and deliveries under way. */
const CLOSING_MS = 9_000;

/** One of the places of workers: who is in it changes, what it has to do does not. */
interface Place {
  readonly assignment: Assignment;
  readonly backoff: Backoff;
  readonly hasStarted: PromiseWithResolvers<void>;
  worker: Worker | null;
  /** When the worker became ready, by `performance.now`; null before. */
  readyAt: number | null;
  /** How often it was asked for a sign of life since it last gave one. */
  unanswered: number;
}

export class Supervisor {
  readonly url: string;
  readonly #logger: FastifyBaseLogger;
  readonly #places: readonly Place[];
  readonly #lookEveryMs: number;
  readonly #metrics = new GroupMetrics();
  readonly #clients = new MemoryCounter();
  readonly #stop = new AbortController();
  readonly #asked = new Map<string, (metrics: MetricList) => void>();
  #questions = 0;
  /** Rejects when a worker ends before all have been ready. */
  readonly #startFailed = Promise.withResolvers<never>();
  #areAllReady = false;
  /** As the lead last reported it. */
  #publishHealth: PublishHealth | null = null;

  private constructor(
    logger: FastifyBaseLogger,
    count: number,
    shared: Pick<Assignment, 'port' | 'reusesPort'>,
    lookEveryMs: number,
  ) {
    this.#lookEveryMs = lookEveryMs;
    this.url = `http://localhost:${shared.port}`;
    this.#logger = logger;
    this.#places = Array.from({ length: count }, (_, number) => ({
      assignment: { ...shared, isLead: number === 0 },
      backoff: new Backoff(),
      hasStarted: Promise.withResolvers<void>(),
      worker: null,
      readyAt: null,
      unanswered: 0,
    }));
  }

  /**
   * Starts so many workers; all are ready when this returns.
   *
   * @throws {ToldError} where one of them cannot start.
   */
  static async start(
    config: Config,
    logger: FastifyBaseLogger,
    count: number,
    lookEveryMs = LOOK_EVERY_MS,
  ): Promise<Supervisor> {
    // What listens alone must find the port free: another program may share it too.
    const port = await findPort(config);
    const reusesPort = await canShare({ host: config.host, port });
    const supervisor = new Supervisor(logger, count, { port, reusesPort }, lookEveryMs);
    // Where the system does not share a port out, this process hands the connections over in turns.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ serialization: 'advanced' });
    try {
      await Promise.race([supervisor.#start(), supervisor.#startFailed.promise]);
    } catch (error) {
      await supervisor.close();
      throw error;
    }
    return supervisor;
  }

  /** The lead first: the others load what it has published, if anything had to be. */
  async #start(): Promise<void> {
    const [lead, ...others] = this.#places as [Place, ...Place[]];
    this.#fill(lead);
    await lead.hasStarted.promise;
    for (const place of others) this.#fill(place);
    await Promise.all(this.#places.map(({ hasStarted }) => hasStarted.promise));
    this.#areAllReady = true;
    for (const { worker } of this.#places) tell(worker, { kind: 'all_ready' });
  }

  /** Ends all workers; those that were ready finish what they have under way. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#places.map(end));
  }

  #fill(place: Place): void {
    const worker = cluster.fork();
    place.worker = worker;
    place.readyAt = null;
    worker.on('message', (message: FromWorker) => this.#take(place, worker, message));
    const onEnd = (code: number | null, signal: string | null) => {
      place.worker = null;
      this.#metrics.end(worker.id);
      if (!this.#stop.signal.aborted) void this.#onEnd(place, { code, signal });
    };
    worker.once('exit', onEnd);
    worker.on('error', (error: unknown) => {
      this.#logger.error({ err: error }, 'a worker failed');
      // One that could not even be started does not end either.
      if (worker.process.pid === undefined) onEnd(null, null);
    });
  }

  async #onEnd(
    place: Place,
    { code, signal }: { code: number | null; signal: string | null },
  ): Promise<void> {
    if (!this.#areAllReady) {
      this.#startFailed.reject(new ToldError(code ?? 1));
      return;
    }
    const { readyAt, backoff } = place;
    const waitMs = backoff.next(readyAt === null ? 0 : performance.now() - readyAt);
    this.#logger.error({ code, signal, waitMs }, 'a worker ended; another takes its place');
    await sleep(waitMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    if (!this.#stop.signal.aborted) this.#fill(place);
  }

  #take(place: Place, worker: Worker, message: FromWorker): void {
    switch (message.kind) {
      case 'started':
        tell(worker, { kind: 'assign', assignment: place.assignment });
        if (this.#areAllReady) tell(worker, { kind: 'all_ready' });
        // A new lead reports its own.
        if (this.#publishHealth && !place.assignment.isLead)
          tell(worker, { kind: 'publish_health', health: this.#publishHealth });
        break;
      case 'ready':
        place.readyAt = performance.now();
        place.hasStarted.resolve();
        void this.#watch(place, worker);
        break;
      case 'alive':
        place.unanswered = 0;
        break;
      case 'publish_health':
        this.#publishHealth = message.health;
        for (const other of this.#places) {
          if (other !== place) tell(other.worker, message);
        }
        break;
      case 'metrics':
        this.#asked.get(`${worker.id} ${message.id}`)?.(message.metrics);
        break;
      case 'ask':
        void this.#answer(worker, message.id, message.question);
        break;
    }
  }

  /** Ends a worker that hangs: the system would go on to give it its share of connections. */
  async #watch(place: Place, worker: Worker): Promise<void> {
    const { signal } = this.#stop;
    for (place.unanswered = 0; place.unanswered < MOST_UNANSWERED; place.unanswered++) {
      tell(worker, { kind: 'show_life' });
      await sleep(this.#lookEveryMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted || place.worker !== worker) return;
    }
    this.#logger.error({ worker: worker.process.pid }, 'a worker hangs and is killed');
    worker.process.kill('SIGKILL');
  }

  async #answer(worker: Worker, id: number, question: Question): Promise<void> {
    const answer: Answer =
      question.about === 'metrics'
        ? { about: 'metrics', text: await this.#gatherMetrics() }
        : { about: 'client', minute: await this.#clients.count(question.client) };
    tell(worker, { kind: 'answer', id, answer });
  }

  async #gatherMetrics(): Promise<string> {
    await Promise.all(
      this.#places.map(async ({ worker, readyAt }) => {
        if (worker && readyAt !== null) await this.#askMetrics(worker);
      }),
    );
    return this.#metrics.render();
  }

  /** Keeps the metrics of a worker, if it tells them in time. */
  async #askMetrics(worker: Worker): Promise<void> {
    const id = (this.#questions += 1);
    const key = `${worker.id} ${id}`;
    const told = Promise.withResolvers<MetricList | null>();
    const timer = setTimeout(() => told.resolve(null), METRICS_MS);
    const onExit = () => told.resolve(null);
    worker.once('exit', onExit);
    this.#asked.set(key, told.resolve);
    tell(worker, { kind: 'tell_metrics', id });
    const metrics = await told.promise;
    clearTimeout(timer);
    worker.off('exit', onExit);
    this.#asked.delete(key);
    if (metrics && !worker.isDead()) this.#metrics.keep(worker.id, metrics);
  }
}

async function end({ worker, readyAt }: Place): Promise<void> {
  if (!worker) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  if (readyAt === null) worker.process.kill('SIGTERM');
  else tell(worker, { kind: 'close' });
  const patience = setTimeout(() => worker.process.kill('SIGKILL'), CLOSING_MS);
  await ended;
  clearTimeout(patience);
}

/** One that cannot be told anything any more is about to end, and then is replaced. */
function tell(worker: Worker | null, message: ToWorker): void {
  if (worker?.isConnected()) {
    worker.process.send(message, undefined, {}, () => undefined);
  }
}
