// A hub in the process of the test: it starts fast, and the test controls its clock.

import { vi } from 'vitest';
import { reportOnFailure } from './failure-logs.ts';
import { Hub, type HubParts, prepareHub } from './hub.ts';
import { LocalServer } from './local-server.ts';
import { Workplace } from './process.ts';

/** Replaces `Date.now` in this process. */
class MovableClock {
  aheadMs = 0;
  #stoppedAt: number | null = null;
  readonly #realNow = Date.now.bind(Date);
  readonly #spy = vi.spyOn(Date, 'now').mockImplementation(() => this.now());

  now(): number {
    return (this.#stoppedAt ?? this.#realNow()) + this.aheadMs;
  }

  stop(): void {
    this.#stoppedAt ??= this.#realNow();
  }

  restore(): void {
    this.#spy.mockRestore();
  }
}

export class LocalHub extends Hub<LocalServer> {
  readonly #servers: LocalServer[] = [];
  readonly #endReport = reportOnFailure('log of the server', () =>
    this.#servers.map(({ log }) => log).join(''),
  );
  readonly #clock: MovableClock;

  private constructor(parts: HubParts, clock: MovableClock) {
    super(parts);
    this.#clock = clock;
  }

  static async open(settings: Record<string, string> = {}): Promise<LocalHub> {
    // A slow machine must not make requests to callbacks time out.
    const all = { HUB_TIMEOUT_SECONDS: '600', ...settings };
    const parts = await prepareHub(await Workplace.open(), all);
    parts.certificate.trust();
    const hub = new LocalHub(parts, new MovableClock());
    await hub.start();
    return hub;
  }

  /** Moves the clock of the hub and the test forward. Timers are not affected. */
  moveClock(seconds: number): void {
    this.#clock.aheadMs += seconds * 1000;
  }

  /** Stops the clock, so that the whole test happens in the same minute. */
  stopClock(): void {
    this.#clock.stop();
  }

  protected override async serve(settings: Record<string, string>): Promise<LocalServer> {
    const server = await LocalServer.start({ ...this.workplace.environment, ...settings });
    this.#servers.push(server);
    return server;
  }

  protected override async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
    this.#clock.restore();
    this.#endReport();
  }
}
