// Starts the workers, and replaces one that ends. The system distributes the connections of their port
// among them.

import cluster, { type Worker } from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { ReportedError } from '../../errors.ts';
import type { PublishHealth } from '../../model/health.ts';
import { canShare, findPort } from '../../http/port.ts';
import { MemoryCounter } from '../../http/admission/rate-limit.ts';
import { Backoff } from './backoff.ts';
import type { Answer, Assignment, FromWorker, MetricList, Question, ToWorker } from './messages.ts';
import { Heartbeat } from './heartbeat.ts';
import { GroupMetrics } from './metrics.ts';
import { pause } from '../../model/pause.ts';

/** After this wait, the last known metrics of a worker are used. */
const METRICS_TIMEOUT_MS = 1_000;
const PING_INTERVAL_MS = 5_000;
/** A worker that takes longer to exit is killed. Longer than it waits for answers and deliveries in progress. */
const CLOSE_TIMEOUT_MS = 9_000;

/** The slot of one worker: its process is replaced, its assignment stays. */
interface Slot {
  readonly assignment: Assignment;
  readonly backoff: Backoff;
  readonly hasStarted: PromiseWithResolvers<void>;
  worker: Worker | null;
  /** When the worker became ready, by `performance.now`; null before. */
  readyAtMs: number | null;
  heartbeat: Heartbeat;
}

export class Supervisor {
  readonly url: string;
  readonly #logger: FastifyBaseLogger;
  readonly #slots: readonly Slot[];
  readonly #pingIntervalMs: number;
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
    pingIntervalMs: number,
  ) {
    this.#pingIntervalMs = pingIntervalMs;
    this.url = `http://localhost:${shared.port}`;
    this.#logger = logger;
    this.#slots = Array.from({ length: count }, (_, number) => ({
      assignment: { ...shared, isLead: number === 0 },
      backoff: new Backoff(),
      hasStarted: Promise.withResolvers<void>(),
      worker: null,
      readyAtMs: null,
      heartbeat: new Heartbeat(),
    }));
  }

  /**
   * Starts the workers; all are ready when this returns.
   *
   * @throws {ReportedError} if a worker cannot start.
   */
  static async start(
    config: Config,
    logger: FastifyBaseLogger,
    count: number,
    pingIntervalMs = PING_INTERVAL_MS,
  ): Promise<Supervisor> {
    // The port must be free at first: with SO_REUSEPORT, another program could share it.
    const port = await findPort(config);
    const reusesPort = await canShare({ host: config.host, port });
    const supervisor = new Supervisor(logger, count, { port, reusesPort }, pingIntervalMs);
    // If the system cannot share the port, this process passes connections to the workers in turn.
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

  /** Starts the lead first: the others load the snapshot that it may have to publish. */
  async #start(): Promise<void> {
    const [lead, ...others] = this.#slots as [Slot, ...Slot[]];
    this.#fill(lead);
    await lead.hasStarted.promise;
    for (const slot of others) this.#fill(slot);
    await Promise.all(this.#slots.map(({ hasStarted }) => hasStarted.promise));
    this.#areAllReady = true;
    for (const { worker } of this.#slots) send(worker, { kind: 'all_ready' });
  }

  /** Stops all workers. Those that are ready finish their requests. */
  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#slots.map(end));
  }

  #fill(slot: Slot): void {
    const worker = cluster.fork();
    slot.worker = worker;
    slot.readyAtMs = null;
    slot.heartbeat = new Heartbeat();
    const hasEnded = new AbortController();
    worker.on('message', (message: FromWorker) => this.#onMessage(slot, worker, message));
    const onEnd = (code: number | null, signal: string | null) => {
      slot.worker = null;
      hasEnded.abort();
      this.#metrics.end(worker.id);
      if (!this.#stop.signal.aborted) void this.#onEnd(slot, { code, signal });
    };
    worker.once('exit', onEnd);
    worker.on('error', (error: unknown) => {
      this.#logger.error({ err: error }, 'a worker failed');
      // A process that could not be spawned emits no `exit`.
      if (worker.process.pid === undefined) onEnd(null, null);
    });
    void this.#watch(worker, slot.heartbeat, hasEnded.signal);
  }

  async #onEnd(
    slot: Slot,
    { code, signal }: { code: number | null; signal: string | null },
  ): Promise<void> {
    if (!this.#areAllReady) {
      this.#startFailed.reject(new ReportedError(code ?? 1));
      return;
    }
    const { readyAtMs, backoff } = slot;
    const waitMs = backoff.next(readyAtMs === null ? 0 : performance.now() - readyAtMs);
    this.#logger.error({ code, signal, waitMs }, 'a worker ended and is replaced');
    await pause(waitMs, this.#stop.signal);
    if (!this.#stop.signal.aborted) this.#fill(slot);
  }

  #onMessage(slot: Slot, worker: Worker, message: FromWorker): void {
    switch (message.kind) {
      case 'started':
        send(worker, { kind: 'assign', assignment: slot.assignment });
        if (this.#areAllReady) send(worker, { kind: 'all_ready' });
        // A new lead reports its own.
        if (this.#publishHealth && !slot.assignment.isLead)
          send(worker, { kind: 'publish_health', health: this.#publishHealth });
        break;
      case 'ready':
        slot.readyAtMs = performance.now();
        slot.heartbeat.ready();
        slot.hasStarted.resolve();
        break;
      case 'pong':
        slot.heartbeat.answered();
        break;
      case 'publish_health':
        this.#publishHealth = message.health;
        for (const other of this.#slots) {
          if (other !== slot) send(other.worker, message);
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

  /** Kills a worker that hangs: the system would still give it connections, and nobody would replace it. */
  async #watch(worker: Worker, heartbeat: Heartbeat, hasEnded: AbortSignal): Promise<void> {
    const ping = () => send(worker, { kind: 'ping' });
    const signal = AbortSignal.any([this.#stop.signal, hasEnded]);
    if (!(await heartbeat.isMissed(ping, this.#pingIntervalMs, signal))) return;
    this.#logger.error({ worker: worker.process.pid }, 'a worker hangs and is killed');
    worker.process.kill('SIGKILL');
  }

  async #answer(worker: Worker, id: number, question: Question): Promise<void> {
    const answer: Answer =
      question.about === 'metrics'
        ? { about: 'metrics', text: await this.#gatherMetrics() }
        : { about: 'client', minute: this.#clients.count(question.client) };
    send(worker, { kind: 'answer', id, answer });
  }

  async #gatherMetrics(): Promise<string> {
    await Promise.all(
      this.#slots.map(async ({ worker, readyAtMs }) => {
        if (worker && readyAtMs !== null) await this.#requestMetrics(worker);
      }),
    );
    return this.#metrics.render();
  }

  /** Updates the metrics of a worker, if it sends them in time. */
  async #requestMetrics(worker: Worker): Promise<void> {
    const id = (this.#questions += 1);
    const key = `${worker.id} ${id}`;
    const answer = Promise.withResolvers<MetricList | null>();
    const timer = setTimeout(() => answer.resolve(null), METRICS_TIMEOUT_MS);
    const onExit = () => answer.resolve(null);
    worker.once('exit', onExit);
    this.#asked.set(key, answer.resolve);
    send(worker, { kind: 'send_metrics', id });
    const metrics = await answer.promise;
    clearTimeout(timer);
    worker.off('exit', onExit);
    this.#asked.delete(key);
    if (metrics && !worker.isDead()) this.#metrics.update(worker.id, metrics);
  }
}

async function end({ worker, readyAtMs }: Slot): Promise<void> {
  if (!worker) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  if (readyAtMs === null) worker.process.kill('SIGTERM');
  else send(worker, { kind: 'close' });
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Ignores errors: a worker that cannot receive messages is about to exit, and is then replaced. */
function send(worker: Worker | null, message: ToWorker): void {
  if (worker?.isConnected()) worker.process.send(message, undefined, {}, () => undefined);
}
