// The stages of a publish: their names in logs and metrics, and how long each took.

/** Each stage by its name, as messages say it. */
export const STAGES = {
  start: 'starting the publish process',
  read: 'loading the reviews',
  write: 'writing the reviews',
  analyse: 'analysing the reviews',
  derive: 'deriving the insights',
  log: 'writing the log',
  draw: 'drawing the pictures',
  build: 'building the documents',
  store: 'storing the snapshot',
} as const;

export type Stage = keyof typeof STAGES;

/** Is called when a stage begins or makes progress. */
export type OnStage = (stage: Stage) => void;

/** Progress within a stage is reported this often. */
const REPORT_EVERY_MS = 1_000;

/** Measures the stages, and reports their progress. */
export class StageClock {
  readonly #report: OnStage;
  readonly #nowMs: () => number;
  readonly #tookMs = new Map<Stage, number>();
  #stage: Stage = 'start';
  #beganAtMs: number;
  #reportedAtMs = -Infinity;

  /** `nowMs` is a monotonic clock. */
  constructor(report: OnStage, nowMs: () => number) {
    this.#report = report;
    this.#nowMs = nowMs;
    this.#beganAtMs = nowMs();
    this.begin('start');
  }

  /** A stage may begin again: its times are added. */
  begin(stage: Stage): void {
    const nowMs = this.#nowMs();
    if (stage !== this.#stage) this.#end(nowMs);
    else if (nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    this.#stage = stage;
    this.#reportedAtMs = nowMs;
    this.#report(stage);
  }

  stageSeconds(): Partial<Record<Stage, number>> {
    this.#end(this.#nowMs());
    return Object.fromEntries([...this.#tookMs].map(([stage, ms]) => [stage, ms / 1000]));
  }

  #end(nowMs: number): void {
    this.#tookMs.set(this.#stage, (this.#tookMs.get(this.#stage) ?? 0) + nowMs - this.#beganAtMs);
    this.#beganAtMs = nowMs;
  }
}
