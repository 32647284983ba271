// The publish process: its memory goes back to the system when it ends. A thread does the work, so that
// the main thread notices when the parent ends or when the work hangs.

import { Worker } from 'node:worker_threads';
import { moduleBeside } from '../model/program-files.ts';
import { sendSignsOfLife } from '../model/signs-of-life.ts';
import { setHeapOptions } from './heap.ts';
import { Progress, watchProgress } from './progress.ts';
import type { Failure, PublishJob, TaskResult, ThreadData } from './tasks.ts';

// A terminal sends these signals to all processes of a program; the parent acts on them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without the parent nobody renews the claim.
process.once('disconnect', () => process.exit(1));
if (!process.connected) process.exit(1);
sendSignsOfLife();
process.once('message', run);

function run({ task, stallLimitMs }: PublishJob): void {
  const progress = new Progress();
  progress.begin('starting the thread');
  setHeapOptions();
  const workerData: ThreadData = { task, progress: progress.memory };
  const thread = new Worker(moduleBeside(import.meta.url, './thread'), { workerData });
  let outcome: Failure | TaskResult | null = null;
  thread.on('message', (message: TaskResult | object) => {
    // `node --watch` sends messages of its own.
    if ('kind' in message) outcome = message;
  });
  thread.once('error', ({ name, message, stack }: Error) => {
    outcome = { name, message, stack };
  });
  const endWatch = watchProgress(progress, stallLimitMs, (step) => {
    const message = `${step} made no progress for ${stallLimitMs / 1000} s and was stopped`;
    // Unlike `process.exit`, this does not wait for the thread.
    const end = () => process.kill(process.pid, 'SIGKILL');
    process.send?.({ name: 'PublishError', message, stack: undefined } satisfies Failure, end);
  });
  thread.once('exit', (code) => {
    endWatch();
    if (outcome) process.send?.(outcome, () => process.exit(code));
    else process.exit(code);
  });
}
