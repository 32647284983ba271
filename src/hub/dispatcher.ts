// Does what the store says the hub has to do. Each turn is one transaction that records what was done
// and claims what comes next, so what a killed process leaves is what it had not recorded.

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import {
  deleteExpired,
  isAnythingDue,
  type ClaimCriteria,
  releaseClaims,
} from '../store/deliveries.ts';
import { type Outcome, recordOutcomes } from '../store/outcomes.ts';
import { DELIVERIES_LOCK } from '../store/subscriptions.ts';
import { CallLimits } from './call-limits.ts';
import { claimJobs, longestClaimMs } from './claims.ts';
import { isProven, type Job } from './job.ts';
import { type JobParts, longestRetryMs, runJob } from './jobs.ts';
import type { Full } from './reply.ts';
import { Slots } from './slots.ts';

/** How often the store is asked while nothing is under way: a request is verified in a second. */
const POLL_MS = 200;
/** How long an outcome waits for others, to be recorded together. */
const GATHER_MS = 5;
/** Requests that are begun before the event loop serves others. */
const STARTED_AT_ONCE = 8;
/** For the last record when there is no time left. */
const LAST_WRITE_MS = 500;
/** After a failure of the store. */
const PAUSE_AFTER_FAILURE_MS = 1_000;

export interface WorkerParts extends JobParts {
  readonly database: Database;
  /** The snapshot that is served now; null before there is one. */
  readonly snapshot: () => Snapshot | null;
}

export class Dispatcher {
  readonly #parts: WorkerParts;
  readonly #name = randomUUID();
  readonly #calls: CallLimits;
  /** Jobs under way and the networks they connect to: each holds its slot until its outcome is recorded. */
  readonly #jobs = new Map<Job, readonly string[]>();
  readonly #outcomes = new Map<Job, Outcome>();
  #wake: () => void = () => undefined;
  #turns = 0;
  #isClosing = false;
  #isFailing = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#calls = new CallLimits(parts.hub, parts.clock.elapsed);
  }

  /** Works until it is closed. */
  start(): void {
    this.#loop = this.#work();
  }

  /** Asks the store at once. */
  lookNow(): void {
    this.#wake();
  }

  /**
   * Takes no more work. What is under way may end within a time; what does not is left to whoever
   * works next, as if it had not been tried.
   */
  async close(patienceMs: number): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    const deadline = performance.now() + patienceMs;
    const left = () => Math.max(deadline - performance.now(), 0);
    // Whatever the store does: another process may hold its lock for long.
    await Promise.race([this.#loop, sleep(left(), undefined, { ref: false })]);
    while (this.#outcomes.size < this.#jobs.size && left() > 0) await this.#rest(left());
    const outcomes = [...this.#outcomes.values()];
    this.#jobs.clear();
    await this.#parts.callbacks.close();
    const patience = sleep(left() + LAST_WRITE_MS, undefined, { ref: false });
    await Promise.race([this.#recordLast(outcomes), patience]);
  }

  async #recordLast(outcomes: readonly Outcome[]): Promise<void> {
    try {
      await this.#parts.database.write(
        async (transaction) => {
          await recordOutcomes(transaction, this.#name, outcomes, this.#parts.clock.now());
          await releaseClaims(transaction, this.#name);
        },
        { lock: { shared: DELIVERIES_LOCK } },
      );
    } catch (error) {
      // Nothing is lost: the claims run out by themselves.
      this.#parts.logger.error({ err: error }, 'the hub could not record its last deliveries');
    }
  }

  async #work(): Promise<void> {
    while (!this.#isClosing) {
      try {
        await this.#takeTurn();
        this.#isFailing = false;
        if (this.#outcomes.size === 0) await this.#rest(POLL_MS);
        if (this.#outcomes.size > 0) await sleep(GATHER_MS);
      } catch (error) {
        if (!this.#isFailing) {
          this.#parts.logger.error({ err: error }, 'the hub failed; it goes on trying');
        }
        this.#isFailing = true;
        await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  /** Waits until a job ends, or for so many ms. */
  async #rest(ms: number): Promise<void> {
    if (this.#isClosing && this.#outcomes.size === this.#jobs.size) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #takeTurn(): Promise<void> {
    const { clock, hub, database, snapshot: current } = this.#parts;
    const snapshot = current();
    if (!snapshot) return;
    const nowMs = clock.now();
    const pendingBeforeMs = nowMs - hub.coalesceSeconds * 1000;
    const criteria: ClaimCriteria = {
      nowMs,
      pendingBeforeMs,
      snapshot: snapshot.number,
      longestClaimMs: longestClaimMs(hub, snapshot),
      longestRetryMs: longestRetryMs(hub),
    };
    const ended = new Map(this.#outcomes);
    const slotsLeft = () => this.#slotsBeside((job) => ended.has(job));
    if (ended.size === 0) {
      if (
        slotsLeft().free('established', false) <= 0 ||
        !(await isAnythingDue(database.read, criteria))
      )
        return;
    }
    const jobs = await database.write(
      async (transaction) => {
        await recordOutcomes(transaction, this.#name, [...ended.values()], nowMs);
        await deleteExpired(transaction, nowMs);
        const turn = this.#turns;
        const claimant = { worker: this.#name, turn, hub, criteria, snapshot };
        return claimJobs(transaction, claimant, slotsLeft());
      },
      // What a power cut undoes is done again, as if the process had died before it was recorded.
      { waitForDisk: false, lock: { shared: DELIVERIES_LOCK } },
    );
    this.#turns += 1;
    for (const job of ended.keys()) {
      this.#jobs.delete(job);
      this.#outcomes.delete(job);
    }
    for (const [place, job] of jobs.entries()) {
      // Signing and connecting take their time, in which readers would wait.
      if (place % STARTED_AT_ONCE === 0) await nextTurn();
      void this.#do(job);
    }
  }

  #slotsBeside(isLeftOut: (job: Job) => boolean): Slots {
    const running = [...this.#jobs].filter(([job]) => !isLeftOut(job));
    return new Slots(this.#parts.hub, this.#calls, running);
  }

  /** Whether a request may be sent to these networks now; if so, it is counted. */
  #admit(job: Job, networks: readonly string[]): Full | null {
    const isUnproven = !isProven(job);
    // Once it is given up, the claim is somebody else's.
    if (!this.#jobs.has(job)) return { network: null };
    if (this.#calls.hasExhausted(job.domain, isUnproven)) return { network: null };
    const full =
      this.#calls.exhaustedNetwork(networks, isUnproven) ??
      this.#slotsBeside((each) => each === job).fullNetwork(networks, isUnproven);
    if (full !== undefined) return { network: full };
    this.#jobs.set(job, networks);
    this.#calls.count(job.domain, networks, isUnproven);
    return null;
  }

  async #do(job: Job): Promise<void> {
    this.#jobs.set(job, job.network === null ? [] : [job.network]);
    try {
      const outcome = await runJob(job, this.#parts, (networks) => this.#admit(job, networks));
      // Once it is given up, the claim is somebody else's.
      if (this.#jobs.has(job)) this.#outcomes.set(job, outcome);
    } catch (error) {
      // A fault of ours: the job is done again when the claim has run out.
      this.#parts.logger.error({ err: error }, 'the hub failed at a request to a callback');
      this.#jobs.delete(job);
    }
    this.#wake();
  }
}
