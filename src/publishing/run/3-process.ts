// Ring 3 of a publish (see 1-attempts.ts): starts the publish process, waits for its end, and kills it when it hangs.

import { fork } from 'node:child_process';
import { moduleBeside, QUIET } from '../../model/program-files.ts';
import { killIfSilent, type Silence } from '../../model/signs-of-life.ts';
import { HEAP_OPTIONS } from '../heap.ts';
import type { Failure, Message, Published, PublishJob } from './messages.ts';
import { type Stage, STAGES } from './stages.ts';

/** Half an hour: many times what the longest stage takes with a million reviews. */
const SILENCE: Required<Silence> = { maxIntervals: 180, intervalMs: 10_000 };

/**
 * Publishes in a process of its own, which ends with this one; an abort kills it.
 *
 * @throws {Error} with the name, message and stack of the error in that process, but not its class.
 */
export async function runPublishProcess(
  job: PublishJob,
  signal?: AbortSignal,
  silence = SILENCE,
): Promise<Published> {
  signal?.throwIfAborted();
  // It inherits NODE_OPTIONS, but no inspector or profiler of this process.
  const child = fork(moduleBeside(import.meta.url, './4-program'), {
    execArgv: [...QUIET, ...HEAP_OPTIONS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const end = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', end);
  const wasSilent = killIfSilent(child, silence);
  try {
    return await new Promise((resolve, reject) => {
      let stage: Stage = 'start';
      let answer: Message | null = null;
      child.on('message', (message: Message | object) => {
        // `node --watch` sends messages of its own.
        if (!('kind' in message)) return;
        if (message.kind === 'stage') ({ stage } = message);
        else answer = message;
      });
      child.once('error', reject);
      // By `close` all messages have arrived and the memory is free.
      child.once('close', (code, killedBy) => {
        if (answer?.kind === 'published') return resolve(answer.published);
        let failure = answer?.kind === 'failed' ? answer.failure : {};
        if (wasSilent()) failure = stalled(stage, silence);
        reject(Object.assign(new Error(reasonOf(code, killedBy)), failure));
      });
      // A process that takes no message is about to exit.
      child.send(job, () => undefined);
    });
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

function stalled(
  stage: Stage,
  { maxIntervals, intervalMs }: Required<Silence>,
): Pick<Failure, 'name' | 'message'> {
  const seconds = (maxIntervals * intervalMs) / 1000;
  const message = `${STAGES[stage]} made no progress for ${seconds} s and was stopped`;
  return { name: 'PublishError', message };
}

/** Why a process ended that reported no error. */
function reasonOf(code: number | null, killedBy: NodeJS.Signals | null): string {
  const ended = `the publish process ended with ${code ?? killedBy}`;
  // Linux kills the largest process, and Node aborts.
  const isMemory = killedBy === 'SIGKILL' || killedBy === 'SIGABRT';
  return isMemory ? `${ended}: the system may have run out of memory` : ended;
}
