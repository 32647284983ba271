// A module of this program that runs in a process of its own: it gets one job, sends messages, and ends with its parent.

import { fork } from 'node:child_process';
import { QUIET } from './program-files.ts';
import { killIfSilent, type SignOfLife, type Silence } from './signs-of-life.ts';

interface ChildOptions {
  /** Options of Node, in addition to those of every process. */
  readonly execArgv?: readonly string[];
  /** An abort kills the process. */
  readonly signal: AbortSignal | undefined;
  readonly silence: Silence;
}

interface ChildEnd<Message> {
  /** The last message but for signs of life; null without any. */
  readonly last: Message | null;
  /** The exit code, or the signal that killed it. */
  readonly end: number | NodeJS.Signals | null;
  /** Whether it was killed because it hung. */
  readonly wasSilent: boolean;
}

/** Runs a module that calls `serveParent`. Resolves when all its messages have arrived and its memory is free. */
export async function runChild<Message extends { readonly kind: string }>(
  module: string | URL,
  job: object,
  { execArgv = [], signal, silence }: ChildOptions,
): Promise<ChildEnd<Message>> {
  signal?.throwIfAborted();
  // It inherits NODE_OPTIONS, but no inspector or profiler of this process.
  const child = fork(module, {
    execArgv: [...QUIET, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const kill = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  const wasSilent = killIfSilent(child, silence);
  try {
    return await new Promise((resolve, reject) => {
      let last: Message | null = null;
      child.on('message', (message: Message | SignOfLife | object) => {
        // `node --watch` sends messages of its own.
        if ('kind' in message && message.kind !== 'alive') last = message as Message;
      });
      child.once('error', reject);
      child.once('close', (code, killedBy) =>
        resolve({ last, end: code ?? killedBy, wasSilent: wasSilent() }),
      );
      // A process that takes no message is about to exit.
      child.send(job, () => undefined);
    });
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

/** The other side: runs the job of the parent, and exits if the parent ends. */
export function serveParent(run: (job: never) => Promise<void>): void {
  // A terminal sends these signals to all processes of a program; the parent acts on them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit(1));
  if (!process.connected) process.exit(1);
  process.once('message', (job) => void run(job as never));
}
