// A hub in the process of the test: it starts fast, and the test controls its clock.

import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { vi } from 'vitest';
import { keepCompiled, parseConfig } from '../../src/config.ts';
import { type RunningServer as ServeHandle, serve } from '../../src/serving/serve.ts';
import { reportOnFailure } from './failure-report.ts';
import { Hub, type HubParts, prepareHub } from './hub.ts';
import { RunningServer, Workplace } from './process.ts';

/** The program's own compile cache, with which its threads start in half the time. */
const COMPILE_CACHE = fileURLToPath(
  new URL('../../node_modules/.cache/public-reviews', import.meta.url),
);

/** A server in the process of the test. */
export class LocalServer extends RunningServer {
  readonly #handle: ServeHandle;
  readonly #lines: readonly string[];

  private constructor(handle: ServeHandle, lines: readonly string[]) {
    super(handle.url);
    this.#handle = handle;
    this.#lines = lines;
  }

  static async start(environment: Readonly<Record<string, string>>): Promise<LocalServer> {
    const config = parseConfig(environment);
    const lines: string[] = [];
    const logger = pino({ level: config.logLevel }, { write: (line) => void lines.push(line) });
    return new LocalServer(await serve(config, logger, { example: false, group: null }), lines);
  }

  get log(): string {
    return this.#lines.join('');
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

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
    keepCompiled(COMPILE_CACHE);
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
