// Ring 3 of a publish (see 1-attempts.ts): starts the publish process, waits for its end, and kills it when it hangs.

import { runChild, type WaitingChild } from '../../model/child-process.ts';
import { moduleBeside } from '../../model/program-files.ts';
import type { Silence } from '../../model/signs-of-life.ts';
import { HEAP_OPTIONS } from '../heap.ts';
import type { Failure, Message, Published, PublishJob } from './messages.ts';
import { type Stage, STAGES } from './stages.ts';

/** Half an hour: many times what the longest stage takes with a million reviews. */
const SILENCE: Required<Silence> = { maxIntervals: 180, intervalMs: 10_000 };

/**
 * Publishes in a process of its own, which ends with this one; an abort kills it. With `waiting` it waits there for the next
 * publish.
 *
 * @throws {Error} with the name, message and stack of the error in that process, but not its class.
 */
export async function runPublishProcess(
  job: PublishJob,
  signal?: AbortSignal,
  silence = SILENCE,
  waiting?: WaitingChild,
): Promise<Published> {
  const { last, end, wasSilent } = await runChild<Message>(
    moduleBeside(import.meta.url, './4-program'),
    job,
    { execArgv: HEAP_OPTIONS, signal, silence, waiting },
  );
  if (last?.kind === 'published') return last.published;
  let failure = last?.kind === 'failed' ? last.failure : {};
  if (wasSilent) failure = stalled(last?.kind === 'stage' ? last.stage : 'start', silence);
  throw Object.assign(new Error(reasonOf(end)), failure);
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
function reasonOf(end: number | NodeJS.Signals | null): string {
  const ended = `the publish process ended with ${end}`;
  // Linux kills the largest process, and Node aborts.
  const isMemory = end === 'SIGKILL' || end === 'SIGABRT';
  return isMemory ? `${ended}: the system may have run out of memory` : ended;
}
