// Starts the publish process and waits for its end.

import { fork } from 'node:child_process';
import { moduleBeside, QUIET } from '../model/program-files.ts';
import { killIfSilent, type Silence } from '../model/signs-of-life.ts';
import type { Failure, Omission, PublishJob, TaskResult } from './tasks.ts';

/** Two minutes: a thread does the work, so that the process answers meanwhile. */
const SILENCE: Silence = { maxIntervals: 12 };

/**
 * Publishes in a process of its own, which ends with this one; an abort kills it. Returns what the
 * publish left out.
 *
 * @throws {Error} with the name, message and stack of the error in that process, but not its class.
 */
export async function runPublishProcess(
  job: PublishJob,
  signal?: AbortSignal,
  silence = SILENCE,
): Promise<readonly Omission[]> {
  signal?.throwIfAborted();
  // It inherits NODE_OPTIONS, but no inspector or profiler of this process.
  const child = fork(moduleBeside(import.meta.url, './process'), {
    execArgv: [...QUIET],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  const wasSilent = killIfSilent(child, silence);
  try {
    return await new Promise((resolve, reject) => {
      let failure = {};
      let omitted: readonly Omission[] = [];
      // The last message counts: `node --watch` sends messages of its own before.
      child.on('message', (message: Failure | TaskResult) => {
        if (!('kind' in message)) failure = message;
        else if (message.kind === 'published') omitted = message.omitted;
      });
      child.once('error', reject);
      // By `close` all messages have arrived and the memory is free.
      child.once('close', (code, killedBy) => {
        if (code === 0) resolve(omitted);
        else if (wasSilent())
          reject(new Error('the publish process did not respond and was killed'));
        else reject(Object.assign(new Error(reasonOf(code, killedBy)), failure));
      });
      // A process that takes no message is about to exit.
      child.send(job, () => undefined);
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** Why a process ended that reported no error. */
function reasonOf(code: number | null, killedBy: NodeJS.Signals | null): string {
  const ended = `the publish process ended with ${code ?? killedBy}`;
  // Linux kills the largest process, and Node aborts.
  const isMemory = killedBy === 'SIGKILL' || killedBy === 'SIGABRT';
  return isMemory ? `${ended}: the system may have run out of memory` : ended;
}
