// The group of workers as one of them sees it: what it is told, and what it asks.

import type { PublishHealth } from '../../http/health.ts';
import type { ClientMinute, RequestCounter } from '../../http/request-limits.ts';
import type { Answer, Assignment, FromWorker, MetricList, Question, ToWorker } from './messages.ts';

export class Group {
  readonly assignment: Assignment;
  /** Resolves when this worker shall end. */
  readonly closing: Promise<void>;
  readonly #told = Promise.withResolvers<void>();
  readonly #asked = new Map<number, (answer: Answer) => void>();
  #questions = 0;
  #tellMetrics: () => Promise<MetricList> = () => Promise.resolve([]);
  #onAllReady: () => void = () => undefined;
  #areAllReady = false;
  #onPublishHealth: (health: PublishHealth) => void = () => undefined;
  /** The last that this worker reported or received, as JSON. */
  #publishHealth: string | null = null;

  private constructor(assignment: Assignment) {
    this.assignment = assignment;
    this.closing = this.#told.promise;
  }

  /** Joins from within a worker: resolves with what is this one's part. */
  static join(): Promise<Group> {
    return new Promise((resolve) => {
      let group: Group | null = null;
      process.on('message', (message: ToWorker) => {
        if (message.kind === 'assign') {
          group = new Group(message.assignment);
          resolve(group);
        } else {
          if (group) group.#take(message);
        }
      });
      send({ kind: 'started' });
    });
  }

  /** Sets how this worker answers the process that started it, and what it does when that reports. */
  introduce({
    tellMetrics,
    onAllReady,
    onPublishHealth,
  }: {
    readonly tellMetrics: () => Promise<MetricList>;
    readonly onAllReady: () => void;
    readonly onPublishHealth: (health: PublishHealth) => void;
  }): void {
    this.#tellMetrics = tellMetrics;
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

  /** Says that this worker answers readers. */
  tellReady(): void {
    send({ kind: 'ready' });
  }

  /** The metrics of all workers, as text. */
  async metrics(): Promise<string> {
    const answer = await this.#ask({ about: 'metrics' });
    if (answer.about !== 'metrics') throw new Error(`asked about metrics, told ${answer.about}`);
    return answer.text;
  }

  /** Counts for all workers together. */
  get counter(): RequestCounter {
    return { count: (client) => this.#count(client) };
  }

  async #count(client: string): Promise<ClientMinute> {
    const answer = await this.#ask({ about: 'client', client });
    if (answer.about !== 'client') throw new Error(`asked about a client, told ${answer.about}`);
    return answer.minute;
  }

  #ask(question: Question): Promise<Answer> {
    const id = (this.#questions += 1);
    return new Promise((resolve) => {
      this.#asked.set(id, resolve);
      send({ kind: 'ask', id, question });
    });
  }

  #take(message: Exclude<ToWorker, { kind: 'assign' }>): void {
    switch (message.kind) {
      case 'all_ready':
        this.#areAllReady = true;
        this.#onAllReady();
        break;
      case 'close':
        this.#told.resolve();
        break;
      case 'show_life':
        send({ kind: 'alive' });
        break;
      case 'publish_health':
        this.#publishHealth = JSON.stringify(message.health);
        this.#onPublishHealth(message.health);
        break;
      case 'tell_metrics':
        void this.#tell(message.id);
        break;
      case 'answer':
        this.#asked.get(message.id)?.(message.answer);
        this.#asked.delete(message.id);
        break;
    }
  }

  async #tell(id: number): Promise<void> {
    send({ kind: 'metrics', id, metrics: await this.#tellMetrics() });
  }
}

/** Where nobody is there any more to be told, this process is about to end too. */
function send(message: FromWorker): void {
  process.send?.(message, undefined, {}, () => undefined);
}
