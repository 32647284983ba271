// A worker's side of the group: receives messages of the supervisor, and asks it questions.

import type { FastifyBaseLogger } from 'fastify';
import { Refusal } from '../../errors.ts';
import type { PublishHealth } from '../../model/health.ts';
import type { RequestCounter } from '../../http/admission/rate-limit.ts';
import type { ClientMinute } from '../../model/http-seam.ts';
import type { Answer, Assignment, FromWorker, MetricList, Question, ToWorker } from './messages.ts';
import { SharedCounter } from './shared-counter.ts';

/** The supervisor waits a second for the metrics of a worker. */
const METRICS_WAIT_MS = 5_000;

export class Group {
  readonly assignment: Assignment;
  /** Resolves when the supervisor asks this worker to exit. */
  readonly closing: Promise<void>;
  readonly #closing = Promise.withResolvers<void>();
  readonly #asked = new Map<number, (answer: Answer) => void>();
  #questions = 0;
  #collectMetrics: () => Promise<MetricList> = () => Promise.resolve([]);
  #onAllReady: () => void = () => undefined;
  #areAllReady = false;
  #onPublishHealth: (health: PublishHealth) => void = () => undefined;
  /** The last that this worker reported or received, as JSON. */
  #publishHealth: string | null = null;

  private constructor(assignment: Assignment) {
    this.assignment = assignment;
    this.closing = this.#closing.promise;
  }

  /** Joins the group of this worker process. Resolves once the supervisor has sent its assignment. */
  static join(): Promise<Group> {
    return new Promise((resolve) => {
      let group: Group | null = null;
      process.on('message', (message: ToWorker) => {
        if (message.kind === 'assign') {
          group = new Group(message.assignment);
          resolve(group);
        } else if (group) group.#onMessage(message);
      });
      send({ kind: 'started' });
    });
  }

  /** Sets what returns this worker's metrics, and what to do with the supervisor's reports. */
  setCallbacks({
    collectMetrics,
    onAllReady,
    onPublishHealth,
  }: {
    readonly collectMetrics: () => Promise<MetricList>;
    readonly onAllReady: () => void;
    readonly onPublishHealth: (health: PublishHealth) => void;
  }): void {
    this.#collectMetrics = collectMetrics;
    this.#onAllReady = onAllReady;
    this.#onPublishHealth = onPublishHealth;
    if (this.#areAllReady) onAllReady();
    if (this.#publishHealth !== null) onPublishHealth(JSON.parse(this.#publishHealth));
  }

  /** Reports to the other workers how the last publish went, if that changed. */
  reportPublishHealth(health: PublishHealth): void {
    const json = JSON.stringify(health);
    if (json === this.#publishHealth) return;
    this.#publishHealth = json;
    send({ kind: 'publish_health', health });
  }

  /** Reports that this worker answers requests. */
  reportReady(): void {
    send({ kind: 'ready' });
  }

  /**
   * The metrics of all workers, as text.
   *
   * @throws {Refusal} if the supervisor does not answer: the counts of one worker would look like a restart.
   */
  async metrics(waitMs = METRICS_WAIT_MS): Promise<string> {
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => silence.reject(new Refusal('metrics_unavailable')), waitMs);
    try {
      const answer = await Promise.race([this.#ask({ about: 'metrics' }), silence.promise]);
      if (answer.about !== 'metrics')
        throw new Error(`expected an answer about metrics, got ${answer.about}`);
      return answer.text;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Counts requests of clients over all workers. */
  counter(logger: FastifyBaseLogger): RequestCounter {
    return new SharedCounter({ ask: (client) => this.#count(client), logger });
  }

  async #count(client: string): Promise<ClientMinute> {
    const answer = await this.#ask({ about: 'client', client });
    if (answer.about !== 'client')
      throw new Error(`expected an answer about a client, got ${answer.about}`);
    return answer.minute;
  }

  #ask(question: Question): Promise<Answer> {
    const id = (this.#questions += 1);
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      send({ kind: 'ask', id, question });
    });
  }

  #onMessage(message: Exclude<ToWorker, { kind: 'assign' }>): void {
    switch (message.kind) {
      case 'all_ready':
        this.#areAllReady = true;
        this.#onAllReady();
        break;
      case 'close':
        this.#closing.resolve();
        break;
      case 'ping':
        send({ kind: 'pong' });
        break;
      case 'publish_health':
        this.#publishHealth = JSON.stringify(message.health);
        this.#onPublishHealth(message.health);
        break;
      case 'send_metrics':
        void this.#sendMetrics(message.id);
        break;
      case 'answer':
        this.#asked.get(message.id)?.(message.answer);
        this.#asked.delete(message.id);
        break;
    }
  }

  async #sendMetrics(id: number): Promise<void> {
    send({ kind: 'metrics', id, metrics: await this.#collectMetrics() });
  }
}

/** Ignores errors: if the supervisor is gone, this process is about to exit too. */
function send(message: FromWorker): void {
  process.send?.(message, undefined, {}, () => undefined);
}
