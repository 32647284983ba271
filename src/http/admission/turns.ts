// Shares the event loop among clients whose requests cost CPU: each turn of the loop runs them for a short
// time only, and takes from each client in turn. Documents, cached pages and health checks do not wait here, so
// they are answered between two turns.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal } from '../../errors.ts';
import type { Turn } from '../../model/http-seam.ts';
import { ClientCosts, type Costs } from './client-costs.ts';
import { HTTP_LIMITS } from '../limits.ts';
import { threadCpuMs } from './overload.ts';
import { sendRefusal } from '../problems.ts';

/** Time of a turn after which no further request begins; a request is not interrupted. */
const TURN_MS = 0.5;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client: string;
  readonly sinceCpuMs: number;
  /** Gets null if the request was refused, or its client disconnected. */
  readonly begin: (turn: Turn | null) => void;
}

interface TurnsOptions {
  readonly clientOf: (request: IncomingMessage) => string;
  readonly onRefused: (status: number) => void;
  /** Of all sites of the process; by default of these turns alone. */
  readonly costs?: Costs | undefined;
  /** Monotonic. */
  readonly nowMs?: () => number;
  /** CPU time of this thread; by default measured. */
  readonly cpuMs?: () => number;
}

export class Turns {
  readonly #clientOf: TurnsOptions['clientOf'];
  readonly #onRefused: TurnsOptions['onRefused'];
  readonly #nowMs: () => number;
  readonly #cpuMs: () => number;
  /** By client; the next one is the first. */
  readonly #queues = new Map<string, Waiting[]>();
  #waiting = 0;
  #turn = 0;
  #spentMs = 0;
  /** The request that has the turn and did not end it. */
  #taken: { readonly client: string; readonly startMs: number } | null = null;
  readonly #costs: Costs;
  #isScheduled = false;
  #isDraining = false;

  constructor({
    clientOf,
    onRefused,
    nowMs = () => performance.now(),
    cpuMs = threadCpuMs,
    costs = new ClientCosts(nowMs),
  }: TurnsOptions) {
    this.#clientOf = clientOf;
    this.#onRefused = onRefused;
    this.#nowMs = nowMs;
    this.#cpuMs = cpuMs;
    this.#costs = costs;
  }

  /** Whether requests of a client are to be refused during an overload: it took much of the time, or nobody did. */
  isToBlame(client: string): boolean {
    return this.#costs.isLarge(client);
  }

  /** Calls `begin` with a turn: at once if there is time left in this turn and nobody waits. */
  take(request: IncomingMessage, response: ServerResponse, begin: Waiting['begin']): void {
    const client = this.#clientOf(request);
    if (this.#waiting === 0 && this.#hasTime) {
      this.#begin(client, begin);
      return;
    }
    if (this.#waiting >= HTTP_LIMITS.waitingRequests && !this.#makeRoomFor(client)) {
      this.#refuse({ request, response, begin }, 'too_many_waiting');
      return;
    }
    const sinceCpuMs = this.#cpuMs();
    const queue = this.#queues.get(client);
    const waiting = { request, response, client, sinceCpuMs, begin };
    if (queue) queue.push(waiting);
    else this.#queues.set(client, [waiting]);
    this.#waiting += 1;
    this.#schedule();
  }

  get #hasTime(): boolean {
    return this.#taken === null && this.#spentMs < TURN_MS;
  }

  #begin(client: string, begin: Waiting['begin']): void {
    const turn = this.#turn;
    const startMs = this.#nowMs();
    let isEnded = false;
    this.#taken = { client, startMs };
    this.#schedule();
    begin({
      end: () => {
        // A turn that was not ended in time is over anyway.
        if (isEnded || turn !== this.#turn) return;
        isEnded = true;
        this.#spentMs += this.#endTurn();
        this.#drain();
      },
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  /** Runs after the sockets were read. */
  #nextTurn(): void {
    this.#isScheduled = false;
    this.#turn += 1;
    this.#endTurn();
    this.#spentMs = 0;
    this.#drain();
    if (this.#waiting > 0) this.#schedule();
  }

  #drain(): void {
    // The end of a turn within this loop continues the loop.
    if (this.#isDraining) return;
    this.#isDraining = true;
    while (this.#waiting > 0 && this.#hasTime) {
      const waiting = this.#next();
      if (waiting.response.destroyed) waiting.begin(null);
      else if (this.#cpuMs() - waiting.sinceCpuMs > HTTP_LIMITS.waitingCpuMs)
        this.#refuse(waiting, 'overloaded');
      else this.#begin(waiting.client, waiting.begin);
    }
    this.#isDraining = false;
  }

  /** Counts the time of the turn for its client, and returns it. */
  #endTurn(): number {
    if (this.#taken === null) return 0;
    const { client, startMs } = this.#taken;
    this.#taken = null;
    const spentMs = this.#nowMs() - startMs;
    this.#costs.add(client, spentMs);
    return spentMs;
  }

  /** The oldest request of the client whose turn it is; the client goes to the end. */
  #next(): Waiting {
    const [client, queue] = this.#queues.entries().next().value as [string, Waiting[]];
    const waiting = queue.shift() as Waiting;
    this.#queues.delete(client);
    if (queue.length > 0) this.#queues.set(client, queue);
    this.#waiting -= 1;
    return waiting;
  }

  /** Refuses the newest request of the client that has most of them; false if that is this client. */
  #makeRoomFor(client: string): boolean {
    let [most, length] = [client, (this.#queues.get(client)?.length ?? 0) + 1];
    for (const [other, queue] of this.#queues) {
      if (queue.length > length) [most, length] = [other, queue.length];
    }
    if (most === client) return false;
    const waiting = (this.#queues.get(most) as Waiting[]).pop() as Waiting;
    this.#waiting -= 1;
    this.#refuse(waiting, 'too_many_waiting');
    return true;
  }

  #refuse(
    { request, response, begin }: Pick<Waiting, 'request' | 'response' | 'begin'>,
    code: 'too_many_waiting' | 'overloaded',
  ): void {
    if (!response.destroyed) {
      sendRefusal(request, response, new Refusal(code));
      this.#onRefused(response.statusCode);
    }
    begin(null);
  }
}
