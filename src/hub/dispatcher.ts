// The hub's loop: does the jobs that are due in the store. Each turn is one transaction that records the
// outcomes of finished jobs and claims new ones, so a killed process loses only what it had not recorded.

import { randomUUID } from 'node:crypto';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Database } from '../store/database.ts';
import {
  type ClaimCriteria,
  deleteExpired,
  isAnythingDue,
  isAnythingWaiting,
  releaseClaims,
} from '../store/hub/deliveries.ts';
import { type Outcome, recordOutcomes } from '../store/hub/outcomes.ts';
import { DELIVERIES_LOCK } from '../store/hub/subscriptions.ts';
import { CallLimits } from './call-limits.ts';
import { claimJobs, longestClaimMs } from './claims.ts';
import { isProven, type Job } from './job.ts';
import { type JobParts, longestRetryMs, runJob, type Clock } from './jobs.ts';
import type { Busy } from './reply.ts';
import { Slots } from './slots.ts';

/** How often the store is polled without notifications. A request is verified within a second. */
const POLL_MS = 200;
/** How often it is looked at for what time makes due, if nothing was stored: while something waits, and else. */
const LOOK_MS = 900;
const REST_MS = 60_000;
/** How long an outcome waits for others, so that one transaction records them all. */
const GATHER_MS = 5;
const STARTS_BEFORE_YIELD = 8;
/** Time for the last transaction when the grace period is used up. */
const LAST_WRITE_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 1_000;

interface DispatcherParts extends JobParts {
  readonly database: Database;
  /** The snapshot that is being served; null before the first. */
  readonly snapshot: () => Snapshot | null;
  /** The requests of this minute and in flight, if other dispatchers of the process count theirs there too. */
  readonly calls?: CallLimits;
}

/**
 * Runs the jobs of the hub. Several dispatchers may share a store, because each claims its jobs there. A server
 * with several workers runs only one, because the limits of requests in flight are for the whole server.
 */
export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #ownerId = randomUUID();
  readonly #calls: CallLimits;
  readonly #expiry: ExpiryClock;
  /** Jobs in flight and the networks they connect to. A job keeps its slot until its outcome is recorded. */
  readonly #jobs = new Map<Job, readonly string[]>();
  readonly #outcomes = new Map<Job, Outcome>();
  /** What store and snapshot were when nothing was due, and when time may change that, by `performance.now()`. */
  #seen: string | null = null;
  #lookAtMs = 0;
  #wake: () => void = () => undefined;
  /** Since the last turn began. */
  #isWoken = false;
  #turns = 0;
  #isClosing = false;
  /** Whether what was left in flight has been given up. */
  #isClosed = false;
  #isFailing = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#calls = parts.calls ?? new CallLimits(parts.hub, parts.clock.elapsedMs);
    this.#expiry = new ExpiryClock(parts.clock);
  }

  /** Runs until it is closed. `isNotified` tells whether `lookNow` is called when something was stored. */
  start(isNotified = () => false): void {
    this.#loop = this.#run(isNotified);
  }

  lookNow(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /**
   * Claims no more jobs. Jobs in flight may finish within the grace period; the claims of the others are
   * released, so that the next dispatcher does them.
   */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    this.#wake();
    const deadline = performance.now() + graceMs;
    const leftMs = () => Math.max(deadline - performance.now(), 0);
    // Not longer, even if another process holds the lock of the store.
    await Promise.race([this.#loop, sleep(leftMs(), undefined, { ref: false })]);
    while (this.#outcomes.size < this.#jobs.size && leftMs() > 0) await this.#waitForJob(leftMs());
    const outcomes = [...this.#outcomes.values()];
    this.#isClosed = true;
    for (const job of this.#jobs.keys()) this.#drop(job);
    await this.#parts.callbacks.close();
    const timeout = sleep(leftMs() + LAST_WRITE_MS, undefined, { ref: false });
    await Promise.race([this.#recordLast(outcomes), timeout]);
  }

  async #recordLast(outcomes: readonly Outcome[]): Promise<void> {
    try {
      await this.#parts.database.write(
        async (transaction) => {
          await recordOutcomes(transaction, this.#ownerId, outcomes, this.#parts.clock.nowMs());
          await releaseClaims(transaction, this.#ownerId);
        },
        { lock: { shared: DELIVERIES_LOCK } },
      );
    } catch (error) {
      // Nothing is lost: the claims expire.
      this.#parts.logger.error({ err: error }, 'the hub could not record its last outcomes');
    }
  }

  async #run(isNotified: () => boolean): Promise<void> {
    while (!this.#isClosing) {
      try {
        this.#isWoken = false;
        const restMs = await this.#takeTurn();
        this.#isFailing = false;
        if (this.#outcomes.size === 0 && !this.#isWoken)
          await this.#waitForJob(isNotified() ? restMs : POLL_MS);
        if (this.#outcomes.size > 0) await sleep(GATHER_MS);
      } catch (error) {
        if (!this.#isFailing) {
          this.#parts.logger.error({ err: error }, 'the hub failed and will retry');
        }
        this.#isFailing = true;
        await sleep(PAUSE_AFTER_FAILURE_MS);
      }
    }
  }

  /** Waits until a job ends or `lookNow` is called, at most `ms`. */
  async #waitForJob(ms: number): Promise<void> {
    if (this.#isClosing && this.#outcomes.size === this.#jobs.size) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Returns how long nothing is due, ms, unless something is stored. */
  async #takeTurn(): Promise<number> {
    const { clock, hub, database, snapshot: current } = this.#parts;
    const snapshot = current();
    if (!snapshot) return POLL_MS;
    const nowMs = clock.nowMs();
    const expiredBeforeMs = this.#expiry.nowMs();
    const pendingBeforeMs = nowMs - hub.coalesceSeconds * 1000;
    const criteria: ClaimCriteria = {
      nowMs,
      pendingBeforeMs,
      snapshot: snapshot.number,
      longestClaimMs: longestClaimMs(hub, snapshot),
      longestRetryMs: longestRetryMs(hub),
    };
    const ended = new Map(this.#outcomes);
    const freeSlots = () => this.#slotsWithout((job) => ended.has(job));
    if (ended.size === 0) {
      if (freeSlots().free('established', false) <= 0) return POLL_MS;
      const { version } = database;
      const seen = version === null ? null : `${version} ${snapshot.number}`;
      const lookedAtMs = performance.now();
      if (seen !== null && seen === this.#seen && lookedAtMs < this.#lookAtMs)
        return this.#lookAtMs - lookedAtMs;
      if (!(await isAnythingDue(database.read, criteria, expiredBeforeMs))) {
        const restMs = (await isAnythingWaiting(database.read)) ? LOOK_MS : REST_MS;
        this.#seen = seen;
        this.#lookAtMs = lookedAtMs + restMs;
        return restMs;
      }
    }
    const jobs = await database.write(
      async (transaction) => {
        await recordOutcomes(transaction, this.#ownerId, [...ended.values()], nowMs);
        await deleteExpired(transaction, expiredBeforeMs);
        const turn = this.#turns;
        const context = { ownerId: this.#ownerId, turn, hub, criteria, snapshot };
        return claimJobs(transaction, context, freeSlots());
      },
      // After a power failure, lost outcomes are repeated, as after a crash.
      { waitForDisk: false, lock: { shared: DELIVERIES_LOCK } },
    );
    this.#turns += 1;
    for (const job of ended.keys()) {
      this.#drop(job);
      this.#outcomes.delete(job);
    }
    for (const [index, job] of jobs.entries()) {
      // Signing and connecting block the event loop.
      if (index % STARTS_BEFORE_YIELD === 0) await yieldToEventLoop();
      void this.#do(job);
    }
    return POLL_MS;
  }

  #slotsWithout(isExcluded: (job: Job) => boolean): Slots {
    const { inFlight } = this.#calls;
    const running = [...this.#jobs].filter(([job]) => !isExcluded(job));
    const hasOthers = inFlight.size > this.#jobs.size;
    const others = hasOthers ? [...inFlight].filter(([job]) => !this.#jobs.has(job)) : [];
    return new Slots(this.#parts.hub, this.#calls, running, others);
  }

  #hold(job: Job, networks: readonly string[]): void {
    this.#jobs.set(job, networks);
    this.#calls.inFlight.set(job, networks);
  }

  #drop(job: Job): void {
    this.#jobs.delete(job);
    this.#calls.inFlight.delete(job);
  }

  /** Decides whether a request may be sent to these networks now; if so, counts it. */
  #admit(job: Job, networks: readonly string[]): Busy | null {
    const isUnproven = !isProven(job);
    // The job was abandoned on closing; another dispatcher may claim it.
    if (!this.#jobs.has(job)) return { network: null };
    if (this.#calls.hasExhausted(job.row.domain, isUnproven)) return { network: null };
    const busy =
      this.#calls.exhaustedNetwork(networks, isUnproven) ??
      this.#slotsWithout((each) => each === job).busyNetwork(networks, isUnproven);
    if (busy !== undefined) return { network: busy };
    this.#hold(job, networks);
    this.#calls.count(job.row.domain, networks, isUnproven);
    return null;
  }

  async #do(job: Job): Promise<void> {
    // Its claim is released: another dispatcher does it.
    if (this.#isClosed) return;
    this.#hold(job, job.row.network === null ? [] : [job.row.network]);
    try {
      const outcome = await runJob(job, this.#parts, (networks) => this.#admit(job, networks));
      // An abandoned job may belong to another dispatcher.
      if (this.#jobs.has(job)) this.#outcomes.set(job, outcome);
    } catch (error) {
      // A fault of this program: the job is repeated when its claim has expired.
      this.#parts.logger.error({ err: error }, 'a request to a callback failed unexpectedly');
      this.#drop(job);
    }
    this.#wake();
  }
}

/** How far the clock may be set forward while the server runs, before that counts as a fault. */
const TOLERATED_MS = 3_600_000;

export class ExpiryClock {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #startElapsedMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.nowMs();
    this.#startElapsedMs = clock.elapsedMs();
  }

  /** Leases that ended before this time (ms since 1970) have expired, whatever the clock says now. */
  nowMs(): number {
    const elapsedMs = this.#clock.elapsedMs() - this.#startElapsedMs;
    return Math.min(this.#clock.nowMs(), this.#startMs + elapsedMs + TOLERATED_MS);
  }
}
