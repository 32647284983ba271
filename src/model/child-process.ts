// A module of this program that runs in a process of its own: it gets a job, sends messages, and ends with its parent. If the
// parent may have more jobs, it waits for the next: a process takes longer to start than many jobs.

import { type ChildProcess, fork } from 'node:child_process';
import { currentSite, forSite } from './command-name.ts';
import { QUIET } from './program-files.ts';
import { killIfSilent, type SignOfLife, type Silence } from './signs-of-life.ts';

/** A process that waits is not large, and ends after ten minutes without a job. */
export const MOST_WAITING_BYTES = 400 * 1024 * 1024;
const WAIT_MS = 600_000;

/** Where the process of a module waits between its jobs, one at a time. */
export class WaitingChild {
  readonly mostBytes: number;
  #child: ChildProcess | null = null;
  #release: () => void = () => undefined;

  /** A process that has more bytes after a job ends at once. */
  constructor(mostBytes = MOST_WAITING_BYTES) {
    this.mostBytes = mostBytes;
  }

  /** The process, if one waits; it is the caller's now. */
  take(): ChildProcess | null {
    const child = this.#child;
    this.#release();
    child?.ref();
    child?.channel?.ref();
    return child;
  }

  /** It waits until `signal` aborts, and does not keep this process from ending. */
  keep(child: ChildProcess, signal: AbortSignal | undefined): void {
    const kill = () => void child.kill('SIGKILL');
    for (const event of ['message', 'error', 'close']) child.removeAllListeners(event);
    this.#child = child;
    this.#release = () => {
      signal?.removeEventListener('abort', kill);
      this.#child = null;
      this.#release = () => undefined;
    };
    signal?.addEventListener('abort', kill);
    child.on('error', this.#release).on('close', this.#release);
    child.unref();
    child.channel?.unref();
  }
}

interface ChildOptions {
  /** Options of Node, in addition to those of every process. */
  readonly execArgv?: readonly string[];
  /** An abort kills the process. */
  readonly signal: AbortSignal | undefined;
  readonly silence: Silence;
  /** Where the process waits for the next job; absent means that it ends. */
  readonly waiting?: WaitingChild | undefined;
}

interface ChildEnd<Message> {
  /** The last message but for signs of life; null without any. */
  readonly last: Message | null;
  /** The exit code, or the signal that killed it; 0 if it waits. */
  readonly end: number | NodeJS.Signals | null;
  /** Whether it was killed because it hung. */
  readonly wasSilent: boolean;
}

/** A job, the site that it is for, and in how many bytes its process may wait for the next; null ends it. */
interface Order {
  readonly job: object;
  readonly site: string | null;
  readonly mostBytes: number | null;
}

/** Runs a module that calls `serveParent`. Resolves when all its messages have arrived and, unless it waits, its memory is free. */
export async function runChild<Message extends { readonly kind: string }>(
  module: string | URL,
  job: object,
  { execArgv = [], signal, silence, waiting }: ChildOptions,
): Promise<ChildEnd<Message>> {
  signal?.throwIfAborted();
  const waited = waiting?.take() ?? null;
  // It inherits NODE_OPTIONS, but no inspector or profiler of this process.
  const child =
    waited ??
    fork(module, {
      execArgv: [...QUIET, ...execArgv],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  const kill = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  const watch = killIfSilent(child, silence);
  try {
    const ended = await new Promise<ChildEnd<Message>>((resolve, reject) => {
      let last: Message | null = null;
      child.on('message', (message: Message | SignOfLife | { kind: 'waits' } | object) => {
        // `node --watch` sends messages of its own.
        if (!('kind' in message) || message.kind === 'alive') return;
        if (message.kind !== 'waits') last = message as Message;
        else {
          waiting?.keep(child, signal);
          resolve({ last, end: 0, wasSilent: false });
        }
      });
      child.once('error', reject);
      child.once('close', (code, killedBy) =>
        resolve({ last, end: code ?? killedBy, wasSilent: watch.wasSilent() }),
      );
      const order: Order = { job, site: currentSite(), mostBytes: waiting?.mostBytes ?? null };
      // A process that takes no message is about to exit.
      child.send(order, () => undefined);
    });
    // One that ended while it waited takes no job any more.
    if (waited === null || ended.last !== null || ended.wasSilent) return ended;
  } finally {
    signal?.removeEventListener('abort', kill);
    watch.stop();
  }
  return runChild(module, job, { execArgv, signal, silence, waiting });
}

/** The other side: runs jobs of the parent and sends their answers, and exits if the parent ends. */
export function serveParent(run: (job: never) => Promise<object>): void {
  // A terminal sends these signals to all processes of a program; the parent acts on them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit(1));
  if (!process.connected) process.exit(1);
  let end: NodeJS.Timeout | undefined;
  const obey = async ({ job, site, mostBytes }: Order) => {
    clearTimeout(end);
    const answer = await forSite(site, () => run(job as never));
    const isLarge = () => process.memoryUsage.rss() > (mostBytes ?? 0);
    if (mostBytes !== null && isLarge()) globalThis.gc?.();
    if (isLarge()) return void process.send?.(answer, () => process.exit());
    process.send?.(answer);
    process.send?.({ kind: 'waits' });
    end = setTimeout(() => process.exit(), WAIT_MS);
  };
  process.on('message', (order: Order) => void obey(order));
}
